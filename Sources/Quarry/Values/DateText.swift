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
      guard let clock = scanner.scanClock(into: &time) else { return nil }
      format = clock.timeFormat
    } else {
      guard scanner.scanDate(into: &time) else { return nil }
      if scanner.isAtEnd { return }
      guard scanner.skip(" ") || scanner.skip("T"), let clock = scanner.scanClock(into: &time)
      else { return nil }
      format = clock.dateTimeFormat
    }
    if scanner.isAtEnd { return }
    guard let seconds = scanner.scanZone(), scanner.isAtEnd else { return nil }
    secondsFromUTC = seconds
  }

  init?(_ string: String) {
    let result = unsafe string.utf8.withContiguousStorageIfAvailable { unsafe DateText(utf8: $0) }
    if let result {
      guard let result else { return nil }
      self = result
    } else {
      var copy = string
      guard let result = copy.withUTF8({ unsafe DateText(utf8: $0) }) else { return nil }
      self = result
    }
  }

  /// The instant, or nil for a time without a date.
  var millisecondsSince1970: Int64? {
    guard hasDate else { return nil }
    return time.millisecondsSince1970 - Int64(secondsFromUTC ?? 0) * 1000
  }
}

/// The precision of a time of day.
private enum ClockPrecision {
  case minute, second, millisecond

  var timeFormat: DatabaseDateComponents.Format {
    switch self {
    case .minute: .HM
    case .second: .HMS
    case .millisecond: .HMSS
    }
  }

  var dateTimeFormat: DatabaseDateComponents.Format {
    switch self {
    case .minute: .YMD_HM
    case .second: .YMD_HMS
    case .millisecond: .YMD_HMSS
    }
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
  mutating func scanClock(into time: inout CivilTime) -> ClockPrecision? {
    guard let hour = scanNumber(digits: 2), skip(":"), let minute = scanNumber(digits: 2) else {
      return nil
    }
    time.hour = hour
    time.minute = minute
    guard skip(":") else { return .minute }
    guard let second = scanNumber(digits: 2) else { return nil }
    time.second = second
    guard skip(".") else { return .second }
    guard let millisecond = scanMilliseconds() else { return nil }
    time.millisecond = millisecond
    return .millisecond
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
