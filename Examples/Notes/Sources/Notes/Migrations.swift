import Quarry

extension DatabaseMigrator {
  /// Migrations are never changed once they have left the house: a new one is added.
  static var notes: DatabaseMigrator {
    var migrator = DatabaseMigrator()

    migrator.registerMigration("notes and their index") { db in
      try db.create(table: "note") { t in
        t.autoIncrementedPrimaryKey("id")
        t.column("title", .text).notNull().check { length($0) > 0 }
        t.column("body", .text).notNull()
        t.column("changed", .datetime).notNull().indexed()
      }
      try db.create(virtualTable: "noteIndex", using: FTS5()) { t in
        t.synchronize(withTable: "note")
        t.tokenizer = .unicode61()
        t.prefixes = [2, 3]
        t.column("title")
        t.column("body")
      }
    }

    migrator.registerMigration("tags") { db in
      try db.create(table: "noteTag") { t in
        t.primaryKey {
          t.belongsTo("note", onDelete: .cascade)
          t.column("name", .text).collate(.nocase)
        }
      }
    }

    return migrator
  }
}
