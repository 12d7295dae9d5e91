/// A parsed date text, such as `2024-02-29 13:05:59.123+02:00`.
///
/// See <https://www.sqlite.org/lang_datefunc.html#time_values>.
struct DateText: Equatable {
  var time = CivilTime()
  var format: DatabaseDateComponents.Format

  /// The offset from UTC, or nil when the text has no zone.
  var secondsFromUTC: Int?

  var hasDate: Bool {
    switch format {
    case .YMD, .YMD_HM, .YMD_HMS, .YMD_HMSS: true
    case .HM, .HMS, .HMSS: false
    }
  }

  /// Parses `YYYY-MM-DD`, `YYYY-MM-DD HH:MM[:SS[.SSS]][zone]`, or `HH:MM[:SS[.SSS]][zone]`.
  init?(utf8 text: UnsafeBufferPointer<UInt8>) {
    var scanner = unsafe DateScanner(text: text)
    format = .YMD
    if text.count > 2, unsafe text[2] == UInt8(ascii: ":") {
      guard let clock = scanner.scanClock(into: &time, hasDate: false) else { return nil }
      format = clock
    } else {
      guard scanner.scanDate(into: &time) else { return nil }
      if scanner.isAtEnd { return }
      guard scanner.skip(" ") || scanner.skip("T"),
        let clock = scanner.scanClock(into: &time, hasDate: true)
      else { return nil }
      format = clock
    }
    if scanner.isAtEnd { return }
    guard let seconds = scanner.scanZone(), scanner.isAtEnd else { return nil }
    secondsFromUTC = seconds
  }

  init?(_ string: String) {
    guard let text = unsafe string.withUTF8Bytes({ unsafe DateText(utf8: $0) }) else { return nil }
    self = text
  }

  /// The instant, or nil for a time without a date.
  var millisecondsSince1970: Int64? {
    guard hasDate else { return nil }
    return time.millisecondsSince1970 - Int64(secondsFromUTC ?? 0) * 1000
  }
}

@safe private struct DateScanner {
  let text: UnsafeBufferPointer<UInt8>
  var position = 0

  var isAtEnd: Bool { unsafe position == text.count }

  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard unsafe position < text.count, unsafe text[position] == UInt8(ascii: character) else {
      return false
    }
    position += 1
    return true
  }

  mutating func scanDigit() -> Int? {
    guard unsafe position < text.count else { return nil }
    let digit = unsafe Int(text[position]) - 0x30
    guard 0...9 ~= digit else { return nil }
    position += 1
    return digit
  }

  mutating func scanNumber(digits count: Int) -> Int? {
    var number = 0
    for _ in 0..<count {
      guard let digit = scanDigit() else { return nil }
      number = number * 10 + digit
    }
    return number
  }

  /// `YYYY-MM-DD`
  mutating func scanDate(into time: inout CivilTime) -> Bool {
    guard let year = scanNumber(digits: 4), skip("-"),
      let month = scanNumber(digits: 2), skip("-"),
      let day = scanNumber(digits: 2)
    else { return false }
    time.year = year
    time.month = month
    time.day = day
    return true
  }

  /// `HH:MM`, `HH:MM:SS`, `HH:MM:SS.s…`
  mutating func scanClock(
    into time: inout CivilTime, hasDate: Bool
  ) -> DatabaseDateComponents.Format? {
    guard let hour = scanNumber(digits: 2), skip(":"), let minute = scanNumber(digits: 2) else {
      return nil
    }
    time.hour = hour
    time.minute = minute
    guard skip(":") else { return hasDate ? .YMD_HM : .HM }
    guard let second = scanNumber(digits: 2) else { return nil }
    time.second = second
    guard skip(".") else { return hasDate ? .YMD_HMS : .HMS }
    guard let millisecond = scanMilliseconds() else { return nil }
    time.millisecond = millisecond
    return hasDate ? .YMD_HMSS : .HMSS
  }

  /// The first three decimals; further ones are ignored.
  mutating func scanMilliseconds() -> Int? {
    guard var milliseconds = scanDigit() else { return nil }
    var count = 1
    while let digit = scanDigit() {
      count += 1
      if count <= 3 { milliseconds = milliseconds * 10 + digit }
    }
    if count == 1 { return milliseconds * 100 }
    return count == 2 ? milliseconds * 10 : milliseconds
  }

  /// `Z`, `+HH:MM`, `-HH:MM`, in seconds from UTC.
  mutating func scanZone() -> Int? {
    if skip("Z") { return 0 }
    let sign = skip("-") ? -1 : 1
    guard sign == -1 || skip("+"),
      let hours = scanNumber(digits: 2), skip(":"), let minutes = scanNumber(digits: 2)
    else { return nil }
    return sign * (hours * 3600 + minutes * 60)
  }
}

