import Quarry

/// The defaults of columns, for rows that are older than the column.
///
/// `ALTER TABLE ADD COLUMN` changes no row: SQLite reads the default where a row ends too early.
/// The preupdate hook of earlier versions, and so their sessions, have NULL as the old value
/// instead: the undoing of a change would write it.
///
/// See <https://www.sqlite.org/lang_altertable.html#alter_table_add_column>.
struct AddedDefaults {
  private struct Column {
    let index: Int
    let name: String
    let value: DatabaseValue
    let isNotNull: Bool
  }

  private var columns: [String: [Column]] = [:]

  var isEmpty: Bool { columns.isEmpty }

  /// Whether this SQLite has NULL in place of the defaults.
  static let areLost: Bool = {
    let change = Session.recordedChange(
      of: "DELETE FROM book",
      after: """
        CREATE TABLE book (id INTEGER PRIMARY KEY);
        INSERT INTO book VALUES (1);
        ALTER TABLE book ADD COLUMN copies DEFAULT 5
        """)
    return change?.oldValues?.last != 5.databaseValue
  }()

  /// Adds the columns of a table that may have been added.
  mutating func add(_ table: String, in schema: String, _ db: Database) throws {
    let rows = try Row.fetchAll(
      db,
      sql: """
        SELECT cid, name, type, "notnull", dflt_value FROM pragma_table_xinfo(?, ?)
        WHERE dflt_value IS NOT NULL AND pk = 0
        """, arguments: [table, schema])
    let isStrict = try db.isStrict(table, in: schema)
    let found = try rows.compactMap { row -> Column? in
      let value = try Self.value(of: row["dflt_value"], type: row["type"], isStrict: isStrict)
      guard let value, !value.isNull else { return nil }
      return Column(
        index: row["cid"], name: row["name"], value: value, isNotNull: row["notnull"] != 0)
    }
    columns[table.lowercasedASCII] = found.isEmpty ? nil : found.sorted { $0.index > $1.index }
  }

  /// The value of a default, as the column stores it. Nil for one that no column of a table with
  /// rows can be added with, such as `CURRENT_TIMESTAMP`.
  static func value(of sql: String, type: String, isStrict: Bool) throws -> DatabaseValue? {
    // ANY is the affinity BLOB in a strict table, and NUMERIC in others.
    let isAny = isStrict && type.lowercasedASCII == "any"
    return try knownConstant(sql, type: isAny ? "BLOB" : type)
  }

  private static let constants = Locked<[[String]: DatabaseValue?]>([:])

  private static func knownConstant(_ sql: String, type: String) throws -> DatabaseValue? {
    if let known = constants.withLock({ $0[[type, sql]] }) { return known }
    let value = try constant(sql, type: type)
    constants.withLock { $0[[type, sql]] = .some(value) }
    return value
  }

  /// Asks SQLite, with a table of its own.
  private static func constant(_ sql: String, type: String) throws -> DatabaseValue? {
    try DatabaseQueue().inDatabase { db in
      let type = type.isEmpty ? "" : type.quotedDatabaseIdentifier
      // `DEFAULT name` is a text, `DEFAULT (name)` would be a column.
      for value in ["(\(sql))", sql] {
        do {
          try db.execute(
            sql: """
              DROP TABLE IF EXISTS t;
              CREATE TABLE t (a);
              INSERT INTO t VALUES (1);
              ALTER TABLE t ADD COLUMN c \(type) DEFAULT \(value)
              """)
          return try DatabaseValue.fetchOne(db, sql: "SELECT c FROM t")
        } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
          continue
        }
      }
      return nil
    }
  }
}

// Changesets.
extension AddedDefaults {
  /// The changeset with the defaults as old values.
  ///
  /// - throws: ``ChangesetError`` for a column that may be NULL: the value is unknown.
  func restored(in changeset: Changeset) throws -> Changeset {
    if isEmpty { return changeset }
    var reader = ChangesetReader(changeset.bytes)
    var bytes: [UInt8] = []
    var header: Range<Int>?
    while let change = try reader.next() {
      guard let table = reader.table,
        let restored = try restored(change, of: table, changeset.bytes)
      else { continue }
      if header != table.header { bytes += changeset.bytes[table.header] }
      header = table.header
      bytes += restored
    }
    return Changeset(checked: bytes, isPatchset: false)
  }

  /// The bytes of a change. Nil for an update that changes nothing.
  private func restored(
    _ change: ChangesetReader.RawChange, of table: ChangesetTable, _ bytes: [UInt8]
  ) throws -> [UInt8]? {
    let values = { (ranges: [Range<Int>?]?) in
      ranges.map { $0.map { $0.map { Array(bytes[$0]) } ?? [0] } }
    }
    guard let columns = columns[table.name.lowercasedASCII], let ranges = change.old,
      var old = values(ranges)
    else { return Array(bytes[change.range]) }
    var new = values(change.new)
    for column in columns where old[column.index] == [5] {
      if change.hadStored(column.index, bytes) { break }
      // A row ends before a column that can't be NULL, and is.
      let isMissing = columns.contains {
        $0.isNotNull && $0.index < column.index
          && ranges[$0.index].map { bytes[$0.lowerBound] == 5 } == true
      }
      guard column.isNotNull || isMissing else { throw unknown(column, table) }
      let value = ChangesetWriter.record([column.value])
      let isUnchanged = new?[column.index] == value
      old[column.index] = isUnchanged ? [0] : value
      if isUnchanged { new?[column.index] = [0] }
    }
    if let new, new.allSatisfy({ $0 == [0] }) { return nil }
    return Array(bytes[change.range].prefix(2)) + (old + (new ?? [])).flatMap(\.self)
  }

