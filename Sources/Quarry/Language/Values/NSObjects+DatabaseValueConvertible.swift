public import Foundation

// The classes of Foundation convert as the Swift types that they are bridged to. The conditional
// casts give nil for the subclasses that Foundation can't instantiate.

extension NSString: DatabaseValueConvertible {
  /// The text to store.
  public var databaseValue: DatabaseValue { description.databaseValue }

  /// Returns the text, or the content of a blob that is valid UTF-8.
  public static func fromDatabaseValue(_ dbValue: DatabaseValue) -> Self? {
    String.converted(from: dbValue).flatMap { NSString(string: $0) as? Self }
  }
}

extension NSData: DatabaseValueConvertible {
  /// The blob to store.
  public var databaseValue: DatabaseValue { Data(referencing: self).databaseValue }

  /// Returns the blob, or the UTF-8 bytes of a text.
  public static func fromDatabaseValue(_ dbValue: DatabaseValue) -> Self? {
    Data.converted(from: dbValue).flatMap { NSData(data: $0) as? Self }
  }
}

extension NSDate: DatabaseValueConvertible {
  /// The text of the date. See the conversion of `Date`.
  public var databaseValue: DatabaseValue {
    Date(timeIntervalSinceReferenceDate: timeIntervalSinceReferenceDate).databaseValue
  }

  /// Returns a date from a number of seconds since 1970, or from the text of a date.
  public static func fromDatabaseValue(_ dbValue: DatabaseValue) -> Self? {
    Date.converted(from: dbValue).flatMap {
      NSDate(timeIntervalSinceReferenceDate: $0.timeIntervalSinceReferenceDate) as? Self
    }
  }
}

extension NSURL: DatabaseValueConvertible {
  /// The text of the absolute URL, or NULL when there is none.
  public var databaseValue: DatabaseValue { absoluteString.databaseValue }

  /// Returns the URL of a text, or nil for values that are not valid URLs.
  public static func fromDatabaseValue(_ dbValue: DatabaseValue) -> Self? {
    URL.converted(from: dbValue).flatMap { NSURL(string: $0.absoluteString) as? Self }
  }
}

extension NSUUID: DatabaseValueConvertible {
  /// The blob of the 16 bytes.
  public var databaseValue: DatabaseValue { UUID(uuidString: uuidString).databaseValue }

  /// Returns a UUID from a blob of 16 bytes, or from the text of a UUID.
  public static func fromDatabaseValue(_ dbValue: DatabaseValue) -> Self? {
    UUID.converted(from: dbValue).flatMap { NSUUID(uuidString: $0.uuidString) as? Self }
  }
}

extension NSNull: DatabaseValueConvertible {
  /// The NULL value.
  public var databaseValue: DatabaseValue { .null }

  /// Returns nil: only optionals are decoded from NULL.
  public static func fromDatabaseValue(_ dbValue: DatabaseValue) -> Self? { nil }
}
