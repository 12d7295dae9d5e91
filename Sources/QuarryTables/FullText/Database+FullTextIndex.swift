public import Quarry

/// The state of a full-text index. See ``Quarry/Database/checkFullTextIndex(_:)``.
public struct FullTextIndexCheck: Hashable, Sendable, CustomStringConvertible {
  /// The name of the full-text table.
  public let table: String

  /// The number of rows that the index lacks. Nil for an index that does not list its rows.
  public let missingRowCount: Int?

  /// The number of indexed rows that do not exist. Nil for an index that does not list its rows.
  public let orphanRowCount: Int?

  /// The message of SQLite, if the index does not fit the texts.
  public let message: String?

  /// Whether nothing is wrong.
  public var isSound: Bool {
    message == nil && missingRowCount ?? 0 == 0 && orphanRowCount ?? 0 == 0
  }

  /// The faults, or `sound`.
  public var description: String {
    var faults: [String] = []
    if let count = missingRowCount, count > 0 { faults.append("rows not indexed: \(count)") }
    if let count = orphanRowCount, count > 0 {
      faults.append("indexed rows that do not exist: \(count)")
    }
    if let message { faults.append(message) }
    return "\(table): \(faults.isEmpty ? "sound" : faults.joined(separator: ", "))"
  }
}

// See <https://www.sqlite.org/fts5.html#special_insert_commands> and
// <https://www.sqlite.org/fts3.html#commands>.
extension Database {
  /// Compares a full-text index with the texts that it is made of, which takes about as long as to
  /// index them.
  ///
  /// ```swift
  /// let check = try db.checkFullTextIndex("bookIndex")
  /// if !check.isSound { print(check) }
  /// // bookIndex: indexed rows that do not exist: 1, database disk image is malformed
  /// ```
  ///
  /// Before SQLite 3.44, `PRAGMA integrity_check` does not look into full-text indexes.
  ///
  /// - parameter tableName: The full-text table.
  /// - returns: The state of the index.
  /// - throws: An error if the table can't be checked: if it is no full-text table, if it can only
  ///   be read, if its content table lacks a column.
  public func checkFullTextIndex(_ tableName: String) throws -> FullTextIndexCheck {
    let table = try fullTextTable(tableName)
    try checkContent(of: table)
    let (missing, orphans) = try countUnmatchedRows(table)
    var message: String?
    do {
      if table.engine == .fts5 {
        try table.execute("integrity-check", 1, in: self)
      } else {
        try table.execute("integrity-check", in: self)
      }
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
      message = error.message
    }
    return FullTextIndexCheck(
      table: tableName, missingRowCount: missing, orphanRowCount: orphans, message: message)
  }

  /// Rebuilds a full-text index, from the texts that the table, or its content table, has.
  ///
  /// ```swift
  /// let check = try db.rebuildFullTextIndex("bookIndex")
  /// if !check.isSound { print("repaired: \(check)") }
  /// ```
  ///
  /// - parameter tableName: The full-text table.
  /// - returns: The state of the index before.
  /// - throws: An error if the index can't be made: the table stores no text, its content table
  ///   lacks a column.
  @discardableResult
  public func rebuildFullTextIndex(_ tableName: String) throws -> FullTextIndexCheck {
    let table = try fullTextTable(tableName)
    let check = try checkFullTextIndex(tableName)
    try table.execute("rebuild", in: self)
    return check
  }

  /// Merges all parts of a full-text index: searches become faster.
  ///
  /// - throws: A ``/Quarry/DatabaseError``.
  public func optimizeFullTextIndex(_ tableName: String) throws {
    try fullTextTable(tableName).execute("optimize", in: self)
  }

  /// Merges some parts of a full-text index, for some time.
  ///
  /// - parameter tableName: The full-text table.
  /// - parameter pages: About how many pages are written.
  /// - throws: A ``/Quarry/DatabaseError``.
  public func mergeFullTextIndex(_ tableName: String, pages: Int = 16) throws {
    let table = try fullTextTable(tableName)
    switch table.engine {
    case .fts3, .fts4: try table.execute("merge=\(pages),2", in: self)
    case .fts5: try table.execute("merge", pages, in: self)
    }
  }

  /// Drops a full-text table, and the triggers that keep it in step with its content table.
  ///
  /// - throws: An error if there is no such table, or if it is no full-text table.
  public func dropFullTextTable(_ tableName: String) throws {
    let table = try fullTextTable(tableName)
    try inSavepoint {
      try execute(sql: "DROP TABLE \(table.name.sql)")
      try dropTriggers(of: table)
      return .commit
    }
  }

  /// Returns the names of the full-text tables whose content table is a table.
  ///
  /// - throws: A ``/Quarry/DatabaseError`` if there is no such table.
  public func fullTextTables(on tableName: String) throws -> [String] {
    try schema.refresh()
    return try fullTextTables(over: schema.resolve(tableName).id).map(\.name.name)
  }

  /// - Throws: `InvalidRequest` for a table that is no full-text table, `DatabaseError` for a
  ///   missing one.
  private func fullTextTable(_ name: String) throws -> FullTextTable {
    try schema.refresh()
    let table = try schema.resolve(name)
    guard let fullText = FullTextTable(table.id, sql: table.sql) else {
      throw InvalidRequest("table \(name) is no full-text table")
    }
    return fullText
  }

  /// The error of SQLite would be `SQL logic error`.
  private func checkContent(of table: FullTextTable) throws {
    guard let missing = try missingContentColumn(of: table) else { return }
    throw InvalidRequest(
      "full-text table \(table.name.name): table \(table.content ?? "") has no column \(missing)")
  }

  /// The rows that the index lacks, and those that it has alone.
  private func countUnmatchedRows(_ table: FullTextTable) throws -> (Int?, Int?) {
    let sizes = table.shadow("docsize")
    guard let content = table.content, !content.isEmpty,
      try tableExists(sizes.name, in: (sizes.schema ?? .main).name)
    else { return (nil, nil) }
    let key = table.module.option("content_rowid") ?? "rowid"
    // A temporary table may have its name.
    var source = table.name.sibling(content)
    source.schema = source.schema ?? .main
    let rows = "SELECT \(key.quotedDatabaseIdentifier) FROM \(source.sql)"
    let sizeKey = table.engine == .fts5 ? "id" : "docid"
    let indexed = "SELECT \(sizeKey) FROM \(sizes.sql)"
    return try (
      Int.fetchOne(self, sql: "SELECT COUNT(*) FROM (\(rows) EXCEPT \(indexed))"),
      Int.fetchOne(self, sql: "SELECT COUNT(*) FROM (\(indexed) EXCEPT \(rows))")
    )
  }
}

extension FullTextTable {
  /// `INSERT INTO "ft"("ft", "rank") VALUES('merge', 8)`
  fileprivate func execute(_ command: String, _ value: Int, in db: Database) throws {
    try db.execute(
      sql:
        "INSERT INTO \(name.sql)(\(column), \"rank\") VALUES(\(command.quotedDatabaseText), \(value))"
    )
  }
}
