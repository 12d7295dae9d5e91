/// A column, by name.
///
/// ```swift
/// // SELECT "name" FROM "player" WHERE "score" > ?
/// Player.select(Column("name")).filter(Column("score") > 1000)
/// ```
public struct Column: ColumnExpression, Sendable {
  /// The name of the column.
  public var name: String

  /// Creates a column from its name.
  public init(_ name: String) { self.name = name }

  /// Creates a column with the name of a coding key.
  public init(_ codingKey: some CodingKey) { name = codingKey.stringValue }

  /// The hidden column that identifies the rows of most tables: `"rowid"`.
  ///
  /// See <https://www.sqlite.org/rowidtable.html>.
  public static let rowID = Column("rowid")

  /// The relevance of a row that full-text search found: `"rank"`.
  ///
  /// See <https://www.sqlite.org/fts5.html#sorting_by_auxiliary_function_results>.
  public static let rank = Column("rank")
}
