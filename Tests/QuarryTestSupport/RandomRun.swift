import Foundation
import RandomNumbers

/// The setting of a test with random input.
///
/// The environment variable `QUARRY_RANDOM_SEED` sets the seed, which is printed, and reported by
/// failures, and `QUARRY_RANDOM_SECONDS` the time that each test takes, to look longer.
public struct RandomRun: Sendable {
  /// The seed.
  public let seed: UInt64

  private static func number<T: LosslessStringConvertible>(_ name: String) -> T? {
    ProcessInfo.processInfo.environment[name].flatMap { T($0) }
  }

  /// Arguments of a test: a fixed seed, and that of the environment, or else any other one.
  public static var seeds: [UInt64] {
    [1, number("QUARRY_RANDOM_SEED") ?? UInt64.random(in: 2 ... .max)]
  }

  /// Begins a run, and prints its seed.
  public init(_ title: String) {
    seed = Self.number("QUARRY_RANDOM_SEED") ?? UInt64.random(in: 0..<1_000_000_000)
    print("\(title): QUARRY_RANDOM_SEED=\(seed)")
  }

  /// The random numbers of the run.
  public var generator: SplitMix64 { SplitMix64(seed: seed) }

  /// Calls `body` again and again, for some time, with generators of their own. Returns the number
  /// of calls.
  @discardableResult
  public func repeated(
    seconds: Double, atMost limit: Int = .max, _ body: (inout SplitMix64) throws -> Void
  ) rethrows -> Int {
    var turns = Turns(self, seconds: seconds, limit: limit)
    while var generator = turns.next() { try body(&generator) }
    return turns.count
  }

  /// Calls `body` again and again, for some time. See `repeated(seconds:atMost:_:)`.
  @discardableResult
  public func repeated(
    seconds: Double, _ body: (inout SplitMix64) async throws -> Void
  ) async rethrows -> Int {
    var turns = Turns(self, seconds: seconds, limit: .max)
    while var generator = turns.next() { try await body(&generator) }
    return turns.count
  }

  /// The generators of the calls, until the time is over.
  private struct Turns {
    /// On a busy machine, the time is over after one call: tests expect that some things happen.
    private static let leastCount = 10

    private let end: Date
    private let limit: Int
    private var seeds: SplitMix64
    private(set) var count = 0

    init(_ run: RandomRun, seconds: Double, limit: Int) {
      let longer: Double? = RandomRun.number("QUARRY_RANDOM_SECONDS")
      end = Date().addingTimeInterval(longer ?? seconds)
      self.limit = longer == nil ? limit : .max
      seeds = run.generator
    }

    mutating func next() -> SplitMix64? {
      guard count == 0 || (Date() < end || count < Self.leastCount) && count < limit else {
        return nil
      }
      count += 1
      return SplitMix64(seed: seeds.next())
    }
  }
}
