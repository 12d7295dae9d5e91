extension FetchRequest {
  /// Returns the SQL of the request, with the values of its arguments as literals, as the SQLite
  /// shell takes it.
  ///
  /// ```swift
  /// let request = Book.filter { $0.year > 2000 }.including(required: Book.author)
  /// // SELECT "book".*, "author".* FROM "book" JOIN "author" ON … WHERE "book"."year" > 2000
  /// try print(request.sql(db))
  /// ```
  ///
  /// The text with its parameters, and the arguments, are those of the statement of
  /// ``makePreparedRequest(_:forSingleResult:)``.
  ///
  /// - throws: ``InvalidRequest``, ``DatabaseError``.
  public func sql(_ db: Database) throws -> String {
    try makePreparedRequest(db, forSingleResult: false).statement.use { $0.expandedSQL }
  }
}

// Printed requests are SQL, not the tree they are made of.
extension FetchRequest where Self: CustomStringConvertible {
  /// The SQL, with its arguments. Where the schema decides, as for associations, the request in
  /// short.
  ///
  /// ```swift
  /// print(Book.filter { $0.year > 2000 })  // SELECT * FROM "book" WHERE "year" > ? [2000]
  /// ```
  ///
  /// See ``FetchRequest/sql(_:)`` for the SQL of any request.
  public var description: String { sqlSubquery.summary }
}

extension QueryInterfaceRequest: CustomStringConvertible {}
extension CompoundRequest: CustomStringConvertible {}
extension SQLRequest: CustomStringConvertible {}

extension SQLSubquery {
  /// The SQL that needs no schema, or the query in short.
  fileprivate var summary: String {
    let context = PlanningContext(schema: UnknownSchema())
    guard let text = try? text(in: context) else { return shortSummary }
    return text.arguments.isEmpty ? text.sql : "\(text.sql) \(text.arguments)"
  }

  private func text(in context: PlanningContext) throws -> SQLText {
    let plan = try ClausePlanner(context: context, plans: []).plan(self)
    return try SQLWriter.text(in: context) { try $0.write(root: plan) }
  }

  private var shortSummary: String {
    switch node {
    case .literal, .planned: "SQL"
    case .relation(let relation): "SELECT … FROM \(relation.source.name.quotedDatabaseIdentifier) …"
    case .compound: "SELECT … UNION, INTERSECT or EXCEPT SELECT …"
    }
  }
}

/// The schema of no database: requests that ask for it are not rendered.
private final class UnknownSchema: SchemaReader {
  func exists(_ table: String) throws -> Bool { true }

  func isView(_ table: String) throws -> Bool { false }

  func columns(of table: String) throws -> [ColumnInfo] { throw DatabaseError.noSuchTable(table) }

  func primaryKeyIfKnown(of table: String) throws -> PrimaryKeyInfo? {
    throw DatabaseError.noSuchTable(table)
  }

  func foreignKeys(from table: String) throws -> [ForeignKeyInfo] {
    throw DatabaseError.noSuchTable(table)
  }

  func indexes(on table: String) throws -> [IndexInfo] { throw DatabaseError.noSuchTable(table) }

  func hasRowID(_ table: String) throws -> Bool { throw DatabaseError.noSuchTable(table) }
}
