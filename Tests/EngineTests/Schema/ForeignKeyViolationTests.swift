import Foundation
import Quarry
import QuarryTestSupport
import Testing

@Suite("Foreign key violations")
struct ForeignKeyViolationTests {
  private func withViolations(_ body: (Database) throws -> Void) throws {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    try withBookshop(configuration: configuration) { db in
      try db.execute(
        sql: """
          INSERT INTO review (id, bookId) VALUES (11, 77);
          INSERT INTO stockMove (id, shop, isbn) VALUES (15, 'a', 'b');
          """)
      try body(db)
    }
  }

  @Test func `violations report the row and the tables`() throws {
    try withViolations { db in
      let violations = try Array(db.foreignKeyViolations())
        .sorted { $0.originTable < $1.originTable }
      #expect(violations.map(\.originTable) == ["review", "stockMove"])
      #expect(violations.map(\.originRowID) == [11, 15])
      #expect(violations.map(\.destinationTable) == ["book", "stock"])
      #expect(violations.map(\.foreignKeyId) == [0, 0])
      #expect(
        violations.map(\.description) == [
          "FOREIGN KEY constraint violation - from review to book, in rowid 11",
          "FOREIGN KEY constraint violation - from stockMove to stock, in rowid 15",
        ])
    }
  }

  @Test func `a failure reports the columns and the row`() throws {
    try withViolations { db in
      let descriptions = try Array(db.foreignKeyViolations()).map { try $0.failureDescription(db) }
      #expect(
        Set(descriptions) == [
          "FOREIGN KEY constraint violation - from review(bookId) to book(id), "
            + "in [id:11 bookId:77 score:NULL body:NULL]",
          "FOREIGN KEY constraint violation - from stockMove(shop, isbn) to stock(shop, isbn), "
            + #"in [id:15 shop:"a" isbn:"b" delta:NULL]"#,
        ])
    }
  }

  @Test func `a row without rowid has no number`() throws {
    try withViolations { db in
      try db.execute(
        sql: """
          CREATE TABLE tagging (tag TEXT PRIMARY KEY REFERENCES tagName(name)) WITHOUT ROWID;
          INSERT INTO tagging VALUES ('x');
          """)
      let violation = try #require(try db.foreignKeyViolations(in: "tagging").next())
      #expect(violation.originRowID == nil)
      #expect(
        violation.description == "FOREIGN KEY constraint violation - from tagging to tagName")
      #expect(
        try violation.failureDescription(db)
          == "FOREIGN KEY constraint violation - from tagging(tag) to tagName(name)")
    }
  }

  @Test func `a failure names the table that is missing`() throws {
    try withViolations { db in
      try db.execute(
        sql: """
          CREATE TABLE loan (id INTEGER PRIMARY KEY, readerId INTEGER REFERENCES reader);
          INSERT INTO loan VALUES (1, 7);
          """)
      let violation = try #require(try db.foreignKeyViolations(in: "loan").next())
      #expect(
        try violation.failureDescription(db)
          == "FOREIGN KEY constraint violation - from loan(readerId) to reader, "
          + "in [id:1 readerId:7]")
    }
  }

  @Test func `a check throws the first violation`() throws {
    try withViolations { db in
      let error = #expect(throws: DatabaseError.self) {
        try db.checkForeignKeys(in: "REVIEW")
      }
      #expect(error?.extendedResultCode == .SQLITE_CONSTRAINT_FOREIGNKEY)
      #expect(
        error?.description == """
          SQLite error 19: FOREIGN KEY constraint violation - \
          from review(bookId) to book(id), in rowid 11
          """)
      let text =
        "FOREIGN KEY constraint violation - from review(bookId) to book(id), "
        + "in [id:11 bookId:77 score:NULL body:NULL]"
      #expect(error?.message == text)
      #expect(error?.expandedDescription == "SQLite error 19: \(text)")
      let reason = (error as NSError?)?.localizedFailureReason
      #expect(reason?.hasSuffix("in rowid 11") == true)
      #expect(throws: DatabaseError.self) { try db.checkForeignKeys() }
      try db.checkForeignKeys(in: "book")
      try db.execute(sql: "DELETE FROM review; DELETE FROM stockMove")
      try db.checkForeignKeys()
    }
  }

  /// Each schema has tables of the same names.
  @Test func `the tables of all schemas are checked, and rows are read in theirs`() throws {
    try withViolations { db in
      try db.execute(sql: "DELETE FROM review; DELETE FROM stockMove; ATTACH ':memory:' AS archive")
      for schema in ["archive", "temp"] {
        try db.execute(
          sql: """
            CREATE TABLE \(schema).book (id INTEGER PRIMARY KEY);
            CREATE TABLE \(schema).review (rowid TEXT, bookId INTEGER REFERENCES book(id));
            INSERT INTO \(schema).review VALUES ('of \(schema)', 7);
            """)
      }
      let violations = try Array(db.foreignKeyViolations())
      #expect(violations.map(\.originSchema) == ["temp", "archive"])
      #expect(
        violations.map(\.description) == [
          "FOREIGN KEY constraint violation - from temp.review to book, in rowid 1",
          "FOREIGN KEY constraint violation - from archive.review to book, in rowid 1",
        ])
      let texts = ["temp", "archive"].map { schema in
        "FOREIGN KEY constraint violation - from \(schema).review(bookId) to book(id), "
          + "in [rowid:\"of \(schema)\" bookId:7]"
      }
      let descriptions = try violations.map { try $0.failureDescription(db) }
      #expect(descriptions == texts)
      let first = databaseError { try db.checkForeignKeys() }
      #expect(first?.message == texts[0])
      let archive = databaseError { try db.checkForeignKeys(in: "review", in: "archive") }
      #expect(archive?.message == texts[1])
      #expect(archive?.constraint?.columns == ["bookId"])
      try db.checkForeignKeys(in: "review", in: "main")
      try db.execute(sql: "DELETE FROM temp.review; DELETE FROM archive.review")
      try db.checkForeignKeys()
    }
  }

  @Test func `a check runs the pragma, for one table in its schema`() throws {
    try withBookshop { db in
      _ = try db.columns(in: "book")
      let statements = try db.statements {
        try db.checkForeignKeys()
        try db.checkForeignKeys(in: "Book")
      }
      #expect(
        statements == ["PRAGMA foreign_key_check", #"PRAGMA main.foreign_key_check("book")"#])
    }
  }
}
