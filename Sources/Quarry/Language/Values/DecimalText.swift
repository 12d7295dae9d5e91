import Foundation

/// The number of a text such as `120`, ` -1.50`, or `1e3`: what SQLite takes for a number, as a
/// whole.
///
/// White space around the number does not count. See
/// <https://www.sqlite.org/datatype3.html#affinity>.
struct DecimalText {
  private var isNegative = false
  /// The digits without the zeros at both ends: none for zero.
  private var digits: [UInt8] = []
  /// The number is `0.digits`, times ten to this power.
  private var exponent = 0
  /// Whether the text has a power of ten: SQLite and Swift write one for doubles only.
  private let hasPower: Bool

  var isZero: Bool { digits.isEmpty }

  private var isInteger: Bool { digits.count <= exponent || isZero }

  init?(_ text: String) {
    var bytes = Array(text.utf8)[...]
    while let last = bytes.last, Self.isSpace(last) { bytes.removeLast() }
    while let first = bytes.first, Self.isSpace(first) { bytes.removeFirst() }
    isNegative = Self.skipSign(&bytes)
    let whole = Self.takeDigits(&bytes)
    var decimals: ArraySlice<UInt8> = []
    if bytes.first == UInt8(ascii: ".") {
      bytes.removeFirst()
      decimals = Self.takeDigits(&bytes)
    }
    hasPower = !bytes.isEmpty
    guard !whole.isEmpty || !decimals.isEmpty, let power = Self.takePower(&bytes), bytes.isEmpty
    else { return nil }
    let all = whole + decimals
    let significant = all.drop { $0 == UInt8(ascii: "0") }
    digits = Array(significant)
    while digits.last == UInt8(ascii: "0") { digits.removeLast() }
    exponent = isZero ? 0 : whole.count - (all.count - significant.count) + power
    if isZero { isNegative = false }
  }

  /// The integer, or nil for other numbers, and for integers that don't fit.
  func integer<Integer: FixedWidthInteger>() -> Integer? {
    if isZero { return 0 }
    // No integer type has more than 39 digits: those of 128 bits.
    guard isInteger, exponent <= 39 else { return nil }
    let zeros = String(repeating: "0", count: exponent - digits.count)
    return Integer(sign + String(decoding: digits, as: UTF8.self) + zeros)
  }

  /// The nearest double, or nil if there is none, and for the digits of integers that a double does
  /// not hold.
  var double: Double? {
    if isZero { return 0 }
    guard let double = Double(canonical()), double.isFinite, double != 0 else { return nil }
    return hasPower || !isInteger || isNumber(of: String(format: "%.0f", double)) ? double : nil
  }

  /// The decimal number, or nil if it has too many digits.
  var decimal: Decimal? {
    if isZero { return 0 }
    let power = exponent - digits.count
    // The power of a Decimal is 127 at most: more is in the zeros of its 39 digits.
    let zeros = max(0, min(power - 127, 39 - digits.count))
    let text = canonical(zeros: zeros)
    guard let decimal = Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")) else {
      return nil
    }
    return isNumber(of: decimal.description) ? decimal : nil
  }

  private func isNumber(of text: String) -> Bool {
    guard let other = DecimalText(text) else { return false }
    return (isNegative, exponent) == (other.isNegative, other.exponent) && digits == other.digits
  }

  private var sign: String { isNegative ? "-" : "" }

  /// - parameter zeros: how many zeros come after the digits.
  private func canonical(zeros: Int = 0) -> String {
    let digits = digits + Array(repeating: UInt8(ascii: "0"), count: zeros)
    return isZero ? "0" : "\(sign)0.\(String(decoding: digits, as: UTF8.self))e\(exponent)"
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || 0x09...0x0D ~= byte }

  private static func skipSign(_ bytes: inout ArraySlice<UInt8>) -> Bool {
    guard let sign = bytes.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") else {
      return false
    }
    bytes.removeFirst()
    return sign == UInt8(ascii: "-")
  }

  private static func takeDigits(_ bytes: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let digits = bytes.prefix { 0x30...0x39 ~= $0 }
    bytes = bytes.dropFirst(digits.count)
    return digits
  }

  /// The power of ten after the letter `e`, or zero without one. Nil when it is no number.
  private static func takePower(_ bytes: inout ArraySlice<UInt8>) -> Int? {
    guard let letter = bytes.first, letter | 0x20 == UInt8(ascii: "e") else { return 0 }
    bytes.removeFirst()
    let isNegative = skipSign(&bytes)
    let digits = takeDigits(&bytes)
    if digits.isEmpty { return nil }
    // More is out of the range of all types.
    let magnitude = digits.reduce(0) { min($0 * 10 + Int($1 - 0x30), 1_000_000) }
    return isNegative ? -magnitude : magnitude
  }
}
