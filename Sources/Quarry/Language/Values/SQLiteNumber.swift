import CSQLite

/// How SQLite reads decimal numbers.
package enum SQLiteNumber {
  /// The double that SQLite reads in a text such as `1.5` or `-1.25e-07`. Nil if it is not known.
  package static func double(_ text: String) -> Double? {
    #if arch(x86_64) && !os(Windows) && !os(Android)
      // Before version 3.47, SQLite scales integers in extended precision, which may not give the
      // nearest double.
      switch sqlite3_libversion_number() {
      case ..<3_043_000: return extendedPrecisionDouble(text)
      case ..<3_047_000: return stepwiseDouble(text)
      default: break
      }
    #endif
    // What fits into 64 bits is read as the nearest double, which one of more digits may miss.
    let digits = text.prefix { $0 != "e" }.count(where: \.isNumber)
    return digits <= 19 ? Double(text) : nil
  }

  #if arch(x86_64) && !os(Windows) && !os(Android)
    /// Since version 3.43: each step rounds.
    private static func stepwiseDouble(_ text: String) -> Double {
      var (isNegative, magnitude, exponent) = parts(text, limit: UInt64.max)
      let steps: [(digits: Int, up: Float80, down: Float80)] = [
        (100, 1e100, 1e-100), (10, 1e10, 1e-10), (1, 10, 0.1),
      ]
      var result = Float80(magnitude)
      for step in steps {
        for _ in 0..<(abs(exponent) / step.digits) { result *= exponent > 0 ? step.up : step.down }
        exponent %= step.digits
      }
      // SQLite compares before it rounds.
      let number = result > Float80(Double.greatestFiniteMagnitude) ? .infinity : Double(result)
      return isNegative ? -number : number
    }

    private static func extendedPrecisionDouble(_ text: String) -> Double {
      let (isNegative, magnitude, exponent) = parts(text, limit: UInt64(Int64.max))
      guard magnitude != 0 else { return 0 }
      let result = scaled(magnitude, exponent: exponent)
      return isNegative ? -result : result
    }

    private static func scaled(_ significand: UInt64, exponent: Int) -> Double {
      let magnitude = abs(exponent)
      if magnitude == 0 { return Double(significand) }
      if magnitude >= 342 { return Double(significand) * (exponent < 0 ? 0 : .infinity) }
      // Two steps stay in the range of doubles.
      let scale = powerOfTen(magnitude > 307 ? magnitude - 308 : magnitude)
      let step = magnitude > 307 ? 1e308 : 1
      if exponent < 0 { return Double(Float80(significand) / scale) / step }
      return Double(Float80(significand) * scale) * step
    }

    private static func powerOfTen(_ exponent: Int) -> Float80 {
      var (power, factor, rest) = (Float80(1), Float80(10), exponent)
      while true {
        if rest & 1 == 1 { power *= factor }
        rest >>= 1
        if rest == 0 { return power }
        factor *= factor
      }
    }

    /// The sign, the significand and the decimal exponent, which is as near to zero as the limit of
    /// the significand permits. Digits that may go beyond the limit are left out.
    private static func parts(
      _ text: String, limit: UInt64
    ) -> (isNegative: Bool, magnitude: UInt64, exponent: Int) {
      let halves = text.split(separator: "e")
      // Any exponent of more digits makes zero or infinity.
      let scale = halves.count > 1 ? Double(halves[1]) ?? 0 : 0
      var exponent = Int(max(-10_000, min(10_000, scale)))
      var magnitude: UInt64 = 0
      var isFraction = false
      for byte in (halves.first ?? "").utf8 {
        if byte == UInt8(ascii: ".") { isFraction = true }
        guard byte.isASCIIDigit else { continue }
        if magnitude < (limit - 9) / 10 {
          magnitude = magnitude * 10 + UInt64(byte - UInt8(ascii: "0"))
          if isFraction { exponent -= 1 }
        } else if !isFraction {
          exponent += 1
        }
      }
      while exponent > 0, magnitude < limit / 10 {
        magnitude *= 10
        exponent -= 1
      }
      while exponent < 0, magnitude != 0, magnitude % 10 == 0 {
        magnitude /= 10
        exponent += 1
      }
      return (text.utf8.first == UInt8(ascii: "-"), magnitude, exponent)
    }
  #endif
}
