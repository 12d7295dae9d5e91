import Quarry
import QuarryTestSupport
import Testing

/// A quote and a combining character are one character for Swift, and two for SQL.
@Suite("Quotes before combining characters", .needs(.fullText))
struct CombinedQuoteTests {
  private let name = "o'\u{301}x"

  private func sql(_ table: String, _ db: Database) throws -> String? {
    try String.fetchOne(
      db, sql: "SELECT sql FROM sqlite_master WHERE name = ?", arguments: [table])
  }

  @Test func `the separators of a tokenizer are quoted`() throws {
    try DatabaseQueue().write { db in
      try db.create(virtualTable: "page", using: FTS5()) { t in
        t.tokenizer = .unicode61(separators: ["'\u{301}"])
        t.column("title")
      }
      let sql = try sql("page", db)
      #expect(
        sql == """
          CREATE VIRTUAL TABLE "page" USING fts5(title, \
          tokenize='''unicode61'' ''separators'' ''''''\u{301}''')
          """)
    }
  }

  @Test func `the table of an index is quoted, and renamed with it`() throws {
    try DatabaseQueue().write { db in
      try db.create(table: name) { t in
        t.autoIncrementedPrimaryKey("id")
        t.column("title", .text)
      }
      try db.create(virtualTable: "page", using: FTS5()) { t in
        t.synchronize(withTable: name)
        t.column("title")
      }
      try #expect(
        sql("page", db) == """
          CREATE VIRTUAL TABLE "page" USING fts5(title, content='o''\u{301}x', content_rowid='id')
          """)
      try db.execute(sql: "INSERT INTO \(name.quotedDatabaseIdentifier) (title) VALUES ('sea')")
      try db.rename(table: name, to: "'\u{302}")
      try db.execute(sql: "INSERT INTO \"'\u{302}\" (title) VALUES ('river')")
      try #expect(
        String.fetchAll(db, sql: "SELECT title FROM page WHERE page MATCH 'sea OR river'")
          == ["sea", "river"])
    }
  }
}
