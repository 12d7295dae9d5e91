public import Foundation

extension URL: DatabaseValueConvertible {
  /// The text of the absolute URL.
  public var databaseValue: DatabaseValue { absoluteString.databaseValue }

  /// Returns the URL of a text, or nil for values that are not valid URLs.
  public static func fromDatabaseValue(_ dbValue: DatabaseValue) -> URL? {
    String.fromDatabaseValue(dbValue).flatMap { URL(string: $0) }
  }
}
