/// The codings of the columns of a generated record type, made once for the type: it makes the
/// array of its columns each time that it is asked for them.
final class ColumnCodings: Sendable {
  private let columns: [_DeclaredColumn]

  /// The columns that may be the primary key: the declared key, or, where none is declared, all
  /// columns with a coding. Only the schema knows.
  let keyColumns: [String]

  /// The types of keys that a coding of these columns stores. Nil for any type, and for a declared
  /// key: few of its keys have another type.
  private let keyTypes: [ObjectIdentifier]?

  private static let known = TypeTable<ColumnCodings?>()

  /// Nil for types without codings, as most are.
  static func of(_ type: any Any.Type) -> ColumnCodings? {
    known.value(of: type) {
      (type as? any _GeneratedRecord.Type).flatMap { ColumnCodings($0._columns) }
    }
  }

  /// Whether a coding may store primary keys of a type.
  static func mayStoreKey(of type: any Any.Type, key: any Any.Type) -> Bool {
    guard let codings = of(type), !codings.keyColumns.isEmpty else { return false }
    guard let types = codings.keyTypes else { return true }
    // Objects may be cast to values: an NSUUID to a UUID.
    return types.contains(ObjectIdentifier(key)) || key is AnyClass
  }

  private init?(_ declared: [_DeclaredColumn]) {
    let coded = declared.filter { $0.encode != nil }
    let keys = declared.filter(\.isPrimaryKey)
    columns = coded
    keyColumns = (keys.isEmpty ? coded : keys.filter { $0.encode != nil }).map(\.name)
    let types = coded.compactMap(\.encodedTypes)
    keyTypes = keys.isEmpty && types.count == coded.count ? types.flatMap { $0 } : nil
    if coded.isEmpty { return nil }
  }

  /// What a column stores for a value. Nil if no coding stores values of this type there, and for a
  /// database value, which is what is stored.
  func encode(_ value: any DatabaseValueConvertible, in column: String) throws -> DatabaseValue? {
    let declared = columns.first { $0.name.isSameIdentifier(as: column) }
    guard let encode = declared?.encode, !(value is DatabaseValue) else { return nil }
    return try encode(value)
  }
}

extension DatabaseValueConvertible {
  /// What records of a type store for the value in a column: by the coding of the column, or by the
  /// strategies of the type.
  package func storedValue(in column: String, of recordType: any Any.Type) throws -> DatabaseValue {
    if let value = try ColumnCodings.of(recordType)?.encode(self, in: column) { return value }
    guard EncodingStrategies.apply(to: Self.self),
      let type = recordType as? any EncodableRecord.Type
    else { return databaseValue }
    return try type.strategicValue(of: self, in: column) ?? databaseValue
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
