import Foundation

// Doubles in SQL and JSON, for all versions of SQLite, which round decimal numbers in different
// ways.

extension Double {
  /// True for infinities, and integers whose decimal digits no version of SQLite rounds.
  var isDecimalExact: Bool { isInfinite || (magnitude < 0x1p53 && rounded() == self) }

  /// A finite number is `significand * 2^exponent`. The significand has 53 binary digits at most,
  /// so that any of them is in range with any of the exponents. It is odd, except for zero and
  /// numbers above 2^971.
  var binaryParts: (significand: Int64, exponent: Int) {
    guard !isZero else { return (0, 0) }
    let digits = 52
    let whole = Int64(scalbn(sign == .minus ? -significand : significand, digits))
    let exponent = Int(exponent) - digits
    let zeros = min(whole.trailingZeroBitCount, 971 - exponent)
    return (whole >> zeros, exponent + zeros)
  }

  /// A shift by many binary digits, in steps whose power of two is an integer of SQLite.
  static func shifts(_ digits: Int) -> [Int] {
    stride(from: digits, to: 0, by: -62).map { min($0, 62) }
  }
}
