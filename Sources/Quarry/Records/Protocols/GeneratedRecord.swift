/// A record type whose columns are known to generated code: see ``_DeclaredColumn``. Not for
/// applications.
public protocol _GeneratedRecord: TableRecord {
  /// The columns, in the order of the properties.
  static var _columns: [_DeclaredColumn] { get }
}

extension _GeneratedRecord {
  /// The names of the columns. Not for applications.
  ///
  /// - Throws: `DatabaseError` for two columns of one name, such as those of two embedded values:
  ///   one would overwrite the other.
  public static func _columnNames() throws -> [String] {
    let names = _columns.map(\.name)
    if let name = names.firstDuplicateIdentifier {
      throw DatabaseError.misuse(
        """
        two properties of \(Self.self) have the column \(name.debugDescription): give one of them \
        another name, or the embedded ones another prefix
        """)
    }
    return names
  }
}

/// A column of a record, as its property is declared. Not for applications.
public struct _DeclaredColumn: Sendable {
  /// The name of the column.
  public var name: String

  /// Whether the property may be nil.
  public var isOptional: Bool

  /// The type of a column for such values, if they are always stored in the same way.
  public var type: Database.ColumnType?

  /// Whether the column is the primary key.
  public var isPrimaryKey: Bool

  /// What the column stores for a value, if a coding stores its values. Nil is returned for a value
  /// of another type.
  public var encode: (@Sendable (any DatabaseValueConvertible) throws -> DatabaseValue?)?

  /// The value of a column at an index, if a coding stores its values.
  public var decode: (@Sendable (Row, Int) throws -> Any)?

  /// Creates a column.
  public init(
    _ name: String, isOptional: Bool, type: Database.ColumnType?, isPrimaryKey: Bool,
    encode: (@Sendable (any DatabaseValueConvertible) throws -> DatabaseValue?)? = nil,
    decode: (@Sendable (Row, Int) throws -> Any)? = nil
  ) {
    self.name = name
    self.isOptional = isOptional
    self.type = type
    self.isPrimaryKey = isPrimaryKey
    self.encode = encode
    self.decode = decode
  }
}
