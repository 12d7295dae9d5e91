import Quarry

extension Database {
  /// The violations of foreign keys by the rows of tables: for each, the table, the rowid, the
  /// parent, and the number of the foreign key.
  func foreignKeyViolations(of tables: [String]) throws -> Set<[DatabaseValue]> {
    try Set(allForeignKeyViolations(of: tables))
  }

  /// The number of violations that are not among former ones. The rows of a table without rowid are
  /// not distinguished.
  func foreignKeyViolationCount(
    of tables: [String], besides former: Set<[DatabaseValue]>
  ) throws -> Int {
    try allForeignKeyViolations(of: tables).count { $0[1].isNull || !former.contains($0) }
  }

  private func allForeignKeyViolations(of tables: [String]) throws -> [[DatabaseValue]] {
    try tables.flatMap { table in
      try Row.fetchAll(
        self, sql: "SELECT * FROM pragma_foreign_key_check(?, 'main')", arguments: [table]
      ).map { Array($0.databaseValues) }
    }
  }

  func violatesForeignKeys(_ table: String) throws -> Bool {
    let sql = "SELECT 1 FROM pragma_foreign_key_check(?, 'main') LIMIT 1"
    return try Row.fetchOne(self, sql: sql, arguments: [table]) != nil
  }
}
