import FaultCampaign
import Foundation

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
  func generator() throws -> SeededNumbers {
    let seed: UInt64 = try self("--seed") ?? UInt64.random(in: 0..<1_000_000_000)
    print("seed \(seed)")
    return SeededNumbers(seed: seed)
  }
}

/// Random numbers that a seed repeats. See <https://prng.di.unimi.it/splitmix64.c>.
struct SeededNumbers: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
