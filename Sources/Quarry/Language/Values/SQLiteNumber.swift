import CSQLite

/// How SQLite reads decimal numbers.
enum SQLiteNumber {
  /// The double that SQLite reads in a text such as `1.5` or `-1.25e-07`.
  static func double(_ text: String) -> Double? {
    #if arch(x86_64) && !os(Windows) && !os(Android)
      // Before version 3.47, SQLite scales integers in extended precision, which may not give the
      // nearest double.
      switch sqlite3_libversion_number() {
      case ..<3_043_000: return extendedPrecisionDouble(text)
      case ..<3_047_000: return stepwiseDouble(text)
      default: break
      }
    #endif
    return Double(text)
  }

  #if arch(x86_64) && !os(Windows) && !os(Android)
    /// Since version 3.43: each step rounds.
    private static func stepwiseDouble(_ text: String) -> Double {
      let (significand, decimalExponent) = parts(text)
      var (magnitude, exponent) = (significand.magnitude, decimalExponent)
      while exponent > 0, magnitude < UInt64.max / 10 {
        magnitude *= 10
        exponent -= 1
      }
      while exponent < 0, magnitude != 0, magnitude % 10 == 0 {
        magnitude /= 10
        exponent += 1
      }
      let steps: [(digits: Int, up: Float80, down: Float80)] = [
        (100, 1e100, 1e-100), (10, 1e10, 1e-10), (1, 10, 0.1),
      ]
      var result = Float80(magnitude)
      for step in steps {
        for _ in 0..<(abs(exponent) / step.digits) { result *= exponent > 0 ? step.up : step.down }
        exponent %= step.digits
      }
      return Double(significand < 0 ? -result : result)
    }

    private static func extendedPrecisionDouble(_ text: String) -> Double? {
      var (significand, exponent) = parts(text)
      guard significand != 0 else { return 0 }
      while exponent > 0, significand.magnitude < UInt64(Int64.max / 10) {
        significand *= 10
        exponent -= 1
      }
      while exponent < 0, significand % 10 == 0 {
        significand /= 10
        exponent += 1
      }
      return scaled(significand, exponent: exponent)
    }

    private static func scaled(_ significand: Int64, exponent: Int) -> Double {
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

    /// The significand and the decimal exponent of a text with 17 digits at most.
    private static func parts(_ text: String) -> (significand: Int64, exponent: Int) {
      let halves = text.split(separator: "e")
      let exponent = halves.count > 1 ? Int(halves[1]) ?? 0 : 0
      let mantissa = halves.first ?? ""
      let decimals = mantissa.split(separator: ".").dropFirst().first?.count ?? 0
      return (Int64(mantissa.filter { $0 != "." }) ?? 0, exponent - decimals)
    }
  #endif
}
