import FaultCampaign
import Foundation
import RandomNumbers

/// The options of a command: `--name value`.
struct Options {
  private var values: [String: String] = [:]

  struct Unknown: Error, CustomStringConvertible {
    let description: String
  }

  init(_ arguments: [String], names: Set<String>) throws {
    var rest = arguments[...]
    while let name = rest.popFirst() {
      guard names.contains(name), let value = rest.popFirst() else {
        throw Unknown(description: "\(name) is no option, or has no value")
      }
      values[name] = value
    }
  }

  func callAsFunction<T: LosslessStringConvertible>(_ name: String) throws -> T? {
    guard let text = values[name] else { return nil }
    guard let value = T(text) else { throw Unknown(description: "\(name) \(text)") }
    return value
  }

  /// The random numbers, whose seed is printed.
  func generator() throws -> SplitMix64 {
    let seed: UInt64 = try self("--seed") ?? UInt64.random(in: 0..<1_000_000_000)
    print("seed \(seed)")
    return SplitMix64(seed: seed)
  }
}
