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
  /// database, which is the one where the changes are made already, or where they are to be. So are
  /// columns that the table has, and the changeset does not. Where there is no such row, they have
  /// their default, as an insertion would give it: a default such as `CURRENT_TIMESTAMP` is no
  /// constant, and its column is missing in the row of the record. So are generated columns, which
  /// no changeset has.
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
    var missing = MissingValues(db: db, table: table, columns: columns)
    return try changes.changes.map { change in
      let others = try missing.values(of: change)
      func record(_ values: [DatabaseValue?]?) throws -> Record {
        let known = values ?? []
        return try Record(
          row: Row(
            columns,
            columns.indices.map { ($0 < known.count ? known[$0] : nil) ?? others?[$0] }))
      }
      switch change.kind {
      case .insert: return .inserted(try record(change.newValues))
      case .delete: return .deleted(try record(change.oldValues))
      case .update:
        return .updated(old: try record(change.oldValues), new: try record(change.newValues))
      }
    }
  }
}

extension Row {
  /// A row of the columns whose values are known.
  fileprivate convenience init(_ columns: [String], _ values: [DatabaseValue?]) {
    let names = columns.indices.filter { values[$0] != nil }.map { columns[$0] }
    self.init(columnNames: names, values: values.compactMap(\.self))
  }
}

/// The values of the columns of a table that changes do not have.
private struct MissingValues {
  let db: Database
  let table: String
  let columns: [String]
  private var statement: Statement?
  private var knownDefaults: [DatabaseValue?]?

  init(db: Database, table: String, columns: [String]) {
    self.db = db
    self.table = table
    self.columns = columns
  }

  /// Nil for a change that has all values. A value is nil if it is not known.
  mutating func values(of change: Change) throws -> [DatabaseValue?]? {
    if change.kind != .update, change.columnCount == columns.count { return nil }
    let statement = try statement ?? db.rowStatement(for: change, columns: columns)
    self.statement = statement
    if let row = try statement.row(of: change) { return row }
    guard change.kind == .update else { return try defaults() }
    throw ChangesetError(
      .conflict,
      "no records can be made of the \(change): the database has no such row, whose other columns "
        + "are those of the record. Call `records` where the changes are made", table: change.table)
  }

  /// Those of columns, nil where one is no constant.
  private mutating func defaults() throws -> [DatabaseValue?] {
    if let knownDefaults { return knownDefaults }
    let isStrict = try db.isStrict(table, in: "main")
    let defaults = try Row.fetchAll(
      db, sql: "SELECT type, dflt_value FROM pragma_table_info(?, 'main')", arguments: [table]
    ).map { column -> DatabaseValue? in
      guard let sql: String = column["dflt_value"] else { return .null }
      return try AddedDefaults.value(of: sql, type: column["type"], isStrict: isStrict)
    }
    knownDefaults = defaults
    return defaults
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

  /// A statement that selects the row with the key of a change.
  func rowStatement(for change: Change, columns: [String]) throws -> Statement {
    let table = "main.\(change.table.quotedDatabaseIdentifier)"
    let names = columns.map(\.quotedDatabaseIdentifier)
    let key = change.keyColumns.map { "\(names[$0]) = ?" }.joined(separator: " AND ")
    return try cachedStatement(
      sql: "SELECT \(names.joined(separator: ", ")) FROM \(table) WHERE \(key)")
  }
}

extension Statement {
  /// The values of the row with the key of a change. Nil where there is none.
  func row(of change: Change) throws -> [DatabaseValue]? {
    try Row.fetchOne(self, arguments: StatementArguments(change.key)).map {
      Array($0.databaseValues)
    }
  }
}
