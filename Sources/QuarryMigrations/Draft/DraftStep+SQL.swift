import Quarry

extension DraftStep {
  /// The statements of the step.
  func sql(_ schema: SchemaModel) -> [String] {
    switch self {
    case .drop(let object):
      let kind = object.kind == "virtual table" ? "TABLE" : object.kind.asciiUppercased
      return ["DROP \(kind) \(object.name.quotedDatabaseIdentifier)"]
    case .dropTable(let name): return ["DROP TABLE \(name.quotedDatabaseIdentifier)"]
    case .renameTable(let name, let newName):
      return [
        "ALTER TABLE \(name.quotedDatabaseIdentifier) RENAME TO \(newName.quotedDatabaseIdentifier)"
      ]
    case .renameColumn(let name, let newName, let table):
      let names = (name.quotedDatabaseIdentifier, newName.quotedDatabaseIdentifier)
      return [
        "ALTER TABLE \(table.quotedDatabaseIdentifier) RENAME COLUMN \(names.0) TO \(names.1)"
      ]
    case .addColumn(let name, let table):
      let sql = schema.table(table)?.column(name)?.sql ?? ""
      return ["ALTER TABLE \(table.quotedDatabaseIdentifier) ADD COLUMN \(sql)"]
    case .dropColumn(let name, let table):
      let name = name.quotedDatabaseIdentifier
      return ["ALTER TABLE \(table.quotedDatabaseIdentifier) DROP COLUMN \(name)"]
    case .createTable(let name): return [schema.table(name)?.sql ?? ""]
    case .create(let object): return [object.sql]
    case .rebuild(let copy): return copy.sql
    case .command(_, let sql): return [sql]
    }
  }
}

extension TableCopy {
  /// The procedure of <https://www.sqlite.org/lang_altertable.html#otheralter>. Views and triggers
  /// that name the table are dropped and created around it.
  fileprivate var sql: [String] {
    let (old, new) = (old, new)
    let newName = "quarry_new_\(table)"
    let (name, temporaryName) = (
      table.quotedDatabaseIdentifier, newName.quotedDatabaseIdentifier
    )
    var sql = [
      "CREATE TABLE \(temporaryName) \(new.unqualified.body)",
      copySQL(to: temporaryName),
    ]
    if old.isAutoincremented, new.isAutoincremented {
      // The copy has added the row, also one without rows.
      let condition = "WHERE name = \(newName.quotedDatabaseText)"
      sql.append(
        "UPDATE sqlite_sequence SET seq = (SELECT max(seq) FROM sqlite_sequence \(condition) "
          + "OR name = \(old.name.quotedDatabaseText) COLLATE NOCASE) \(condition)")
    }
    sql.append("DROP TABLE \(name)")
    sql.append("ALTER TABLE \(temporaryName) RENAME TO \(name)")
    return sql + indexes.map(\.sql) + staleFullTextTables.map(\.fullTextRebuild)
  }

  /// `INSERT OR ABORT INTO "new" ("id", "title") SELECT "id", upper("title") FROM "book"`
  func copySQL(to temporaryName: String) -> String {
    let source = "FROM \(table.quotedDatabaseIdentifier)"
    let assignments = assignments
    guard !assignments.isEmpty else {
      // The draft has seen no rows. If there are some, this is an error: integer overflow.
      let reason = "no column of \(table) stays, and it has rows".quotedDatabaseIdentifier
      return "SELECT abs(-9223372036854775808) AS \(reason) \(source)"
    }
    let columns = assignments.map(\.column).joined(separator: ", ")
    let values = assignments.map(\.sql).joined(separator: ", ")
    // The ON CONFLICT clauses of constraints would drop rows.
    return "INSERT OR ABORT INTO \(temporaryName) (\(columns)) SELECT \(values) \(source)"
  }
}

extension String {
  /// The statement that makes the index of the full-text table with this name anew.
  var fullTextRebuild: String {
    "INSERT INTO \(quotedDatabaseIdentifier)(\(quotedDatabaseIdentifier)) VALUES ('rebuild')"
  }
}

extension TableText {
  /// The statement from its first parenthesis.
  fileprivate var body: String {
    let start = SQLLexer.tokens(ofSchema: sql).first { $0.depthChange == 1 }?.range.lowerBound ?? 0
    return String(decoding: sql.utf8.dropFirst(start), as: UTF8.self)
  }
}
