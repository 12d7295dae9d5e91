import Quarry
import QuarryTestSupport
import Testing

@Suite("Schema cache")
struct SchemaCacheTests {
  @Test func `the schema is read once, with the statements of the documentation`() throws {
    try withBookshop { db in
      try db.execute(sql: "CREATE UNIQUE INDEX byTitle ON book(title)")
      let statements = try db.statements {
        for _ in 1...2 {
          _ = try db.primaryKey("book")
          _ = try db.columns(in: "BOOK")
          _ = try db.indexes(on: "Book")
          _ = try db.foreignKeys(on: "book")
          _ = try db.table("book", hasUniqueKey: ["title"])
        }
      }
      #expect(
        statements == [
          "PRAGMA database_list",
          "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY rowid",
          #"PRAGMA main.table_xinfo("book")"#,
          #"PRAGMA main.table_list("book")"#,
          #"PRAGMA main.index_list("book")"#,
          #"PRAGMA main.index_info("byTitle")"#,
          #"PRAGMA main.foreign_key_list("book")"#,
        ])
    }
  }

  @Test(
    arguments: [
      ("ALTER TABLE book ADD COLUMN pages", "pages"),
      ("ALTER TABLE book RENAME COLUMN title TO pages", "pages"),
      ("DROP TABLE note; CREATE TABLE other (a); ALTER TABLE book ADD COLUMN pages", "pages"),
    ])
  func `a change of the schema is seen`(sql: String, column: String) throws {
    try withBookshop { db in
      #expect(try !db.columns(in: "book").map(\.name).contains(column))
      try db.execute(sql: sql)
      #expect(try db.columns(in: "book").map(\.name).contains(column))
    }
  }

  @Test func `a change that is rolled back is forgotten`() throws {
    try withBookshop { db in
      try db.inTransaction {
        try db.execute(sql: "ALTER TABLE book ADD COLUMN pages; CREATE TABLE other (a)")
        #expect(try db.columns(in: "book").count == 7)
        #expect(try db.tableExists("other"))
        return .rollback
      }
      #expect(try db.columns(in: "book").count == 6)
      #expect(try !db.tableExists("other"))
    }
  }

  @Test func `a change that is rolled back to a savepoint is forgotten`() throws {
    try withBookshop { db in
      try db.inTransaction {
        try db.inSavepoint {
          try db.execute(sql: "ALTER TABLE book ADD COLUMN pages")
          #expect(try db.columns(in: "book").count == 7)
          return .rollback
        }
        #expect(try db.columns(in: "book").count == 6)
        return .commit
      }
    }
  }

  @Test func `the version of the schema counts its changes`() throws {
    try withBookshop { db in
      let version = try db.schemaVersion()
      try db.execute(sql: "CREATE TABLE other (a)")
      #expect(try db.schemaVersion() == version + 1)
    }
  }

  @Test func `a cleared cache is read again`() throws {
    try withBookshop { db in
      _ = try db.columns(in: "book")
      db.clearSchemaCache()
      let statements = try db.statements { _ = try db.columns(in: "book") }
      #expect(statements.contains(#"PRAGMA main.table_xinfo("book")"#))
    }
  }
}
