import Foundation
public import Quarry

// Arrays of bytes convert as `Data` does, by methods, and not by a conformance. `Array` can have
// one conformance to a protocol, whatever its elements: it is left to applications. And the arrays
// of `Codable` records are JSON texts, those of bytes as well.

extension [UInt8] {
  /// Creates an array of the bytes of a blob or of a text, in the column at an index.
  public init(sqliteStatement: SQLiteStatement, index: CInt) {
    unsafe self.init(Data(sqliteStatement: sqliteStatement, index: index))
  }

  /// The blob to store.
  ///
  /// ```swift
  /// try db.execute(sql: "INSERT INTO image (bytes) VALUES (?)", arguments: [bytes.databaseValue])
  /// try db.execute(literal: "INSERT INTO image (bytes) VALUES (\(bytes.databaseValue))")
  /// ```
  ///
  /// In SQL interpolation, `\(bytes)` is a list of numbers, as that of all arrays.
  public var databaseValue: DatabaseValue { Data(self).databaseValue }

  /// Returns the bytes of a blob, or the UTF-8 bytes of a text.
  public static func fromDatabaseValue(_ dbValue: DatabaseValue) -> [UInt8]? {
    Data.fromDatabaseValue(dbValue).map { [UInt8]($0) }
  }

  /// Binds a blob to a parameter of a statement.
  public func bind(to sqliteStatement: SQLiteStatement, at index: CInt) -> CInt {
    unsafe databaseValue.bind(to: sqliteStatement, at: index)
  }
}
