import Foundation
public import Quarry

/// Stored as an integer number of nanoseconds, which SQL compares, sorts and adds:
///
/// ```swift
/// // SELECT * FROM track WHERE length > 180000000000
/// Track.filter(Column("length") > Duration.seconds(180))
/// // SELECT SUM(length) FROM track
/// let total = try Duration.fetchOne(db, sql: "SELECT SUM(length) FROM track")
/// ```
///
/// A duration with a part of a nanosecond, or of more than 292 years, is not rounded: the statement
/// throws. ``Swift/Duration/roundedToNanoseconds()`` rounds the part; `attoseconds` are an
/// `Int128`, which is stored exactly.
extension Duration: DatabaseValueConvertible {
  /// The integer number of nanoseconds. A statement throws when there is none.
  public var databaseValue: DatabaseValue {
    if let wholeNanoseconds { return wholeNanoseconds.databaseValue }
    let reason =
      Self.limits.contains(self)
      ? "has a part of a nanosecond. `roundedToNanoseconds()` rounds it, and its"
      : "is too long. Its"
    return .invalid(
      "could not store the duration \(self) as an integer number of nanoseconds: it \(reason) "
        + "`attoseconds` are an `Int128`, which is stored exactly")
  }

  /// Returns the duration of an integer number of nanoseconds.
  public static func fromDatabaseValue(_ dbValue: DatabaseValue) -> Duration? {
    guard case .int64(let nanoseconds) = dbValue.storage else { return nil }
    return .nanoseconds(nanoseconds)
  }

  /// Converts a value of a row. Not for applications.
  public static func _fromColumn(_ dbValue: DatabaseValue) -> Duration? {
    if let nanoseconds: Int64 = ColumnConversion.integer(dbValue) {
      return .nanoseconds(nanoseconds)
    }
    // The array of two integers that `Codable` records stored without this library.
    guard case .string(let text) = dbValue.storage, !dbValue.isExact else { return nil }
    let json = Data(text.utf8)
    let duration = try? JSONDecoder().decode(Duration.self, from: json)
    // The decoder ignores further elements.
    return duration.flatMap { try? JSONEncoder().encode($0) } == json ? duration : nil
  }

  /// The duration without parts of nanoseconds: rounded to the nearest one, and halves away from
  /// zero.
  ///
  /// ```swift
  /// let mean = (total / 3).roundedToNanoseconds()
  /// ```
  public func roundedToNanoseconds() -> Duration {
    guard Self.limits.contains(self) else { return self }
    let rest = components.attoseconds % Self.attosecondsPerNanosecond
    let whole = self - Duration(secondsComponent: 0, attosecondsComponent: rest)
    return abs(rest) * 2 < Self.attosecondsPerNanosecond
      ? whole : whole + .nanoseconds(rest.signum())
  }

  private static var attosecondsPerNanosecond: Int64 { 1_000_000_000 }

  /// Durations beyond these limits have no `components`.
  private static var limits: ClosedRange<Duration> {
    .nanoseconds(Int64.min) ... .nanoseconds(Int64.max)
  }

  private var wholeNanoseconds: Int64? {
    guard Self.limits.contains(self) else { return nil }
    let (seconds, attoseconds) = components
    let (nanoseconds, rest) = attoseconds.quotientAndRemainder(
      dividingBy: Self.attosecondsPerNanosecond)
    // The product is nearer to zero than the sum, which is within the limits.
    return rest == 0 ? seconds * 1_000_000_000 + nanoseconds : nil
  }
}
