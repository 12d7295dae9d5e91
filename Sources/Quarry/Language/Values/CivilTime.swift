/// A date and a time of day in UTC, with milliseconds, as they are written in a database.
///
/// The calendar is the Gregorian one, and the Julian one before October 15, 1582, as the calendars
/// of Foundation do. Fields may be out of range: the calendar carries them over, so that month 13
/// is January of the next year.
package struct CivilTime: Equatable {
  package var year = 0
  var month = 1
  var day = 1
  var hour = 0
  var minute = 0
  var second = 0
  var millisecond = 0
}

extension CivilTime {
  private static let millisecondsPerDay: Int64 = 86_400_000

  /// The day number of October 15, 1582: the first Gregorian day.
  private static let firstGregorianDay: Int64 = -141_427

  package init(millisecondsSince1970 milliseconds: Int64) {
    let (day, timeOfDay) = milliseconds.flooredDivision(by: Self.millisecondsPerDay)
    self.init(daysSince1970: day)
    let time = Int(timeOfDay)
    hour = time / 3_600_000
    minute = time / 60_000 % 60
    second = time / 1000 % 60
    millisecond = time % 1000
  }

  var millisecondsSince1970: Int64 {
    let seconds = Int64(hour) * 3600 + Int64(minute) * 60 + Int64(second)
    return daysSince1970 * Self.millisecondsPerDay + seconds * 1000 + Int64(millisecond)
  }

  /// Whether there is such a day, and such a time.
  var isOfCalendar: Bool { CivilTime(millisecondsSince1970: millisecondsSince1970) == self }

  // Years start in March: the leap day is the last one of the year, and the months have regular
  // lengths. See "chrono-Compatible Low-Level Date Algorithms" by Howard Hinnant.

  /// The day number of March 1 of the year 0, in each calendar.
  private static let gregorianEpoch: Int64 = -719_468
  private static let julianEpoch: Int64 = -719_470

  private init(daysSince1970 days: Int64) {
    let isGregorian = days >= Self.firstGregorianDay
    var yearFromMarch: Int64
    var dayOfYear: Int64
    if isGregorian {
      let (era, dayOfEra) = (days - Self.gregorianEpoch).flooredDivision(by: 146_097)
      let leapDays = dayOfEra / 1460 - dayOfEra / 36_524 + dayOfEra / 146_096
      let yearOfEra = (dayOfEra - leapDays) / 365
      yearFromMarch = era * 400 + yearOfEra
      dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    } else {
      let (era, dayOfEra) = (days - Self.julianEpoch).flooredDivision(by: 1461)
      let yearOfEra = (dayOfEra - dayOfEra / 1460) / 365
      yearFromMarch = era * 4 + yearOfEra
      dayOfYear = dayOfEra - 365 * yearOfEra
    }
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    day = Int(dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
    month = Int(monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9)
    year = Int(month <= 2 ? yearFromMarch + 1 : yearFromMarch)
  }

  /// The day number of a date after 1582, with a month from 1 to 12.
  static func daysSince1970(year: Int, month: Int, day: Int) -> Int {
    let yearFromMarch = UInt(month <= 2 ? year - 1 : year)
    let monthFromMarch = UInt(month <= 2 ? month + 9 : month - 3)
    let leapDays = yearFromMarch / 4 - yearFromMarch / 100 + yearFromMarch / 400
    let days = 365 * yearFromMarch + leapDays + (153 * monthFromMarch + 2) / 5
    return Int(gregorianEpoch) + Int(days) + day - 1
  }

  private var daysSince1970: Int64 {
    let (yearCarry, monthFromMarch) = (Int64(month) - 3).flooredDivision(by: 12)
    let yearFromMarch = Int64(year) + yearCarry
    let dayOfYear = (153 * monthFromMarch + 2) / 5 + Int64(day) - 1
    let leapDays =
      yearFromMarch.flooredDivision(by: 4).quotient
      - yearFromMarch.flooredDivision(by: 100).quotient
      + yearFromMarch.flooredDivision(by: 400).quotient
    let gregorian = Self.gregorianEpoch + 365 * yearFromMarch + leapDays + dayOfYear
    if gregorian >= Self.firstGregorianDay { return gregorian }
    let julianLeapDays = yearFromMarch.flooredDivision(by: 4).quotient
    return Self.julianEpoch + 365 * yearFromMarch + julianLeapDays + dayOfYear
  }
}

extension Int64 {
  /// The quotient rounded down, and the remainder, which is never negative.
  fileprivate func flooredDivision(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}