  /// Throws where an update may be missing: that of a lost default to NULL is none for SQLite.
  ///
  /// Its row is in the changes if other columns were updated, too. Else it is one of more changes
  /// than SQLite has recorded: nothing says which rows they concern.
  ///
  /// - parameter tables: Those that were changed.
  /// - parameter changeset: The changes as SQLite has them.
  /// - parameter changesCount: The number of changes of rows: see ``Session/changesCount(of:)``.
  func checkNulls(
    of tables: [String], in changeset: Changeset, changesCount: Int, schema: String, _ db: Database
  ) throws {
    let nullable: [(table: String, column: Column)] = tables.flatMap { table in
      let found = (columns[table.lowercasedASCII] ?? []).filter { !$0.isNotNull }
      return found.map { (table: table, column: $0) }
    }
    if nullable.isEmpty { return }
    let mayLackRows = changesCount > changeset.leastChangesCount
    for (table, column) in nullable {
      let isMissing =
        try mayLackRows
        ? hasOtherNulls(in: column, of: table, changeset, schema, db)
        : updatesNull(in: column, of: table, changeset, schema, db)
      if isMissing { throw missing(column, table) }
    }
  }

  /// Whether more rows are NULL in a column than the changes have made.
  private func hasOtherNulls(
    in column: Column, of table: String, _ changeset: Changeset, _ schema: String, _ db: Database
  ) throws -> Bool {
    let known = changeset.nullCount(ofColumn: column.index, in: table)
    let sql = """
      SELECT count(*) FROM (
        SELECT 1 FROM \(schema.quotedDatabaseIdentifier).\(table.quotedDatabaseIdentifier)
        WHERE \(column.name.quotedDatabaseIdentifier) IS NULL LIMIT ?)
      """
    let count = try Int.fetchOne(db, sql: sql, arguments: [known + 1]) ?? 0
    return count > known
  }

  /// Whether the changes update other columns of a row that is NULL in a column.
  private func updatesNull(
    in column: Column, of table: String, _ changeset: Changeset, _ schema: String, _ db: Database
  ) throws -> Bool {
    let keys = changeset.keysOfUpdates(leaving: column.index, in: table)
    if keys.isEmpty { return false }
    let keyColumns = try String.fetchAll(
      db, sql: "SELECT name FROM pragma_table_info(?, ?) WHERE pk > 0 ORDER BY cid",
      arguments: [table, schema])
    let condition = keyColumns.map { "\($0.quotedDatabaseIdentifier) = ? AND " }.joined()
    let statement = try db.cachedStatement(
      sql: """
        SELECT 1 FROM \(schema.quotedDatabaseIdentifier).\(table.quotedDatabaseIdentifier)
        WHERE \(condition)\(column.name.quotedDatabaseIdentifier) IS NULL
        """)
    return try keys.contains { key in
      try Row.fetchOne(statement, arguments: StatementArguments(key)) != nil
    }
  }

  private func missing(_ column: Column, _ table: String) -> ChangesetError {
    ChangesetError(
      .unrecordable,
      """
      changes of \(table) can't be recorded while rows are NULL in the column \(column.name), \
      which has a default: SQLite \(SQLiteVersion.linked) does not record updates to NULL of rows \
      that are older than the column. Declare the column as NOT NULL or without default, or use a \
      later version of SQLite
      """, table: table, column: column.name)
  }

  private func unknown(_ column: Column, _ table: ChangesetTable) -> ChangesetError {
    ChangesetError(
      .unrecordable,
      """
      a change of \(table.name) can't be recorded: SQLite \(SQLiteVersion.linked) has NULL as the old value of the column \(column.name), \
      which may be its default, in a row that is older than the column. Declare the column as NOT NULL or without default, or use a later \
      version of SQLite
      """, table: table.name, column: column.name)
  }
}

extension Changeset {
  /// The least number of changes of rows that have these results.
  ///
  /// A deletion may be one that does not count: that of a row which `REPLACE`, or the update of a
  /// key, has removed for another row, which is an insertion or an update in the same table then.
  fileprivate var leastChangesCount: Int {
    var counts: [String: (written: Int, deleted: Int)] = [:]
    read { table, change in
      var count = counts[table.name] ?? (written: 0, deleted: 0)
      if change.kind == .delete { count.deleted += 1 } else { count.written += 1 }
      counts[table.name] = count
    }
    return counts.values.reduce(0) { $0 + ($1.written == 0 ? $1.deleted : $1.written) }
  }

  /// The number of rows to which the changes give NULL in a column.
  fileprivate func nullCount(ofColumn index: Int, in name: String) -> Int {
    var count = 0
    read { table, change in
      guard table.name.lowercasedASCII == name.lowercasedASCII, let value = change.new?[index],
        bytes[value.lowerBound] == 5
      else { return }
      count += 1
    }
    return count
  }

  /// The keys of the updates of a table that do not set a column which the rows may end before.
  fileprivate func keysOfUpdates(leaving index: Int, in name: String) -> [[DatabaseValue]] {
    var keys: [[DatabaseValue]] = []
    read { table, change in
      guard change.kind == .update, table.name.lowercasedASCII == name.lowercasedASCII,
        change.new?[index] == nil, !change.hadStored(index, bytes)
      else { return }
      keys.append(Change(table, change, bytes).key)
    }
    return keys
  }
}

extension ChangesetReader.RawChange {
  /// Whether the old row is known to have had a column stored: it had all columns before one that
  /// it had.
  fileprivate func hadStored(_ index: Int, _ bytes: [UInt8]) -> Bool {
    guard let old else { return false }
    return old.indices.dropFirst(index + 1).contains { index in
      old[index].map { bytes[$0.lowerBound] != 5 } ?? false
    }
  }
}
