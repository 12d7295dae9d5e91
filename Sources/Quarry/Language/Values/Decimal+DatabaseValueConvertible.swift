import CSQLite
public import Foundation

extension Decimal: DatabaseValueConvertible, _DirectColumn {
  /// Decodes the column at an index: an integer, a double, or the text of a decimal number. NULL is
  /// nil.
  public static func fromStatement(
    _ sqliteStatement: SQLiteStatement, atUncheckedIndex index: CInt
  ) -> Decimal? {
    let column = unsafe sqlite3_column_value(sqliteStatement, index)
    switch unsafe sqlite3_value_type(column) {
    case SQLITE_TEXT:
      guard let text = unsafe sqlite3_value_text(column) else { return nil }
      let count = unsafe Int(sqlite3_value_bytes(column))
      let bytes = unsafe UnsafeBufferPointer(start: text, count: count)
      return unsafe Decimal(shortText: bytes) ?? convertedColumn(column)
    case SQLITE_NULL: return nil
    default: return unsafe convertedColumn(column)
    }
  }

  /// The text of the number, in decimal notation, without loss of precision.
  ///
  /// A statement that binds NaN throws.
  public var databaseValue: DatabaseValue {
    if let parts = DecimalParts(self) { return parts.text.databaseValue }
    // The description of a Decimal does not depend on the current locale, and is slow.
    return isNaN ? .invalid("could not store the decimal number NaN") : description.databaseValue
  }

  /// Returns a decimal number from an integer, a double, or the text of a decimal number: a text
  /// that is a number as a whole, in the notation of SQLite. Nil for one of too many digits.
  ///
  /// The double 19.99 is the decimal number 19.99: the one with the fewest digits that reads as the
  /// same double. A double that is an integer of 64 bits has all of its digits.
  public static func fromDatabaseValue(_ dbValue: DatabaseValue) -> Decimal? {
    switch dbValue.storage {
    case .int64(let int64): Decimal(int64)
    case .double(let double) where !dbValue.isExact: Decimal(databaseDouble: double)
    case .string: ColumnConversion.decimal(dbValue)
    default: nil
    }
  }

  /// Converts a value of a row. Not for applications.
  public static func _fromColumn(_ dbValue: DatabaseValue) -> Decimal? {
    ColumnConversion.decimal(dbValue)
  }

  /// The initializer of Foundation multiplies by ten in steps that round: 19.99 would be
  /// 19.98999999999999488.
  private init?(databaseDouble double: Double) {
    if let integer = UInt64(exactly: double.magnitude) {
      self.init(sign: double < 0 ? .minus : .plus, exponent: 0, significand: Decimal(integer))
    } else {
      // Those of infinities and of NaN are no numbers.
      let text = double.description.databaseValue
      guard let decimal = ColumnConversion.decimal(text) else { return nil }
      self = decimal
    }
  }
}

extension Decimal {
  /// The number of a text of at most 19 bytes, digits with a sign or a point: nearly all texts. Nil
  /// for others, which `DecimalText` parses.
  init?(shortText text: UnsafeBufferPointer<UInt8>) {
    // 19 digits fit into 64 bits.
    guard text.count <= 19 else { return nil }
    let isNegative = unsafe text.first == UInt8(ascii: "-")
    var significand: UInt64 = 0
    var digitCount = 0
    var decimalStart: Int?
    for place in (isNegative ? 1 : 0)..<text.count {
      let digit = unsafe text[place] &- UInt8(ascii: "0")
      if digit <= 9 {
        significand = significand &* 10 &+ UInt64(digit)
        digitCount += 1
      } else if unsafe text[place] == UInt8(ascii: "."), decimalStart == nil {
        decimalStart = place + 1
      } else {
        return nil
      }
    }
    guard digitCount > 0 else { return nil }
    if significand == 0 {
      self = 0
    } else {
      self.init(
        sign: isNegative ? .minus : .plus, exponent: decimalStart.map { $0 - text.count } ?? 0,
        significand: Decimal(significand))
    }
  }
}
