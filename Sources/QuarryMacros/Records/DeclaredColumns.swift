#if Macros
  public import Quarry

  extension _DeclaredColumn {
    /// The column of a property that stores itself.
    public init<Value: DatabaseValueConvertible>(
      _ name: String, _ type: Value.Type, isPrimaryKey: Bool = false
    ) {
      self.init(
        name, isOptional: isNullable(type), type: .init(valuesOf: type),
        isPrimaryKey: isPrimaryKey)
    }

    /// The column of a property that is stored by a coding.
    public init<Value, Coding: ColumnCoding>(
      _ name: String, _ type: Value.Type, as coding: Coding.Type, isPrimaryKey: Bool = false
    ) {
      self.init(
        name, isOptional: isNullable(type), type: coding.columnType, isPrimaryKey: isPrimaryKey,
        encode: { value in
          guard let value = value as? Coding.Value else { return nil }
          return try Coding.databaseValue(of: value)
        },
        decode: { row, index in
          if isNullable(type), row.hasNull(atIndex: index) { return Coding.Value?.none as Any }
          return try Coding.value(in: row, atIndex: index)
        })
    }
  }

  private func isNullable(_ type: Any.Type) -> Bool { type is any ExpressibleByNilLiteral.Type }

  /// The type that a strict table has for a column: see <https://www.sqlite.org/stricttables.html>.
  private func strictType(_ type: Database.ColumnType?) -> Database.ColumnType {
    switch type {
    case .integer?, .text?, .blob?, .real?: type ?? .any
    case .boolean?: .integer
    case .double?: .real
    default: .any
    }
  }

  extension TableRecord where Self: _GeneratedRecord {
    /// Creates the table of a record by macro, for prototypes and tests: an application that keeps
    /// its database has migrations.
    ///
    /// ```swift
    /// // CREATE TABLE "player" ("id" INTEGER PRIMARY KEY, "name" TEXT NOT NULL)
    /// try Player.createTable(db)
    /// ```
    ///
    /// Columns have the types of their properties, and are `NOT NULL` unless the property is
    /// optional. Foreign keys and indexes are missing. Strict tables have the types that are
    /// theirs, such as `REAL` for `DOUBLE`.
    ///
    /// - Throws: `DatabaseError`, such as for a table that exists.
    public static func createTable(_ db: Database, options: TableOptions = []) throws {
      try db.create(table: databaseTableName, options: options) { table in
        for column in _columns {
          let type = options.contains(.strict) ? strictType(column.type) : column.type
          let definition = table.column(column.name, type)
          if column.isPrimaryKey { definition.primaryKey() }
          // SQLite accepts NULL in primary keys, except in integer ones.
          if !column.isOptional { definition.notNull() }
        }
      }
    }
  }
#endif
