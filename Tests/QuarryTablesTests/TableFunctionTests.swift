import Quarry
import QuarryRecords
import QuarryTables
import QuarryTestSupport
import Testing

@Suite("Table-valued functions")
struct TableFunctionTests {
  private func withWords<T>(_ body: (Database) throws -> T) throws -> T {
    try DatabaseQueue().inDatabase { db throws -> T in
      try db.register(table: "words", parameters: ["text", "separator"]) { arguments in
        let separator = String.fromDatabaseValue(arguments[1])?.first ?? " "
        return (String.fromDatabaseValue(arguments[0]) ?? "").split(separator: separator)
      } columns: { t in
        t.column("word") { String($0) }
        t.column("length", \.count)
      }
      return try body(db)
    }
  }

  @Test func `a function returns rows for its arguments`() throws {
    try withWords { db throws in
      let rows = try Row.fetchAll(db, sql: "SELECT rowid, * FROM words('of mice', ' ')")
      #expect(
        rows == [
          ["rowid": 1, "word": "of", "length": 2], ["rowid": 2, "word": "mice", "length": 4],
        ])
      let filtered = try String.fetchAll(
        db, sql: "SELECT word FROM words WHERE separator = ? AND text = ? AND length > 1",
        arguments: ["-", "a-bc-def"])
      #expect(filtered == ["bc", "def"])
    }
  }

  @Test func `requests call it`() throws {
    try withWords { db throws in
      try db.execute(
        sql: """
          CREATE TABLE tale (id INTEGER PRIMARY KEY, title TEXT);
          INSERT INTO tale VALUES (1, 'The Sea'), (2, 'Night'), (3, NULL);
          """)
      struct Tale: Codable, FetchableRecord, TableRecord {
        var id: Int64
        var title: String?
      }
      let tales = Table<Tale>("tale")
      for (separator, counts) in [(" ", [0, 1, 2]), ("e", [0, 1, 3]), (" ", [0, 1, 2])] {
        let words = TableFunction("words", Column("title"), separator)
        let request = tales.all()
          .annotated(withOptional: tales.association(to: words).select(Column("word")))
        let rows = try Row.fetchAll(db, request.asRequest(of: Row.self))
        let found = [3, 2, 1].map { id in
          rows.filter { $0["id"] == id && $0["word"] as String? != nil }.count
        }
        #expect(found == counts)
      }
      let short = TableFunction("words", "a bc def", " ").filter(Column("length") < 3)
      #expect(try short.select(Column("word"), as: String.self).fetchAll(db) == ["a", "bc"])
      #expect(
        try short.makePreparedRequest(db).statement.databaseRegion.description
          .hasPrefix("words("))
      let missing = databaseError { try TableFunction("words").all().fetchAll(db) }
      #expect(missing?.message?.hasPrefix("words: ") == true)
    }
  }

  @Test func `a series as a request`() throws {
    try DatabaseQueue().inDatabase { db throws in
      try db.register(table: "generate_series", GenerateSeries())
      let values = TableFunction("generate_series", 1, 10, 3).select(Column("value"))
      #expect(try values.asRequest(of: Int.self).fetchAll(db) == [1, 4, 7, 10])
      try db.execute(sql: "CREATE TABLE page (number INTEGER)")
      #expect(try values.insertAll(db, into: "page", columns: ["number"]) == 4)
      #expect(
        try values.asTable().filter(Column("value") > 4).asRequest(of: Int.self).fetchAll(db)
          == [7, 10])
    }
  }

  @Test func `a parameter has the value of its argument`() throws {
    try withWords { db throws in
      let row = try Row.fetchOne(db, sql: "SELECT text, separator, word FROM words('a,b', ',')")
      #expect(row == ["text": "a,b", "separator": ",", "word": "a"])
    }
  }

  @Test func `the arguments come from another table`() throws {
    try withWords { db throws in
      try db.execute(
        sql: "CREATE TABLE book (title); INSERT INTO book VALUES ('Little Women'), ('Emma')")
      let sql = "SELECT word FROM book, words(book.title, ' ')"
      #expect(try String.fetchAll(db, sql: sql) == ["Little", "Women", "Emma"])
      let reversed = "SELECT word FROM words JOIN book ON text = title WHERE separator = ' '"
      #expect(try String.fetchAll(db, sql: reversed) == ["Little", "Women", "Emma"])
      let left = try Row.fetchAll(
        db, sql: "SELECT title, word FROM book LEFT JOIN words(title, 'm') ON word LIKE 'L%'")
      #expect(left.map { $0["word"] as String? } == ["Little Wo", nil])
    }
  }

  @Test func `the arguments come from a list`() throws {
    try withWords { db throws in
      let words = try String.fetchAll(
        db, sql: "SELECT word FROM words WHERE text IN ('b', 'a a') AND separator = ' '")
      #expect(words.sorted() == ["a", "a", "b"])
    }
  }

  @Test func `an argument that contradicts another condition`() throws {
    try withWords { db throws in
      let count = try Int.fetchOne(
        db, sql: "SELECT COUNT(*) FROM words('a', ' ') WHERE text = 'b'")
      #expect(count == 0)
    }
  }

  @Test func `there is no row for NULL`() throws {
    try withWords { db throws in
      #expect(try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM words(NULL, ' ')") == 0)
    }
  }

  @Test func `a missing argument is an error`() throws {
    try withWords { db throws in
      let one = databaseError { try Row.fetchAll(db, sql: "SELECT * FROM words('a')") }
      #expect(one?.message == "words: missing argument: separator")
      let all = databaseError { try Row.fetchAll(db, sql: "SELECT * FROM words") }
      #expect(all?.message == "words: missing argument: text")
      let other = databaseError {
        try Row.fetchAll(db, sql: "SELECT * FROM words WHERE text IS 'a' AND separator = ' '")
      }
      #expect(other?.message == "words: missing argument: text")
    }
  }

  @Test func `too many arguments are an error`() throws {
    try withWords { db throws in
      let error = databaseError { try Row.fetchAll(db, sql: "SELECT * FROM words(1, 2, 3)") }
      #expect(error?.message == "too many arguments on words() - max 2")
    }
  }

  @Test func `an argument that needs its own table is an error`() throws {
    try withWords { db throws in
      let error = databaseError {
        try Row.fetchAll(
          db, sql: "SELECT * FROM words AS w WHERE text = w.word AND separator = '-'")
      }
      #expect(error != nil)
    }
  }

  @Test func `an optional argument may be missing`() throws {
    let table = LoggedTable(
      columns: [VirtualTableColumn("a"), .parameter("b"), .parameter("c", isOptional: true)],
      rows: [[1.databaseValue, .null, "default".databaseValue]])
    try withTable(table, named: "f") { db throws in
      #expect(
        try Row.fetchOne(db, sql: "SELECT a, b, c FROM f(5)") == ["a": 1, "b": 5, "c": "default"])
      #expect(try Row.fetchOne(db, sql: "SELECT a, b, c FROM f(5, 6)") == ["a": 1, "b": 5, "c": 6])
      #expect(table.log.elements == ["argument 5, argument none", "argument 5, argument 6"])
    }
  }

  @Test func `an error of the function names the function`() throws {
    try DatabaseQueue().inDatabase { db throws -> Void in
      try db.register(table: "broken", parameters: ["x"]) { arguments throws -> [Int] in
        throw TableFailure(description: "no such shelf: \(arguments[0])")
      } columns: { t in
        t.column("value") { $0 }
      }
      let error = databaseError { try Row.fetchAll(db, sql: "SELECT * FROM broken(3)") }
      #expect(error?.message == "broken: no such shelf: 3")
    }
  }
}
