// swift-format-ignore-file
import Quarry
import QuarryMigrations

// Written by MigrationDraft.swift(identifier:): see DraftedSwiftTests.

func registerLibrary(_ migrator: inout DatabaseMigrator) {
  migrator.registerMigration("Library \"1\"") { db in
    try db.create(table: "author") { t in
      t.autoIncrementedPrimaryKey("id")
      t.column("name", .text).notNull().collate(.nocase)
      t.column("country", .init(rawValue: "VARCHAR(2)")).defaults(to: "IE").check(sql: "length(country) = 2")
    }
    try db.create(table: "book's") { t in
      t.column("isbn", .text).primaryKey().notNull()
      t.column("title", .text).notNull().defaults(to: "it's \"new\" \\")
      t.column("year", .integer).defaults(to: -1)
      t.column("price", .init(rawValue: "DOUBLE PRECISION")).defaults(sql: "0.5").check(sql: "price >= 0 AND price <> 7")
      t.column("added", .datetime).notNull().defaults(sql: "CURRENT_TIMESTAMP")
      t.column("authorId", .integer).notNull().references("author", column: "id", onDelete: .cascade, onUpdate: .setNull)
      t.column(sql: "editorId INTEGER CONSTRAINT editor REFERENCES author DEFERRABLE INITIALLY DEFERRED")
      t.column("initial", .text).generatedAs(sql: "substr(title, 1, 1)", .stored)
      t.column("any")
    }
    try db.create(table: "link", options: [.withoutRowID, .strict]) { t in
      t.column("a", .integer)
      t.column("b", .integer)
      t.primaryKey(["a", "b"])
      t.uniqueKey(["b"])
      t.constraint(sql: "CHECK (a < b)")
    }
    try db.create(index: "book_title", on: "book's", columns: ["title", "year"], options: .unique)
    try db.execute(sql: "CREATE INDEX book_recent ON \"book's\" (year DESC) WHERE year > 2000")
    try db.execute(
      sql: """
        CREATE VIEW recent AS
          SELECT title, '\"\"\"" \\' AS quotes
          FROM "book's"
        """)
    try db.execute(
      sql: """
        CREATE TRIGGER link_insert AFTER INSERT ON link BEGIN
          UPDATE author SET name = 'a\\b' WHERE id = new.a;
        END
        """)
  }
}

func registerWriters(_ migrator: inout DatabaseMigrator) {
  migrator.registerMigration("Writers") { db in
    try db.drop(trigger: "link_insert")
    try db.drop(view: "recent")
    try db.rename(table: "author", to: "writer")
    try db.alter(table: "writer") { t in
      t.rename(column: "name", to: "fullName")
    }
    try db.drop(index: "book_title")
    try db.drop(index: "book_recent")
    try db.rebuild(table: "writer") { t in
      t.primaryKey("id", .integer)
      t.column("fullName", .text).notNull().collate(.nocase)
      t.column("born", .integer)
      t.column("died", .date)
    }
    try db.rebuild(
      table: "book's",
      copying: [
        Column("year").set(to: SQL(sql: "coalesce(year, 1900)")),
      ]
    ) { t in
      t.column("isbn", .text).primaryKey().notNull()
      t.column("title", .text).notNull()
      t.column("year", .integer).notNull()
      t.column("authorId", .integer).notNull().references("writer", column: "id", onDelete: .cascade)
    }
  }
}

func registerCodes(_ migrator: inout DatabaseMigrator) {
  migrator.registerMigration("Codes") { db in
    try db.rebuild(table: "author") { t in
      t.column("code", .text).notNull().primaryKey()
      t.column("id", .integer).notNull()
    }
    try db.rebuild(
      table: "book",
      copying: [
        Column("authorCode").set(to: SQL(sql: "(SELECT code FROM author WHERE author.id = authorId)")),
      ]
    ) { t in
      t.primaryKey("id", .integer)
      t.column("authorCode", .text).notNull().references("author", column: "code")
    }
  }
}

func registerNumbers(_ migrator: inout DatabaseMigrator) {
  migrator.registerMigration("Numbers") { db in
    try db.rebuild(
      table: "author",
      copying: [
        Column("id").set(to: SQL(sql: "id + 100")),
      ]
    ) { t in
      t.primaryKey("id", .integer)
      t.column("code", .text).notNull()
    }
    try db.rebuild(
      table: "book",
      copying: [
        Column("authorId").set(to: SQL(sql: "authorId + 100")),
      ]
    ) { t in
      t.primaryKey("id", .integer)
      t.column("authorId", .integer).notNull().references("author", column: "id")
    }
  }
}
