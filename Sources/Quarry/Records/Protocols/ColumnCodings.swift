/// How the columns of a record type store values: by the codings of their declarations, or by the
/// strategies of the type. Made once for the type: a generated one makes the array of its columns
/// each time that it is asked for them.
final class ColumnCodings: Sendable {
  /// The type, if it has strategies. A generated one has none.
  private let strategies: (any EncodableRecord.Type)?

  /// The declared columns with a coding.
  private let columns: [_DeclaredColumn]

  /// The columns that may be the primary key: the declared key, or, where none is declared, all
  /// columns with a coding. Only the schema knows.
  let keyColumns: [String]

  private static let known = TypeTable<ColumnCodings?>()

  /// Nil for types that store all values as these are.
  static func of(_ type: any Any.Type) -> ColumnCodings? {
    known.value(of: type) { ColumnCodings(type) }
  }

  /// Whether the record type may decide how primary keys of a type are stored. A database value is
  /// what is stored.
  static func mayStoreKey(of type: any Any.Type, key: any Any.Type) -> Bool {
    guard let codings = of(type) else { return false }
    if codings.strategies != nil { return EncodingStrategies.apply(to: key) }
    return !codings.keyColumns.isEmpty && key != DatabaseValue.self
  }

  private init?(_ type: any Any.Type) {
    let generated = type as? any _GeneratedRecord.Type
    strategies = generated == nil ? type as? any EncodableRecord.Type : nil
    let declared = generated?._columns ?? []
    let coded = declared.filter { $0.encode != nil }
    let keys = declared.filter(\.isPrimaryKey)
    columns = coded
    keyColumns = (keys.isEmpty ? coded : keys.filter { $0.encode != nil }).map(\.name)
    if coded.isEmpty, strategies == nil { return nil }
  }

  /// What a column stores for a value. Nil for values of a type that it stores as they are, and for
  /// a database value, which is what is stored.
  func encode(_ value: some DatabaseValueConvertible, in column: String) throws -> DatabaseValue? {
    if let strategies {
      guard EncodingStrategies.apply(to: type(of: value)) else { return nil }
      return try strategies.strategicValue(of: value, in: column)
    }
    return try value is DatabaseValue ? nil : declaration(of: column)?.encode?(value)
  }

  /// The declaration of a column, if it has a coding.
  func declaration(of column: String) -> _DeclaredColumn? {
    columns.first { $0.name.isSameIdentifier(as: column) }
  }
}

extension DatabaseValueConvertible {
  /// What records of a type store for the value in a column: by the coding of the column, or by the
  /// strategies of the type.
  package func storedValue(in column: String, of recordType: any Any.Type) throws -> DatabaseValue {
    try ColumnCodings.of(recordType)?.encode(self, in: column) ?? databaseValue
  }

  /// The same for a value of a key. Statements throw when they bind one that can't be encoded.
  func storedKey(in column: String, of recordType: any Any.Type) -> DatabaseValue {
    do {
      return try storedValue(in: column, of: recordType)
    } catch {
      return .invalid(
        "could not encode \(Self.self) for column \(column.quotedDatabaseIdentifier): \(error)")
    }
  }
}
