import Foundation

/// The setting of a test with random input.
///
/// The environment variable `QUARRY_RANDOM_SEED` sets the seed, which is printed and told by
/// failures, and `QUARRY_RANDOM_SECONDS` the time that each test takes, to look longer.
public struct RandomRun: Sendable {
  /// The seed.
  public let seed: UInt64

  private static func number<T: LosslessStringConvertible>(_ name: String) -> T? {
    ProcessInfo.processInfo.environment[name].flatMap { T($0) }
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
      guard count == 0 || Date() < end && count < limit else { return nil }
      count += 1
      return SplitMix64(seed: seeds.next())
    }
  }
}

extension SplitMix64 {
  /// True once in so many times.
  public mutating func chance(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &self) == 0 }

  /// A number below a bound.
  public mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }

  /// An element of a collection that is not empty.
  public mutating func pick<C: Collection>(_ elements: C) -> C.Element {
    elements[elements.index(elements.startIndex, offsetBy: below(elements.count))]
  }

  /// As many bytes.
  public mutating func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8.random(in: 0...255, using: &self) }
  }

  /// A text of up to so many characters: letters, what SQL and C strings trip over, and any scalar.
  public mutating func text(upTo count: Int = 12) -> String {
    var scalars = String.UnicodeScalarView()
    for _ in 0..<below(count + 1) { scalars.append(scalar()) }
    return String(scalars)
  }

  private mutating func scalar() -> Unicode.Scalar {
    switch below(4) {
    case 0: pick("\0\n\r'\"`;:?@$%[]{}\\/-_ \u{feff}\u{301}\u{200d}".unicodeScalars)
    case 1: Unicode.Scalar(UInt32.random(in: 0..<0x11_0000, using: &self)) ?? "\u{1f600}"
    default: pick("abcdefghijklmnopqrstuvwxyzABCXYZ0123456789é".unicodeScalars)
    }
  }

  private static let specialIntegers: [Int64] = [
    0, 1, -1, Int64.min, Int64.max, 127, 128, -129, 255, 256, 0x8000_0000, 0x1_0000_0000,
    0x20_0000_0000_0000,
  ]

  private static let specialDoubles: [Double] = [
    0, -0.0, Double.nan, Double.infinity, -Double.infinity, Double.greatestFiniteMagnitude,
    Double.leastNonzeroMagnitude, 0x1p63, -0x1p63, 0.1, 1e15, 1e16,
  ]

  /// An integer of any size, often at a limit of some type.
  public mutating func int64() -> Int64 {
    switch below(4) {
    case 0: pick(Self.specialIntegers)
    case 1: Int64.random(in: -1000...1000, using: &self)
    default: Int64(bitPattern: next()) >> Int64(below(64))
    }
  }

  /// A double, often a special one.
  public mutating func double() -> Double {
    switch below(4) {
    case 0: pick(Self.specialDoubles)
    case 1: Double(Int64.random(in: -100_000...100_000, using: &self)) / 1000
    default: Double(bitPattern: next())
    }
  }
}
