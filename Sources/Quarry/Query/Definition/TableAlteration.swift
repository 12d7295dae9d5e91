/// The changes to make to a table.
///
/// ```swift
/// try db.alter(table: "book") { t in
///   t.add(column: "pages", .integer)
///   t.rename(column: "year", to: "publicationYear")
/// }
/// ```
///
/// See <https://www.sqlite.org/lang_altertable.html>.
public final class TableAlteration {
  enum Change {
    case add(ColumnDefinition)
    case addRaw(SQL)
    case rename(String, to: String)
    case drop(String)
  }

  /// In the order of their declaration.
  private(set) var changes: [Change] = []

  /// Adds a column.
  ///
  /// ```swift
  /// // ALTER TABLE "book" ADD COLUMN "pages" INTEGER NOT NULL DEFAULT 0
  /// t.add(column: "pages", .integer).notNull().defaults(to: 0)
  /// ```
  @discardableResult
  public func add(column name: String, _ type: Database.ColumnType? = nil) -> ColumnDefinition {
    let column = ColumnDefinition(name: name, type: type)
    changes.append(.add(column))
    return column
  }

  /// Adds a column.
  ///
  /// ```swift
  /// t.addColumn(sql: "pages INTEGER NOT NULL DEFAULT 0")
  /// ```
  public func addColumn(sql: String) { changes.append(.addRaw(SQL(sql: sql))) }

  /// Adds a column.
  ///
  /// ```swift
  /// t.addColumn(literal: "pages INTEGER DEFAULT \(defaultPageCount)")
  /// ```
  public func addColumn(literal: SQL) { changes.append(.addRaw(literal)) }

  /// Renames a column.
  ///
  /// ```swift
  /// // ALTER TABLE "book" RENAME COLUMN "year" TO "publicationYear"
  /// t.rename(column: "year", to: "publicationYear")
  /// ```
  public func rename(column name: String, to newName: String) {
    changes.append(.rename(name, to: newName))
  }

  /// Drops a column.
  ///
  /// ```swift
  /// // ALTER TABLE "book" DROP COLUMN "pages"
  /// t.drop(column: "pages")
  /// ```
  public func drop(column name: String) { changes.append(.drop(name)) }
}
