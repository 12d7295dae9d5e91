import CSQLite
public import Foundation

extension Decimal: DatabaseValueConvertible, StatementColumnConvertible {
  /// Decodes the column at an index: an integer, a double, or the text of a decimal number.
  public init?(sqliteStatement: SQLiteStatement, index: CInt) {
    let column = unsafe sqlite3_column_value(sqliteStatement, index)
    guard let decimal = unsafe Decimal.convertedColumn(column) else { return nil }
    self = decimal
  }

  /// The text of the number, in decimal notation, without loss of precision.
  public var databaseValue: DatabaseValue {
    // The description of a Decimal does not depend on the current locale.
    description.databaseValue
  }

  /// Returns a decimal number from an integer, a double, or the text of a decimal number.
  public static func fromDatabaseValue(_ dbValue: DatabaseValue) -> Decimal? {
    switch dbValue.storage {
    case .int64(let int64): Decimal(int64)
    case .double(let double): Decimal(databaseDouble: double)
    case .string(let string): Decimal(databaseText: string)
    default: nil
    }
  }

  /// Converts a value of a row. Not for applications.
  public static func _fromColumn(_ dbValue: DatabaseValue) -> Decimal? {
    ColumnConversion.decimal(dbValue)
  }

  /// The initializer from doubles traps on infinity, and makes NaN from exponents out of range.
  private init?(databaseDouble double: Double) {
    guard double.isFinite else { return nil }
    self.init(double)
    if isNaN { return nil }
  }

  private init?(databaseText text: String) {
    self.init(string: text, locale: Locale(identifier: "en_US_POSIX"))
  }
}
