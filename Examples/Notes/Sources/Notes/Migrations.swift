import Quarry

extension DatabaseMigrator {
  /// Brings a notebook of any age to the current schema. A migration that has been released is
  /// never changed: the next change of the schema is the next migration.
  static var notebook: DatabaseMigrator {
    var migrator = DatabaseMigrator()

    migrator.registerMigration("notes") { db in
      try db.create(table: "note") { t in
        t.autoIncrementedPrimaryKey("id")
        t.column("title", .text).notNull().check { length($0) > 0 }
        t.column("text", .text).notNull()
        t.column("changed", .datetime).notNull().indexed()
      }
    }

    migrator.registerMigration("tags") { db in
      try db.create(table: "tag") { t in
        t.primaryKey {
          t.belongsTo("note", onDelete: .cascade)
          t.column("name", .text).collate(.nocase).check { length($0) > 0 }
        }
      }
    }

    migrator.registerMigration("search") { db in
      try db.create(virtualTable: "noteIndex", using: FTS5()) { t in
        t.synchronize(withTable: "note")  // by triggers; notes that are there are indexed now
        t.tokenizer = .unicode61()  // ignores case and accents
        t.prefixes = [2, 3]  // finds beginnings of words fast
        t.column("title")
        t.column("text")
      }
    }

    return migrator
  }
}
