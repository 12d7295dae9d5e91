public import Quarry

/// A record and its associated records, which are saved together.
///
/// Records don't contain the records that they are associated with: applications have values that
/// do. A graph describes such a value, once, by key paths:
///
/// ```swift
/// struct AuthorInfo: Decodable, FetchableRecord {
///   static let graph = SavedGraph(\AuthorInfo.author)
///     .having(many: \.books, Author.books, key: \.authorId, missing: .delete)
///   var author: Author
///   var books: [Book]
/// }
///
/// // SELECT * FROM "author" WHERE "id" = 1; SELECT * FROM "book" WHERE "authorId" IN (1)
/// var info = try Author.filter(key: 1).including(all: Author.books)
///   .asRequest(of: AuthorInfo.self).fetchAll(db)[0]
/// info.author.name = "Jane Austen"
/// info.books.removeFirst()
/// info.books.append(Book(id: nil, authorId: nil, title: "Emma"))
///
/// // UPDATE "author" SET "name"=? WHERE "id"=?
/// // DELETE FROM "book" WHERE "id" = ?
/// // INSERT INTO "book" ("id", "authorId", "title") VALUES (?,?,?)
/// try info.save(db, AuthorInfo.graph)
/// ```
///
/// The records that a record belongs to are saved first, then the record, then those that it has.
/// Keys are handed down, into the properties of the key paths. Records without key are inserted, in
/// batches; those with a key are updated if a column differs from their row, and inserted if there
/// is no row. Rows that the value does not contain any more are treated as the graph says.
///
/// All changes are made in one savepoint. When an error is thrown, the database and the value are
/// as before; objects keep what was written to their properties.
public struct SavedGraph<Value, Record: MutablePersistableRecord>: Sendable {
  let record: any WritableKeyPath<Value, Record> & Sendable
  var edges: [any GraphEdge<Value, Record>] = []

  /// Creates a graph of one record.
  ///
  /// - parameter record: The record of the value: `\.self`, if the value is the record.
  public init(_ record: any WritableKeyPath<Value, Record> & Sendable) { self.record = record }

  func adding(_ edge: some GraphEdge<Value, Record>) -> Self {
    var graph = self
    graph.edges.append(edge)
    return graph
  }
}

extension SavedGraph where Value == Record {
  // Not a literal `\.self` where it is used: in a function with a parameter pack, Swift 6.3 makes
  // it a key path of another type.
  static var ofRecord: Self { Self(\Record.self) }
}

extension SavedGraph {
  /// Saves a value with its associated records.
  ///
  /// ```swift
  /// try AuthorInfo.graph.save(db, &info)
  /// ```
  ///
  /// - parameter db: A connection.
  /// - parameter value: The value, which gets the keys and the versions of its rows.
  /// - Throws: ``GraphSaveError``, with the place in the value; `InvalidRequest` for a foreign key
  ///   that the schema does not have; `DatabaseError` for a failure of the connection.
  public func save(_ db: Database, _ value: inout Value) throws {
    var values = [value]
    try save(db, &values, at: [Record.databaseTableName])
    value = values[0]
  }

  /// Saves values with their associated records: all of them, or none.
  ///
  /// ```swift
  /// try AuthorInfo.graph.save(db, &infos)
  /// ```
  ///
  /// The number of statements does not grow with that of the values, except for updates.
  ///
  /// See `save(_:_:)`.
  public func save(_ db: Database, _ values: inout [Value]) throws {
    let name = Record.databaseTableName
    try save(db, &values, at: values.indices.map { "\(name)[\($0)]" })
  }

  private func save(_ db: Database, _ values: inout [Value], at paths: [String]) throws {
    if values.isEmpty { return }
    var saved = values
    try db.inSavepoint {
      let session = GraphSession(db)
      try save(&saved, at: paths, session)
      try session.checkSavedRows()
      return .commit
    }
    values = saved
  }
}

extension FetchableRecord {
  /// Saves the value with its associated records.
  ///
  /// ```swift
  /// try info.save(db, AuthorInfo.graph)
  /// ```
  ///
  /// - parameter db: A connection.
  /// - parameter graph: The description of the value.
  /// - Throws: See `SavedGraph.save(_:_:)`.
  public mutating func save(
    _ db: Database, _ graph: SavedGraph<Self, some MutablePersistableRecord>
  ) throws { try graph.save(db, &self) }
}

extension SavedGraph {
  /// Saves values: those that they belong to first, those that they have last.
  ///
  /// - parameter owner: the records that have them, if any.
  func save(
    _ values: inout [Value], at paths: [String], _ session: GraphSession, owner: GraphOwner? = nil
  ) throws {
    let parents = edges.filter(\.comesFirst)
    for edge in parents { try edge.save(&values, record, at: paths, session) }
    if parents.count > 1 {
      for edge in parents { try edge.checkKeys(of: values, record, at: paths, session) }
    }
    var level = try GraphLevel(values.map { $0[keyPath: record] }, at: paths, session, owner)
    try level.save()
    for index in values.indices { values[index][keyPath: record] = level.records[index] }
    for edge in edges where !edge.comesFirst { try edge.save(&values, record, at: paths, session) }
  }

  /// Treats what rows have that are about to be removed.
  func removeChildren(of rows: [StoredRow], at path: String, _ session: GraphSession) throws {
    for edge in edges { try edge.removeChildren(of: rows, at: path, session) }
  }

  /// Whether two values are saved with the same columns.
  func isSame(_ lhs: Value, _ rhs: Value) -> Bool {
    lhs[keyPath: record].databaseEquals(rhs[keyPath: record])
      && edges.allSatisfy { $0.isSame(lhs, rhs) }
  }
}
