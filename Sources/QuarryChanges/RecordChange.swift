public import Quarry

/// A change of a row, as records.
///
/// ```swift
/// for change in try changeset.records(of: Book.self, db) {
///   switch change {
///   case .inserted(let book): print("new:", book.title)
///   case .updated(let old, let new): print(old.title, "is now", new.title)
///   case .deleted(let book): print("gone:", book.title)
///   }
/// }
/// ```
public enum RecordChange<Record> {
  /// The record is new.
  case inserted(Record)
  /// The record has other values.
  case updated(old: Record, new: Record)
  /// The record is gone.
  case deleted(Record)
}

extension RecordChange: Equatable where Record: Equatable {}
extension RecordChange: Sendable where Record: Sendable {}

extension Changeset {
  /// The changes of the table of a record type.
  ///
  /// An update has the columns that it changes: the other ones are those of the row in the
  /// database, which is the one where the changes are made already, or where they are to be.
  ///
  /// - parameter type: The type of the records.
  /// - parameter db: A connection to a database with the table.
  /// - throws: ``ChangesetError`` for a patchset, for a table that differs or is none of the main
  ///   database, and for an update of a row that does not exist; the error of the record type for a
  ///   row that is none.
  public func records<Record: FetchableRecord & TableRecord>(
    of type: Record.Type, _ db: Database
  ) throws -> [RecordChange<Record>] {
    let table = try db.mainTable(Record.databaseTableName)
    let name = table.lowercasedASCII
    let changes = filtered { $0.table.lowercasedASCII == name }
    guard !changes.isPatchset else {
      throw ChangesetError(
        .patchset, "a patchset has no old records: record a changeset",
        table: table)
    }
    for table in changes.readTables() { try table.check(db) }
    let columns = try db.plainColumns(of: table).map(\.name)
    return try changes.changes.map { change in
      func record(_ values: [DatabaseValue?]) throws -> Record {
        try Record(
          row: Row(
            columnNames: Array(columns.prefix(values.count)), values: values.map { $0 ?? .null }))
      }
      switch change.kind {
      case .insert: return .inserted(try record(change.newValues ?? []))
      case .delete: return .deleted(try record(change.oldValues ?? []))
      case .update:
        let current = try db.values(change, columns)
        func merged(_ values: [DatabaseValue?]?) throws -> Record {
          try record(
            current.indices.map { index in
              values.flatMap { $0.indices.contains(index) ? $0[index] : nil } ?? current[index]
            })
        }
        return .updated(
          old: try merged(change.oldValues), new: try merged(change.newValues))
      }
    }
  }
}

extension Database {
  /// The name of a table of the main database, without that of its schema.
  fileprivate func mainTable(_ name: String) throws -> String {
    if try tableExists(name, in: "main") { return name }
    let prefix = "main."
    if name.lowercasedASCII.hasPrefix(prefix) {
      let table = String(name.dropFirst(prefix.count))
      if try tableExists(table, in: "main") { return table }
    }
    throw ChangesetError(
      .schema,
      "no records of the table \(name) can be made: the main database has no such table, and "
        + "changesets are read with the tables of that one", table: name)
  }

  /// The values of the row that a change updates.
  fileprivate func values(_ change: Change, _ columns: [String]) throws -> [DatabaseValue] {
    let table = "main.\(change.table.quotedDatabaseIdentifier)"
    let names = columns.map(\.quotedDatabaseIdentifier)
    let key = change.keyColumns.map { "\(names[$0]) = ?" }.joined(separator: " AND ")
    let row = try Row.fetchOne(
      self, sql: "SELECT \(names.joined(separator: ", ")) FROM \(table) WHERE \(key)",
      arguments: StatementArguments(change.key))
    if let row { return Array(row.databaseValues) }
    throw ChangesetError(
      .conflict,
      "no records can be made of the \(change): the database has no such row, whose other columns "
        + "are those of the record. Call `records` where the changes are made", table: change.table)
  }
}
