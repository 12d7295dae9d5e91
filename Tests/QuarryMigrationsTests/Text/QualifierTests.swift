import Quarry
import Testing

@testable import QuarryMigrations

struct QualifierTests {
  @Test(arguments: [
    ("book", "(pages, CHECK (book.pages > 0))", "(pages, CHECK (pages > 0))"),
    (
      "book", #"(pages CHECK ("Book" . "pages" > 0 AND [book].pages < `BOOK`.pages))"#,
      #"(pages CHECK ("pages" > 0 AND pages < pages))"#
    ),
    ("book", "(a, CHECK (book /* . */ . -- b\n a > 0))", "(a, CHECK (a > 0))"),
    ("book", "(a, CHECK (main.book.a > 0))", "(a, CHECK (a > 0))"),
    ("main", "(a, CHECK (main.main.a > main.a))", "(a, CHECK (a > a))"),
    (#"bo"ok"#, #"(a, CHECK ("bo""ok".a > 0))"#, "(a, CHECK (a > 0))"),
    ("a.b", #"(c, CHECK ("a.b".c > 0))"#, "(c, CHECK (c > 0))"),
  ])
  func `the name of a table before its columns is removed`(
    table: String, body: String, expected: String
  ) {
    let create = "CREATE TABLE main.\(table.quotedDatabaseIdentifier) "
    #expect(SQLLexer.unqualified(create + body, by: table) == create + expected)
    #expect(SQLLexer.unqualified(body, by: table) == expected)
  }

  @Test(arguments: [
    "CREATE TABLE book (a DEFAULT 'book.a', b REFERENCES book (a), CHECK (b <> 'book'))",
    "CREATE TABLE book (book, CHECK (notebook.a > book)) -- book.a",
    "CREATE TABLE book.other (a)", "CREATE TABLE book", "(", "", "(book.", "('",
  ])
  func `all else stays`(sql: String) {
    #expect(SQLLexer.unqualified(sql, by: "book") == sql)
  }
}
