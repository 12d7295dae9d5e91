/// A table without a record type: requests on it decode rows, or the type that the table is
/// declared with.
///
/// ```swift
/// let players = Table("player")              // Table<Row>
/// let scores = Table<Int>("score")
///
/// // SELECT * FROM "player" WHERE "score" > ?
/// let rows = try players.filter(Column("score") > 1000).fetchAll(db)
/// ```
///
/// The name of a table of an attached database begins with the name of its schema, here and in the
/// `databaseTableName` of records. A table whose own name contains the dot takes precedence.
///
/// ```swift
/// try db.execute(sql: "ATTACH DATABASE ? AS archive", arguments: [path])
/// // SELECT * FROM "archive"."player"
/// let rows = try Table("archive.player").fetchAll(db)
/// ```
public struct Table<RowDecoder>: _TableSource {
  /// The name of the table.
  public var tableName: String

  /// The rows that are not marked as deleted, for record types that have such rows.
  private let scope: ClauseList<FilterClause>

  /// Creates a table from its name.
  public init(_ tableName: String) {
    self.tableName = tableName
    // Generic code comes here with record types, too.
    let type = RowDecoder.self as? any TableRecord.Type
    scope = type.flatMap { type in type._deletionColumn.map { .scope($0, type) } } ?? ClauseList()
  }

  /// All rows.
  ///
  /// ```swift
  /// // SELECT * FROM "player"
  /// let rows = try Table("player").all().fetchAll(db)
  /// ```
  public func all() -> QueryInterfaceRequest<RowDecoder> {
    var relation = Relation(
      source: .table(tableName), selection: [.items([SQLSelection(.allColumns)])])
    relation.filters = scope
    return QueryInterfaceRequest(relation: relation)
  }
}

extension Table where RowDecoder == Row {
  /// Creates a table of rows from its name.
  public init(_ tableName: String) {
    self.tableName = tableName
    scope = ClauseList()
  }
}

extension Table where RowDecoder: TableRecord {
  /// The type of the components of the record type: its columns, usually.
  public typealias DatabaseComponents = RowDecoder.DatabaseComponents
}
