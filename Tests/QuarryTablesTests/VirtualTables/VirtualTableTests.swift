import Foundation
import Quarry
import QuarryTables
import QuarryTestSupport
import Testing

@Suite("Virtual tables")
struct VirtualTableTests {
  private struct Book: Codable, Equatable, FetchableRecord, TableRecord {
    static let databaseTableName = "book"
    var isbn: String
    var title: String
    var year: Int?
  }

  @Test func `all rows of a table`() throws {
    try withTable(makeBooks()) { db throws in
      let rows = try Row.fetchAll(db, sql: "SELECT rowid, * FROM book")
      #expect(
        rows == [
          ["rowid": 1, "isbn": "111", "title": "Emma", "year": 1815],
          ["rowid": 2, "isbn": "222", "title": "Dracula", "year": 1897],
          ["rowid": 3, "isbn": "333", "title": "Ulysses", "year": 1922],
          ["rowid": 4, "isbn": "444", "title": "Anonymous", "year": nil],
        ])
    }
  }

  @Test func `SQLite filters and sorts when the table does not`() throws {
    let books = makeBooks()
    try withTable(books) { db throws in
      let titles = try String.fetchAll(
        db, sql: "SELECT title FROM book WHERE year > 1850 ORDER BY year DESC LIMIT 1")
      #expect(titles == ["Ulysses"])
      #expect(books.log.elements == [""])
    }
  }

  @Test func `the query interface reads the table`() throws {
    try withTable(makeBooks()) { db throws in
      let request = Table("book").filter(Column("year") < 1900).order(Column("title"))
      #expect(try request.select(Column("isbn"), as: String.self).fetchAll(db) == ["222", "111"])
      #expect(try Table("book").fetchCount(db) == 4)
      #expect(try db.columns(in: "book").map(\.name) == ["isbn", "title", "year"])
      #expect(try db.columns(in: "book").map(\.type) == ["TEXT", "TEXT", "INTEGER"])
    }
  }

  @Test func `records are fetched from the table`() throws {
    try withTable(makeBooks()) { db throws in
      #expect(try Book.fetchOne(db, key: 2) == Book(isbn: "222", title: "Dracula", year: 1897))
      #expect(try Book.filter(Column("year") == nil).fetchAll(db).map(\.title) == ["Anonymous"])
    }
  }

  @Test func `the key of a record is the primary key of the table`() throws {
    var books = makeBooks()
    books.columns[0] = VirtualTableColumn("isbn", .text).primaryKey()
    try withTable(books) { db throws in
      #expect(try Book.fetchOne(db, key: "333")?.title == "Ulysses")
      #expect(try db.primaryKey("book").columns == ["isbn"])
      let error = databaseError { try Row.fetchAll(db, sql: "SELECT rowid FROM book") }
      #expect(error?.message == "no such column: rowid")
    }
  }

  @Test func `the table is joined with an ordinary one`() throws {
    try withTable(makeBooks()) { db throws in
      try db.execute(
        sql: """
          CREATE TABLE loan (isbn TEXT, member TEXT);
          INSERT INTO loan VALUES ('333', 'Ann'), ('111', 'Bob'), ('333', 'Cat'), ('999', 'Dan')
          """)
      let rows = try Row.fetchAll(
        db,
        sql: """
          SELECT member, title FROM loan LEFT JOIN book USING (isbn) ORDER BY member
          """)
      #expect(
        rows == [
          ["member": "Ann", "title": "Ulysses"], ["member": "Bob", "title": "Emma"],
          ["member": "Cat", "title": "Ulysses"], ["member": "Dan", "title": nil],
        ])
    }
  }

  @Test func `names with quotes and blanks`() throws {
    let books = LoggedTable(
      columns: [
        VirtualTableColumn("the \"title\""),
        VirtualTableColumn("a b", .init(rawValue: "VARCHAR(10)")),
        VirtualTableColumn("select"), VirtualTableColumn("naïve; --"),
      ], rows: [[1.databaseValue, 2.databaseValue, 3.databaseValue, 4.databaseValue]])
    try withTable(books, named: "my \"books\"") { db throws in
      let row = try Table("my \"books\"").fetchOne(db)
      #expect(row == ["the \"title\"": 1, "a b": 2, "select": 3, "naïve; --": 4])
      #expect(
        try Table("my \"books\"").filter(Column("the \"title\"") == 1).fetchCount(db) == 1)
    }
  }

  @Test func `all kinds of values`() throws {
    let values: [DatabaseValue] = [
      .null, Int64.min.databaseValue, 1.5.databaseValue, "".databaseValue, "a\0é".databaseValue,
      Data().databaseValue,
      Data([0, 255]).databaseValue,
    ]
    let table = LoggedTable(columns: [VirtualTableColumn("value")], rows: values.map { [$0] })
    try withTable(table) { db throws in
      #expect(try DatabaseValue.fetchAll(db, sql: "SELECT value FROM book") == values)
    }
  }

  @Test func `hidden columns are read by name only`() throws {
    var books = makeBooks()
    books.columns[2] = VirtualTableColumn("year", .integer).hidden()
    try withTable(books) { db throws in
      #expect(
        try Row.fetchOne(db, sql: "SELECT * FROM book") == ["isbn": "111", "title": "Emma"])
      #expect(try Int.fetchOne(db, sql: "SELECT year FROM book") == 1815)
    }
  }

  @Test func `the collation of a column`() throws {
    var books = makeBooks()
    books.columns[1] = VirtualTableColumn("title", .text).collate(.nocase)
    books.planning = LoggedTable.useAll
    try withTable(books) { db throws in
      let sql = "SELECT isbn FROM book WHERE title = 'EMMA'"
      #expect(try String.fetchAll(db, sql: sql) == ["111"])
      #expect(books.log.elements == [""])
      #expect(try String.fetchAll(db, sql: sql + " COLLATE BINARY") == [])
      #expect(books.log.elements == ["", "1 equal \"EMMA\""])
    }
  }

  @Test func `one table serves several statements at a time, and several connections`() throws {
    let books = makeBooks()
    for _ in 0..<2 {
      try withTable(books) { db throws in
        let first = try String.fetchCursor(db, sql: "SELECT title FROM book")
        let second = try String.fetchCursor(db, sql: "SELECT isbn FROM book")
        #expect(try first.next() == "Emma")
        #expect(try second.next() == "111")
        #expect(try first.next() == "Dracula")
        #expect(try second.next() == "222")
        #expect(
          try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM book AS a JOIN book AS b") == 16)
      }
    }
  }

  @Test func `a table of the database file hides the one of the same name`() throws {
    try withTable(makeBooks()) { db throws in
      try db.execute(sql: "CREATE TABLE book (id); INSERT INTO book VALUES (7)")
      #expect(try Row.fetchAll(db, sql: "SELECT * FROM book") == [["id": 7]])
      try db.execute(sql: "DROP TABLE book")
      #expect(try Table("book").fetchCount(db) == 4)
    }
  }

  @Test func `a table that is not writable can't be written to`() throws {
    try withTable(makeBooks()) { db throws in
      let error = databaseError { try db.execute(sql: "DELETE FROM book") }
      #expect(error?.message == "table book may not be modified")
      let drop = databaseError { try db.execute(sql: "DROP TABLE book") }
      #expect(drop?.message == "table book may not be dropped")
    }
  }

  @Test func `triggers and views use what they may`() throws {
    struct Private: VirtualTable {
      let columns = [VirtualTableColumn("secret")]
      var trust: SchemaTrust { .directOnly }
      func makeCursor(_ db: Database, for scan: VirtualTableScan) -> LoggedTable.Cursor {
        LoggedTable.Cursor(rows: [(1, [42.databaseValue])])
      }
    }
    try withTable(Private(), named: "private") { db throws in
      try db.register(table: "book", makeBooks())
      try db.execute(
        sql: """
          CREATE VIEW good AS SELECT title FROM book;
          CREATE VIEW bad AS SELECT secret FROM private
          """)
      #expect(try Int.fetchOne(db, sql: "SELECT secret FROM private") == 42)
      #expect(try String.fetchOne(db, sql: "SELECT title FROM good") == "Emma")
      let error = databaseError { try Row.fetchAll(db, sql: "SELECT * FROM bad") }
      #expect(error?.message == "unsafe use of virtual table \"private\"")
    }
  }
}
