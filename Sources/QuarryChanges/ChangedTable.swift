import Quarry

/// A table, and what a changeset does with it.
struct ChangedTable {
  let table: ChangesetTable
  private(set) var changeCount = 0
  private(set) var isInsertedInto = false
  private(set) var isDeletedFrom = false
  /// How many rows more, or fewer, the table has afterwards.
  private(set) var addedCount = 0
  private(set) var updatedColumns: Set<Int> = []

  init(_ table: ChangesetTable) { self.table = table }

  mutating func add(_ change: ChangesetReader.RawChange) {
    changeCount += 1
    switch change.kind {
    case .insert:
      isInsertedInto = true
      addedCount += 1
    case .delete:
      isDeletedFrom = true
      addedCount -= 1
    case .update:
      for (index, value) in (change.new ?? []).enumerated() where value != nil {
        updatedColumns.insert(index)
      }
    }
  }

  /// The events of triggers that may happen, as those of the announcements.
  var events: Set<String> {
    // A conflict may be resolved by a deletion and an insertion.
    Set(
      ["delete"] + (isInsertedInto ? ["insert"] : []) + (updatedColumns.isEmpty ? [] : ["update"]))
  }

  /// Statements that change what the changeset changes, to be compiled only.
  func announcements(_ db: Database) throws -> [Statement] {
    let name = "main.\(table.name.quotedDatabaseIdentifier)"
    var statements: [String] = []
    if isInsertedInto { statements.append("INSERT INTO \(name) DEFAULT VALUES") }
    // A conflict may be resolved by a deletion and an insertion.
    statements.append("DELETE FROM \(name) WHERE ?")
    if !updatedColumns.isEmpty {
      let columns = try db.plainColumns(of: table.name).map(\.name)
      let assignments = updatedColumns.sorted().filter(columns.indices.contains).map { index in
        let column = columns[index].quotedDatabaseIdentifier
        return "\(column) = \(column)"
      }
      statements.append("UPDATE \(name) SET \(assignments.joined(separator: ", ")) WHERE ?")
    }
    return try statements.map { try db.makeStatement(sql: $0) }
  }
}

extension Database {
  /// The columns that sessions know: all but the generated and hidden ones, with their positions in
  /// the primary key, or 0.
  func plainColumns(of table: String) throws -> [(name: String, key: Int)] {
    try Row.fetchAll(
      self, sql: "SELECT name, pk FROM pragma_table_info(?, 'main')", arguments: [table]
    ).map { ($0["name"], $0["pk"]) }
  }
}

extension ChangesetTable {
  /// Throws where the main database has no such table.
  ///
  /// - parameter recorded: The columns of the table when the changes were recorded, nil where they
  ///   are not known: a changeset does not have them.
  func check(_ db: Database, recorded: [String]? = nil) throws {
    func fail(_ reason: String, column: String? = nil) -> ChangesetError {
      ChangesetError(
        .schema,
        "the changeset can't be applied to table \(name): \(reason). Migrate both databases to the "
          + "same schema, or leave the table out with `filtered`",
        table: name, column: column)
    }
    guard try db.tableExists(name, in: "main") else {
      throw fail("the main database has no such table")
    }
    if try db.virtualTables(in: "main").contains(name.lowercasedASCII) {
      throw fail("it is a virtual table")
    }
    let columns = try db.plainColumns(of: name)
    if let misfit = ColumnMisfit(recorded, columnCount, in: columns.map(\.name)) {
      throw fail(misfit.reason, column: misfit.column)
    }
    for (index, column) in columns.enumerated() {
      let key = index < columnCount ? Int(keyPositions[index]) : 0
      guard key != column.key else { continue }
      let own = column.key == 0 ? "no column" : "column \(column.key)"
      let other = key == 0 ? "no column" : "column \(key)"
      throw fail(
        "its column \(column.name) is \(own) of the primary key, and \(other) of that of the "
          + "changeset", column: column.name)
    }
  }
}
