import Quarry

extension DatabaseMigrator {
  /// What it takes to bring a library of any age to the current schema.
  static var library: DatabaseMigrator {
    var migrator = DatabaseMigrator()

    migrator.registerMigration("countries and authors") { db in
      try db.create(table: "country") { t in
        t.primaryKey("code", .text)
        t.column("name", .text).notNull().unique()
      }
      try db.create(table: "author") { t in
        t.autoIncrementedPrimaryKey("id")
        t.column("name", .text).notNull().unique()
        t.belongsTo("country").notNull()
        t.column("born", .integer).notNull()
        t.column("died", .integer)
      }
    }

    migrator.registerMigration("languages and works") { db in
      try db.create(table: "language") { t in
        t.primaryKey("code", .text)
        t.column("name", .text).notNull().unique()
      }
      try db.create(table: "work") { t in
        t.autoIncrementedPrimaryKey("id")
        t.belongsTo("author", onDelete: .cascade).notNull()
        t.belongsTo("language").notNull()
        t.column("title", .text).notNull()
        t.column("year", .integer).notNull()
      }
      try db.create(
        index: "work_on_authorId_title", on: "work", columns: ["authorId", "title"],
        options: .unique)
    }

    return migrator
  }
}