extension DateText {
  /// The milliseconds since 1970 of `YYYY-MM-DD`, `YYYY-MM-DD HH:MM:SS`, or `YYYY-MM-DD
  /// HH:MM:SS.SSS`, as most texts are, after 1582. Nil for other texts, which may be dates all the
  /// same.
  static func commonMilliseconds(utf8 text: UnsafeBufferPointer<UInt8>) -> Int64? {
    guard text.count == 23 || text.count == 19 || text.count == 10 else { return nil }
    let month = unsafe DigitWord(text, at: 0, pattern: .yearAndMonth)
    var mismatch = month.mismatch
    var day: Int
    var milliseconds = 0
    if text.count == 10 {
      let date = unsafe DigitWord(text, at: 2, pattern: .shortDate)
      mismatch |= date.mismatch
      day = date.pair(6)
    } else {
      let minute = unsafe DigitWord(text, at: 8, pattern: .dayAndMinute)
      mismatch |= minute.mismatch
      day = minute.pair(0)
      milliseconds = (minute.pair(3) * 60 + minute.pair(6)) * 60_000
      if text.count == 19 {
        let second = unsafe DigitWord(text, at: 11, pattern: .time)
        mismatch |= second.mismatch
        milliseconds += second.pair(6) * 1000
      } else {
        let fraction = unsafe DigitWord(text, at: 15, pattern: .secondAndFraction)
        mismatch |= fraction.mismatch
        milliseconds += fraction.pair(2) * 1000 + fraction.pair(5) * 10 + fraction.digit(7)
      }
    }
    let year = month.pair(0) * 100 + month.pair(2)
    guard mismatch == 0, year > 1582, 1...12 ~= month.pair(5) else { return nil }
    let days = CivilTime.daysSince1970(year: year, month: month.pair(5), day: day)
    return Int64(days * 86_400_000 + milliseconds)
  }
}

/// Eight bytes of a text, digits and separators, that are looked at together. The lowest byte is
/// the first one.
private struct DigitWord {
  /// Digits as zeros.
  enum Pattern: UInt64 {
    /// `0000-00-`
    case yearAndMonth = 0x2D30_302D_3030_3030
    /// `00-00-00`
    case shortDate = 0x3030_2D30_302D_3030
    /// `00 00:00`
    case dayAndMinute = 0x3030_3A30_3020_3030
    /// `00:00:00`
    case time = 0x3030_3A30_303A_3030
    /// `0:00.000`
    case secondAndFraction = 0x3030_302E_3030_3A30
  }

  /// The values of the digits, and zero for separators.
  private let values: UInt64

  /// Zero if all bytes are like the pattern.
  let mismatch: UInt64

  @inline(__always)
  init(_ text: UnsafeBufferPointer<UInt8>, at place: Int, pattern: Pattern) {
    let bytes = unsafe UnsafeRawBufferPointer(text).loadUnaligned(
      fromByteOffset: place, as: UInt64.self)
    values = UInt64(littleEndian: bytes) ^ pattern.rawValue
    let separators = pattern.rawValue ^ 0x3030_3030_3030_3030
    let isSeparator = (separators &+ 0x7F7F_7F7F_7F7F_7F7F) >> 7 & 0x0101_0101_0101_0101
    // What is added to a digit above 9, or to a separator that is another one, sets the highest bit
    // of the byte.
    let limits = 0x7676_7676_7676_7676 + 9 * isSeparator
    mismatch = (values | values &+ limits) & 0x8080_8080_8080_8080
  }

  @inline(__always) func digit(_ place: Int) -> Int {
    Int(truncatingIfNeeded: values >> (8 * place) & 0xFF)
  }

  /// The number of two digits.
  @inline(__always) func pair(_ place: Int) -> Int {
    Int(truncatingIfNeeded: (values &* 10 &+ values >> 8) >> (8 * place) & 0xFF)
  }
}
