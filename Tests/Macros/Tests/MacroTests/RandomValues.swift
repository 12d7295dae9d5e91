import Foundation

/// Random values, the same ones for a seed.
struct RandomValues: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  /// SplitMix64: <https://prng.di.unimi.it/splitmix64.c>.
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }

  mutating func bool() -> Bool { Bool.random(using: &self) }

  mutating func int() -> Int { integer() }

  /// Small numbers and the limits are as likely as all others.
  mutating func integer<Integer: FixedWidthInteger>() -> Integer {
    switch Int.random(in: 0..<4, using: &self) {
    case 0: .min
    case 1: .max
    case 2: Integer.random(in: 0...3, using: &self)
    default: Integer.random(in: .min ... .max, using: &self)
    }
  }

  mutating func double() -> Double {
    [0, -0.5, 1e300, Double.leastNonzeroMagnitude, Double.random(in: -1...1, using: &self)]
      .randomElement(using: &self)
      ?? 0
  }

  mutating func text() -> String {
    let pieces = ["", "a", "É", "e\u{301}", "'", "\"", "🦊", "\0", "1", " "]
    return (0..<Int.random(in: 0...4, using: &self)).map { _ in
      pieces.randomElement(using: &self) ?? ""
    }.joined()
  }

  mutating func data() -> Data {
    Data((0..<Int.random(in: 0...3, using: &self)).map { _ in integer() as UInt8 })
  }

  /// A date that all formats store without loss: a quarter of a second is exact in binary, and in
  /// milliseconds.
  mutating func date() -> Date {
    Date(
      timeIntervalSince1970: Double(Int.random(in: -20_000_000_000...20_000_000_000, using: &self))
        / 4)
  }

  mutating func uuid() -> UUID {
    UUID(
      uuid: (
        integer(), integer(), integer(), integer(), integer(), integer(), integer(),
        integer(), integer(), integer(), integer(), integer(), integer(), integer(), integer(),
        integer()
      ))
  }

  mutating func element<T: CaseIterable>(_ type: T.Type = T.self) -> T {
    T.allCases.randomElement(using: &self) ?? T.allCases[T.allCases.startIndex]
  }

  mutating func maybe<T>(_ value: (inout RandomValues) -> T) -> T? { bool() ? value(&self) : nil }

  mutating func list<T>(_ value: (inout RandomValues) -> T) -> [T] {
    (0..<Int.random(in: 0...3, using: &self)).map { _ in value(&self) }
  }
}
