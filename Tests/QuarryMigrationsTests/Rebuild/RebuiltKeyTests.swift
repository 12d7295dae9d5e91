import Quarry
import QuarryMigrations
import QuarryTestSupport
import Testing

struct RebuiltKeyTests {
  /// Other tables reference the rows by their keys.
  @Test func `an integer key keeps its values under another name`() throws {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    try DatabaseQueue(configuration: configuration).inDatabase { db throws in
      try db.execute(
        sql: """
          CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT);
          INSERT INTO book VALUES (2, 'A'), (3, 'B');
          CREATE TABLE loan (id INTEGER PRIMARY KEY, bookRef REFERENCES book);
          INSERT INTO loan VALUES (1, 2);
          """)
      try db.rebuild(table: "book") { t in
        t.primaryKey("bookId", .integer)
        t.column("title", .text)
      }
      try #expect(
        Row.fetchAll(db, sql: "SELECT * FROM book") == [
          ["bookId": 2, "title": "A"], ["bookId": 3, "title": "B"],
        ])
      // A table whose key is a text keeps its rowids too, and gives them back.
      try db.execute(sql: "DELETE FROM loan")
      try db.rebuild(table: "book", copying: [Column("code").set(to: Column("title"))]) { t in
        t.primaryKey("code", .text)
      }
      try #expect(Int.fetchAll(db, sql: "SELECT rowid FROM book ORDER BY code") == [2, 3])
      try db.rebuild(table: "book") { t in
        t.primaryKey("oid", .integer)
        t.column("rowid", .text)
        t.column("code", .text)
      }
      try #expect(Int.fetchAll(db, sql: "SELECT oid FROM book ORDER BY code") == [2, 3])
    }
  }

  @Test func `rows stay, also if all columns are new`() throws {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    try DatabaseQueue(configuration: configuration).inDatabase { db throws in
      try db.execute(sql: "CREATE TABLE note (a); INSERT INTO note (rowid) VALUES (2), (5)")
      try db.rebuild(table: "note") { $0.column("b", .text).defaults(to: "x") }
      try #expect(
        Row.fetchAll(db, sql: "SELECT rowid AS id, b FROM note") == [
          ["id": 2, "b": "x"], ["id": 5, "b": "x"],
        ])
    }
  }

  private func rebuiltBooks(
    _ columns: String, _ rows: String, copying values: [ColumnAssignment] = [],
    _ define: @escaping (TableDefinition) -> Void
  ) throws -> [Row] {
    try DatabaseQueue().inDatabase { db throws in
      try db.execute(sql: "CREATE TABLE book (\(columns)); INSERT INTO book VALUES \(rows)")
      try db.rebuild(table: "book", copying: values, body: define)
      return try Row.fetchAll(db, sql: "SELECT * FROM book")
    }
  }

  /// It makes one row of all rows.
  @Test func `an aggregate is no value`() throws {
    func rows(_ value: String, _ rows: String) throws -> [Row] {
      try rebuiltBooks(
        "id INTEGER PRIMARY KEY, price", rows, copying: [Column("price").set(to: SQL(sql: value))]
      ) { t in
        t.primaryKey("id", .integer)
        t.column("price", .integer).notNull()
      }
    }
    let three = "(1, 10), (2, NULL), (3, 30)"
    for rowValues in [three, "(1, 10)"] {
      let error = #expect(throws: InvalidRequest.self) {
        try rows("coalesce(price, max(price))", rowValues)
      }
      #expect(
        error?.description == """
          the value of column price is an aggregate, which makes one row of all: \
          coalesce(price, max(price)): write a subquery - in request rebuild of table "book"
          """)
    }
    // Subqueries and window functions have a value for each row.
    let average = "coalesce(price, (SELECT avg(price) FROM book))"
    let number = "row_number() OVER (ORDER BY id DESC)"
    try #expect(
      rows(average, three)
        == [["id": 1, "price": 10], ["id": 2, "price": 20], ["id": 3, "price": 30]])
    try #expect(
      rows(number, three)
        == [["id": 1, "price": 3], ["id": 2, "price": 2], ["id": 3, "price": 1]])
  }

  /// SQLite would give it another key.
  @Test(arguments: [
    "(id INTEGER PRIMARY KEY, number INTEGER)", "(id PRIMARY KEY, number) WITHOUT ROWID",
  ])
  func `a row with NULL in the new key is an error`(table: String) throws {
    try DatabaseQueue().inDatabase { db throws in
      try db.execute(
        sql: "CREATE TABLE book \(table); INSERT INTO book VALUES (1, 10), (2, NULL)")
      let error = #expect(throws: InvalidRequest.self) {
        try db.rebuild(table: "book") { t in
          t.column("id", .integer)
          t.primaryKey("number", .integer)
        }
      }
      #expect(
        error?.description == """
          column number becomes the key, and has 1 NULLs: give it values \
          - in request rebuild of table "book"
          """)
    }
  }

  @Test func `a value that is NULL for a row is no key`() throws {
    try DatabaseQueue().inDatabase { db throws in
      try db.execute(
        sql: """
          CREATE TABLE book (id INTEGER PRIMARY KEY, number INTEGER);
          INSERT INTO book VALUES (2, 20), (3, NULL), (4, NULL)
          """)
      let error = #expect(throws: InvalidRequest.self) {
        try db.rebuild(table: "book", copying: [Column("id").set(to: Column("number"))]) { t in
          t.primaryKey("id", .integer)
          t.column("number", .integer)
        }
      }
      #expect(
        error?.description == """
          column id becomes the key, and has 2 NULLs: give it values \
          - in request rebuild of table "book"
          """)
      try #expect(Int.fetchAll(db, sql: "SELECT id FROM book") == [2, 3, 4])
    }
  }

  @Test func `a column without NULL becomes the key, and so do values`() throws {
    let rows = try rebuiltBooks(
      "id INTEGER PRIMARY KEY, number INTEGER", "(1, 10), (2, NULL)",
      copying: [Column("number").set(to: Column("number") ?? 77)]
    ) { t in
      t.column("id", .integer)
      t.primaryKey("number", .integer)
    }
    #expect(rows == [["id": 1, "number": 10], ["id": 2, "number": 77]])
    let plain = try rebuiltBooks("number INT", "(20), (10)") { $0.primaryKey("number", .integer) }
    #expect(plain == [["number": 10], ["number": 20]])
  }

  /// No name is left for the rowid.
  @Test func `columns with all names of the rowid keep their values`() throws {
    let names = ["rowid", "oid", "_ROWID_"]
    let rows = try rebuiltBooks(names.joined(separator: ", "), "('a', 'b', 'c')") { t in
      for name in names { t.column(name, .text).notNull() }
    }
    #expect(rows == [["rowid": "a", "oid": "b", "_ROWID_": "c"]])
    let columns = (["id INTEGER PRIMARY KEY"] + names).joined(separator: ", ")
    let keyed = try rebuiltBooks(columns, "(7, 'a', 'b', 'c')") { t in
      for name in names { t.column(name, .text).notNull() }
      t.column("id", .text)
    }
    #expect(keyed == [["rowid": "a", "oid": "b", "_ROWID_": "c", "id": "7"]])
  }

  /// The name of the key is no number, and may have a space.
  @Test(arguments: ["5", "key no", "select"])
  func `a key is the only name of the rowid`(key: String) throws {
    let columns = "\(key.quotedDatabaseIdentifier) INTEGER PRIMARY KEY, rowid, _rowid_, oid"
    try DatabaseQueue().inDatabase { db in
      try db.execute(
        sql: """
          CREATE TABLE book (\(columns));
          INSERT INTO book VALUES (2, 'a', 'b', 'c'), (7, 'd', 'e', 'f')
          """)
      try db.rebuild(table: "book") { t in
        t.column(key, .integer)
        t.column("oid")
      }
      try #expect(
        Row.fetchAll(db, sql: "SELECT rowid AS number, * FROM book") == [
          ["number": 2, key: 2, "oid": "c"], ["number": 7, key: 7, "oid": "f"],
        ])
    }
  }
}
