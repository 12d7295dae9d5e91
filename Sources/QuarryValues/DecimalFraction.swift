/// The digits after the decimal point of a number of seconds, counted from the second before.
struct DecimalFraction {
  private(set) var digits: String

  init(digits: String) { self.digits = digits }

  /// The shortest digits that distinguish a number from its neighbors, at least three.
  init(after second: Double, of seconds: Double) {
    let description = seconds.magnitude.description.split(separator: "e")
    let parts = description[0].split(separator: ".")
    var digits = String(parts[parts.count - 1])
    if description.count == 2, let exponent = Int(description[1]) {
      let significand = parts.joined()
      digits = String(repeating: "0", count: max(0, -exponent - 1)) + significand
    }
    self.digits = digits
    trim()
    if seconds < 0 { self.digits = complement }
    self.digits += String(repeating: "0", count: max(0, 3 - self.digits.count))
  }

  /// The nearest double to a number of seconds and this fraction.
  func added(to second: Int64) -> Double {
    var fraction = self
    fraction.trim()
    if second >= 0 || fraction.digits.isEmpty {
      return Double("\(second).\(fraction.digits)0") ?? .nan
    }
    return Double("-\(-(second + 1)).\(fraction.complement)") ?? .nan
  }

  private mutating func trim() { digits = String(digits.reversed().drop { $0 == "0" }.reversed()) }

  /// The digits of 1 minus the fraction, whose last digit is not zero.
  private var complement: String {
    var digits = Array(digits.utf8)
    for index in digits.indices {
      digits[index] = (index == digits.count - 1 ? 0x6A : 0x69) - digits[index]
    }
    return String(decoding: digits, as: UTF8.self)
  }
}
