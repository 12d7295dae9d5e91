/// The conversions of stored values into the types that a program asks for.
///
/// See ``Configuration/conversions`` and <doc:ExactValues>.
public enum ValueConversions: Sendable {
  /// All that lose nothing: the text `'120'` is the integer 120. The default.
  case lossless

  /// None but from the forms that the type itself is stored in: the text `'120'` is no integer, 2
  /// is no `Bool`, and a number is no date.
  case exact
}

extension DatabaseValue {
  /// Reads a column of the current row of a statement, with the conversions of its connection.
  init(_ column: CInt, of statement: Statement) {
    unsafe self.init(sqliteStatement: statement.sqliteStatement, index: column)
    isExact = statement.isExact
  }

  /// Whether only exact conversions refuse the value as a type.
  func isRefusedExactly(by type: Any.Type) -> Bool {
    guard isExact, let type = type as? any DatabaseValueConvertible.Type else { return false }
    return type._fromColumn(DatabaseValue(storage: storage)) != nil
  }

  /// The finding about a value that exact conversions refuse.
  func exactFinding(_ type: Any.Type) -> String {
    "`Configuration.conversions` is `.exact`: \(storageClass) \(self) is no stored form of \(type); "
      + "`.lossless` converts it"
  }

  private var storageClass: String {
    switch storage {
    case .null: "NULL"
    case .int64: "INTEGER"
    case .double: "REAL"
    case .string: "TEXT"
    case .blob: "BLOB"
    }
  }
}
