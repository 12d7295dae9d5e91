#if Macros
  public import Quarry

  /// A type whose properties are columns of the records that contain it: see ``Embeddable()``,
  /// which writes the members.
  public protocol EmbeddableRecord: SendableMetatype {
    /// The number of columns.
    static var _columnCount: Int { get }

    /// The columns.
    static func _columns(prefix: String) -> [_DeclaredColumn]

    /// Creates a value from a row.
    ///
    /// - Throws: an error when the row can't be decoded.
    init(_ row: Row, from start: Int, prefix: @autoclosure () -> String, isInOrder: Bool) throws

    /// Sets the columns.
    ///
    /// - Throws: an error when the value can't be encoded.
    func _encode(to container: inout PersistenceContainer, prefix: String) throws
  }

  extension Optional: EmbeddableRecord where Wrapped: EmbeddableRecord {
    /// That of the wrapped type.
    public static var _columnCount: Int { Wrapped._columnCount }

    /// Those of the wrapped type, which may all be `NULL`.
    public static func _columns(prefix: String) -> [_DeclaredColumn] {
      Wrapped._columns(prefix: prefix).map { column in
        var column = column
        column.isOptional = true
        return column
      }
    }

    /// Creates nil from columns that are all `NULL`, or missing.
    public init(
      _ row: Row, from start: Int, prefix: @autoclosure () -> String, isInOrder: Bool
    ) throws {
      let isNull =
        isInOrder
        ? (start..<start + Self._columnCount).allSatisfy { row.hasNull(atIndex: $0) }
        : Self._columns(prefix: prefix()).allSatisfy { column in
          row.index(ofColumn: column.name).map { row.hasNull(atIndex: $0) } ?? true
        }
      if isNull {
        self = nil
      } else {
        self = try Wrapped(row, from: start, prefix: prefix(), isInOrder: isInOrder)
      }
    }

    /// Sets the columns, to `NULL` for nil.
    public func _encode(to container: inout PersistenceContainer, prefix: String) throws {
      if let self { return try self._encode(to: &container, prefix: prefix) }
      for column in Self._columns(prefix: prefix) { container[column.name] = DatabaseValue.null }
    }
  }
#endif
