public import Quarry

/// Three migrations: authors, books, pages.
public func libraryMigrator() -> DatabaseMigrator {
  var migrator = DatabaseMigrator()
  migrator.registerMigration("authors") { db in
    try db.create(table: "author") { t in
      t.autoIncrementedPrimaryKey("id")
      t.column("name", .text).notNull()
    }
  }
  migrator.registerMigration("books") { db in
    try db.create(table: "book") { t in
      t.autoIncrementedPrimaryKey("id")
      t.column("title", .text).notNull()
      t.belongsTo("author")
    }
  }
  migrator.registerMigration("pages") { db in
    try db.alter(table: "book") { $0.add(column: "pages", .integer) }
  }
  return migrator
}
