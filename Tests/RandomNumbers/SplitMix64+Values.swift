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
