/// A column of a table to create or to alter.
///
/// ```swift
/// try db.create(table: "book") { t in
///   // "title" TEXT NOT NULL
///   t.column("title", .text).notNull()
/// }
/// ```
///
/// See <https://www.sqlite.org/syntax/column-def.html>.
public final class ColumnDefinition {
  /// Where the values of a generated column are.
  public enum GeneratedColumnQualification: Hashable, Sendable {
    /// Computed when the column is read.
    case virtual

    /// Computed when the row is written.
    case stored
  }

  private(set) var model: ColumnModel

  init(name: String, type: Database.ColumnType?) { model = ColumnModel(name: name, type: type) }

  /// Makes the column the primary key.
  ///
  /// ```swift
  /// // "id" INTEGER PRIMARY KEY AUTOINCREMENT
  /// t.column("id", .integer).primaryKey(autoincrement: true)
  /// ```
  ///
  /// Prefer ``TableDefinition/autoIncrementedPrimaryKey(_:onConflict:)`` and
  /// ``TableDefinition/primaryKey(_:_:onConflict:)``, which forbid NULL in keys.
  @discardableResult
  public func primaryKey(
    onConflict conflictResolution: Database.ConflictResolution? = nil,
    autoincrement: Bool = false
  ) -> Self {
    model.primaryKey = ColumnModel.PrimaryKey(
      conflict: ConflictClause(resolution: conflictResolution), isAutoincremented: autoincrement)
    return self
  }

  /// Forbids NULL.
  ///
  /// ```swift
  /// // "title" TEXT NOT NULL
  /// t.column("title", .text).notNull()
  /// ```
  @discardableResult
  public func notNull(onConflict conflictResolution: Database.ConflictResolution? = nil) -> Self {
    model.notNull = ConflictClause(resolution: conflictResolution)
    return self
  }

  /// Forbids duplicates.
  ///
  /// ```swift
  /// // "email" TEXT UNIQUE
  /// t.column("email", .text).unique()
  /// ```
  @discardableResult
  public func unique(onConflict conflictResolution: Database.ConflictResolution? = nil) -> Self {
    model.index = .unique(ConflictClause(resolution: conflictResolution))
    return self
  }

  /// Creates an index on the column.
  ///
  /// ```swift
  /// // CREATE INDEX "book_on_year" ON "book"("year")
  /// t.column("year", .integer).indexed()
  /// ```
  @discardableResult
  public func indexed() -> Self {
    if case .none = model.index { model.index = .plain }
    return self
  }

  /// Adds a condition on the values.
  ///
  /// ```swift
  /// // "price" DOUBLE CHECK ("price" > 0)
  /// t.column("price", .double).check { $0 > 0 }
  /// ```
  @discardableResult
  public func check(_ condition: (Column) -> any SQLExpressible) -> Self {
    model.checks.append(SQL(condition(Column(model.name)).sqlExpression))
    return self
  }

  /// Adds a condition on the values.
  ///
  /// ```swift
  /// // "name" TEXT CHECK (LENGTH(name) > 0)
  /// t.column("name", .text).check(sql: "LENGTH(name) > 0")
  /// ```
  @discardableResult
  public func check(sql: String) -> Self {
    model.checks.append(SQL(sql: sql))
    return self
  }

  /// Sets the default value.
  ///
  /// ```swift
  /// // "copies" INTEGER DEFAULT 1
  /// t.column("copies", .integer).defaults(to: 1)
  /// ```
  @discardableResult
  public func defaults(to value: some DatabaseValueConvertible) -> Self {
    model.defaultValue = SQL(value.databaseValue)
    return self
  }

  /// Sets the default value.
  ///
  /// ```swift
  /// // "createdAt" DATETIME DEFAULT CURRENT_TIMESTAMP
  /// t.column("createdAt", .datetime).defaults(sql: "CURRENT_TIMESTAMP")
  /// ```
  @discardableResult
  public func defaults(sql: String) -> Self {
    model.defaultValue = SQL(sql: sql)
    return self
  }

  /// Sets the collation.
  ///
  /// ```swift
  /// // "email" TEXT COLLATE NOCASE
  /// t.column("email", .text).collate(.nocase)
  /// ```
  @discardableResult
  public func collate(_ collation: Database.CollationName) -> Self {
    model.collation = collation.rawValue
    return self
  }

  /// Sets the collation.
  ///
  /// ```swift
  /// // "name" TEXT COLLATE swiftLocalizedCaseInsensitiveCompare
  /// t.column("name", .text).collate(.localizedCaseInsensitiveCompare)
  /// ```
  @discardableResult
  public func collate(_ collation: DatabaseCollation) -> Self {
    model.collation = collation.name
    return self
  }

  /// Makes a generated column.
  ///
  /// ```swift
  /// // "total" DOUBLE GENERATED ALWAYS AS (price * copies) VIRTUAL
  /// t.column("total", .double).generatedAs(sql: "price * copies")
  /// ```
  ///
  /// See <https://www.sqlite.org/gencol.html>.
  @discardableResult
  public func generatedAs(
    sql: String,
    _ qualification: GeneratedColumnQualification = .virtual
  ) -> Self {
    model.generation = (SQL(sql: sql), qualification)
    return self
  }

  /// Makes a generated column.
  ///
  /// ```swift
  /// // "total" DOUBLE GENERATED ALWAYS AS ("price" * "copies") VIRTUAL
  /// t.column("total", .double).generatedAs(Column("price") * Column("copies"))
  /// ```
  ///
  /// See <https://www.sqlite.org/gencol.html>.
  @discardableResult
  public func generatedAs(
    _ expression: some SQLExpressible,
    _ qualification: GeneratedColumnQualification = .virtual
  ) -> Self {
    model.generation = (SQL(expression.sqlExpression), qualification)
    return self
  }

  /// Makes a foreign key of the column.
  ///
  /// ```swift
  /// // "authorId" INTEGER REFERENCES "author"("id") ON DELETE CASCADE
  /// t.column("authorId", .integer).references("author", onDelete: .cascade)
  /// ```
  ///
  /// See also ``TableDefinition/belongsTo(_:inTable:onDelete:onUpdate:deferred:indexed:)``.
  ///
  /// - parameter table: The table that is referenced, in the schema of this one.
  /// - parameter column: The column that is referenced. Nil for the primary key of the table.
  /// - parameter deleteAction: What happens when the referenced row is deleted.
  /// - parameter updateAction: What happens when the referenced key changes.
  /// - parameter isDeferred: True if the foreign key is checked at the end of transactions.
  @discardableResult
  public func references(
    _ table: String, column: String? = nil,
    onDelete deleteAction: Database.ForeignKeyAction? = nil,
    onUpdate updateAction: Database.ForeignKeyAction? = nil, deferred isDeferred: Bool = false
  ) -> Self {
    model.references.append(
      ReferenceModel(
        table: table, columns: column.map { [$0] }, onDelete: deleteAction, onUpdate: updateAction,
        isDeferred: isDeferred))
    return self
  }
}
