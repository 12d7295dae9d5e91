import Quarry

// SQLite finds the row of a key by its collation and affinity, and compares keys byte by byte in
// its session. Where 'bob' becomes 'Bob' in a key that is NOCASE, or 1 becomes 1.0 in one without
// affinity, the session has an update of the first key, with another key as its new value, and an
// insertion of the second one: no changeset, and it can't be applied. Where 'bob' was inserted as
// well, it has two insertions of 'Bob'.

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
      if Affinity(type) == Affinity.none || type.lowercasedASCII == "any" { return true }
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
  ///
  /// - parameter tables: The names of the tables whose keys may be equal to others.
  /// - returns: Whether one of their rows may have several changes.
  func checkKeys(in tables: Set<String>) throws -> Bool {
    var reader = ChangesetReader(bytes)
    var known: Set<Int> = []
    var isKeyRepeated = false
    do {
      while let change = try reader.next(), let table = reader.table {
        guard change.kind != .delete, tables.contains(table.name) else { continue }
        let key = Self.keyHash(table, change.old ?? change.new, bytes)
        if !known.insert(key).inserted { isKeyRepeated = true }
      }
    } catch {
      let name = reader.table?.name ?? "a table"
      throw ChangesetError(
        .unrecordable,
        "a change of \(name) can't be recorded: the key of a row was replaced by one that its "
          + "collation or affinity takes for equal, such as 'bob' by 'Bob'. Delete the row in one "
          + "recording, and insert it in another one", table: reader.table?.name)
    }
    return isKeyRepeated
  }

  /// Is equal for equal keys.
  private static func keyHash(
    _ table: ChangesetTable, _ values: [Range<Int>?]?, _ bytes: [UInt8]
  ) -> Int {
    var hasher = Hasher()
    for (column, position) in table.keyPositions.enumerated() where position != 0 {
      if let range = values?[column] { hasher.combine(bytes[range]) }
    }
    return hasher.finalize()
  }

  /// The changes of a session, with one change for each row: the row of a key that is inserted
  /// stands in the database once, and is an update if it stood there before.
  ///
  /// - parameter tables: The names of the tables whose keys may be equal to others.
  func withoutRepeatedInsertions(in tables: Set<String>) -> Changeset {
    var known: Set<RecordedKey> = []
    read { table, change in
      guard change.kind == .update, tables.contains(table.name) else { return }
      known.insert(RecordedKey(table, change.old, bytes))
    }
    return filteredRaw { table, change in
      guard change.kind == .insert, tables.contains(table.name) else { return true }
      return known.insert(RecordedKey(table, change.new, bytes)).inserted
    }
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
