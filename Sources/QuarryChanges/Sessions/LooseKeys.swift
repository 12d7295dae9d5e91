import Quarry

// SQLite finds the row of a key by its collation and affinity, and compares keys byte by byte in
// its session. Where 'bob' becomes 'Bob' in a key that is NOCASE, or 1 becomes 1.0 in one without
// affinity, the session has an update of the first key, with another key as its new value, and an
// insertion of the second one: no changeset, and it can't be applied. Where 'bob' was inserted as
// well, it has two insertions of 'Bob'. Where 'Bob' stands there as before, since 'bob' has
// replaced it for a while, or in a statement that was undone, it has an insertion of 'Bob'.

extension Database {
  /// Whether the columns of a primary key have values that are equal for SQLite, but not their
  /// bytes.
  func hasLooseKey(_ table: String, in schema: String) throws -> Bool {
    let id = DatabaseObjectID(name: table, schemaID: .attached(schema))
    return try Row.fetchAll(
      self, sql: "SELECT name, type FROM pragma_table_xinfo(?, ?) WHERE pk > 0",
      arguments: [table, schema]
    ).contains { column in
      let type: String = column["type"]
      // ANY is the affinity BLOB in a strict table.
      if ColumnInfo.affinity(ofType: type) == .none || type.lowercasedASCII == "any" { return true }
      return try collation(ofColumn: column["name"], in: id)?.lowercasedASCII != "binary"
    }
  }

  /// The first column of a primary key that has another collation than in the index of the key.
  ///
  /// A session finds the row of a change by `column IS ?`, which compares by the collation of the
  /// column: several rows may equal a key that is unique by another one.
  func keyColumnWithOtherCollation(_ table: String, in schema: String) throws -> String? {
    let id = DatabaseObjectID(name: table, schemaID: .attached(schema))
    let key = try primaryKey(table, in: schema)
    return try key.columns.first { column in
      try key.keyCollations[column.identifierKey] != nil
        && collation(ofColumn: column, in: id)?.lowercasedASCII != "binary"
    }
  }
}

extension Changeset {
  /// Throws where the key of a row was replaced by one that SQLite takes for equal.
  func checkKeys() throws {
    var reader = ChangesetReader(bytes)
    do {
      while try reader.next() != nil {}
    } catch {
      let name = reader.table?.name ?? "a table"
      throw ChangesetError(
        .unrecordable,
        "a change of \(name) can't be recorded: the key of a row was replaced by one that its "
          + "collation or affinity takes for equal, such as 'bob' by 'Bob'. Delete the row in one "
          + "recording, and insert it in another one", table: reader.table?.name)
    }
  }

  /// The changes of a session, with one change for each row: the row of a key that is inserted
  /// stands in the database once, and is no insertion if it stood there before.
  ///
  /// - parameter tables: The names of the tables whose keys may be equal to others.
  /// - parameter formerRows: The deletions of all rows that were touched and stood there before.
  func withoutRepeatedInsertions(
    in tables: Set<String>, besides formerRows: () throws -> Changeset
  ) throws -> Changeset {
    var known: Set<RecordedKey>?
    return try filteredRaw { table, change in
      guard change.kind == .insert, tables.contains(table.name) else { return true }
      if known == nil { known = try formerRows().keys(in: tables) }
      return known?.insert(RecordedKey(table, change.new, bytes)).inserted == true
    }
  }

  private func keys(in tables: Set<String>) -> Set<RecordedKey> {
    var keys: Set<RecordedKey> = []
    read { table, change in
      if tables.contains(table.name) { keys.insert(RecordedKey(table, change.old, bytes)) }
    }
    return keys
  }
}

private struct RecordedKey: Hashable {
  let table: String
  let bytes: [UInt8]

  init(_ table: ChangesetTable, _ values: [Range<Int>?]?, _ bytes: [UInt8]) {
    self.table = table.name
    self.bytes = table.keyColumns.flatMap { values?[$0].map { bytes[$0] } ?? [] }
  }
}
