import Quarry
import QuarryRecords
import QuarryTestSupport
import Synchronization
import Testing

private let id = Column("id")
private let title = Column("title")
private let year = Column("year")

private struct OldBook: Codable, Equatable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "oldBook"
  var id: Int64
  var title: String?
}

private struct UniqueTitle: Codable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "uniqueTitle"
  static let persistenceConflictPolicy = PersistenceConflictPolicy(insert: .ignore)
  var title: String
}

private func withTables<T>(_ body: (Database) throws -> T) throws -> T {
  try makeBookshopDatabase().write { db throws in
    try db.execute(
      sql: """
        CREATE TABLE oldBook (id INTEGER PRIMARY KEY, title TEXT);
        CREATE TABLE uniqueTitle (title TEXT PRIMARY KEY, size INTEGER AS (length(title)));
        CREATE VIEW bookView AS SELECT id, title FROM oldBook;
        CREATE TRIGGER bookViewInsert INSTEAD OF INSERT ON bookView BEGIN
          INSERT INTO oldBook VALUES (NEW.id, NEW.title);
        END;
        """)
    return try body(db)
  }
}

/// `INSERT … SELECT`
@Suite(.onQueueAndPool)
struct InsertAllTests {
  private typealias Author = QuarryTestSupport.Author
  private typealias Book = QuarryTestSupport.Book

  private func sql(_ body: (Database) throws -> Void) throws -> [String] {
    try withTables { db throws in
      try db.statements { try body(db) }.filter { $0.hasPrefix("INSERT") }
    }
  }

  @Test func `a closure of the request is called once`() throws {
    try withTables { db throws in
      let calls = Mutex(0)
      let request = Book.filter(id == 1).selectWhenConnected { _ in
        let isFirst = calls.withLock { calls in
          calls += 1
          return calls == 1
        }
        return isFirst ? [id, title] : [title, id]
      }
      try request.insertAll(db, into: "oldBook")
      #expect(calls.withLock { $0 } == 1)
      #expect(try OldBook.fetchAll(db).map(\.id) == [1])
    }
  }

  @Test func `a conflict that is given comes before that of a constraint`() throws {
    try withTables { db throws in
      try db.execute(
        sql: """
          CREATE TABLE word (text TEXT UNIQUE ON CONFLICT IGNORE);
          INSERT INTO word SELECT title FROM book WHERE id = 1;
          """)
      let titles = Book.select(title).filter(id == 1)
      #expect(try titles.insertAll(db, into: "word", columns: ["text"]) == 0)
      let statements = db.statements {
        let error = databaseError {
          try titles.insertAll(db, into: "word", columns: ["text"], onConflict: .abort)
        }
        #expect(error?.extendedResultCode == .SQLITE_CONSTRAINT_UNIQUE)
      }
      #expect(
        statements.filter { $0.hasPrefix("INSERT") } == [
          #"INSERT OR ABORT INTO "word" ("text") SELECT "title" FROM "book" WHERE "id" = ?"#
        ])
    }
  }

  @Test func `columns by name`() throws {
    #expect(
      try sql { try Book.select(title, id).filter(year < 1970).insertAll($0, into: "oldBook") }
        == [
          #"INSERT INTO "oldBook" ("title", "id") SELECT "title", "id" FROM "book" WHERE "year" < ?"#
        ])
    #expect(
      try sql { try Book.all().insertAll($0, into: "main.book", onConflict: .replace) }
        == [
          """
          INSERT OR REPLACE INTO "main"."book" ("id", "title", "year", "price", "authorId", \
          "publisherId") SELECT * FROM "book"
          """
        ])
  }

  @Test func `columns in order`() throws {
    #expect(
      try sql {
        try Book.select(id + 100, title).insertAll(
          $0, into: OldBook.self, columns: ["id", "title"])
      } == [#"INSERT INTO "oldBook" ("id", "title") SELECT "id" + ?, "title" FROM "book""#])
    #expect(
      try sql { try Book.select(title).insertAll($0, into: UniqueTitle.self) }
        == [#"INSERT OR IGNORE INTO "uniqueTitle" ("title") SELECT "title" FROM "book""#])
  }

  @Test func `all kinds of requests`() throws {
    let recent = CommonTableExpression<Void>(named: "recent", request: Book.filter(year > 2000))
    let requests: [(Database) throws -> Int] = [
      { try recent.all().with(recent).select(id, title).insertAll($0, into: "oldBook") },
      {
        try Author.select(id, Column("name").forKey("title"))
          .unionAll(Book.filter(year > 2000).select(id + 10, title)).order(id)
          .insertAll($0, into: "oldBook")
      },
      {
        try SQLRequest<Row>(sql: "SELECT ? AS id, 'x' AS title -- end", arguments: [9])
          .insertAll($0, into: "oldBook")
      },
      {
        try TableFunction("json_each", "[5, 6]").select(Column("value"))
          .insertAll($0, into: "oldBook", columns: ["id"])
      },
      { try Book.none().select(id, title).insertAll($0, into: "oldBook") },
      { try Book.limit(2).asTable().select(id, title).insertAll($0, into: "oldBook") },
    ]
    let counts = try requests.map { request in
      try withTables { db throws in
        let count = try request(db)
        #expect(try OldBook.fetchCount(db) == count)
        return count
      }
    }
    #expect(counts == [1, 4, 1, 2, 0, 2])
  }

  @Test func `rows are inserted`() throws {
    try withTables { db throws in
      #expect(try Book.select(id, title).filter(year < 1980).insertAll(db, into: "oldBook") == 2)
      #expect(
        try OldBook.order(id).fetchAll(db)
          == [OldBook(id: 1, title: "Dispossession"), OldBook(id: 2, title: "Left Hand")])
      #expect(
        try Book.select(id, title).insertAll(db, into: "oldBook", onConflict: .ignore) == 2)
      #expect(
        try Book.select(id + 10, title).insertAll(db, into: "bookView", columns: ["id", "title"])
          == 4)
      #expect(try OldBook.fetchCount(db) == 8)
    }
  }

  @Test func `rows that a trigger inserts elsewhere are not counted`() throws {
    try withTables { db throws in
      try db.execute(
        sql: """
          CREATE TABLE log (id INTEGER);
          CREATE TRIGGER logged BEFORE INSERT ON oldBook BEGIN
            INSERT INTO log VALUES (NEW.id);
          END;
          """)
      let titles = Book.select(id, title)
      #expect(try titles.insertAll(db, into: "oldBook") == 4)
      #expect(try titles.insertAll(db, into: "oldBook", onConflict: .ignore) == 0)
      #expect(try OldBook.fetchCount(db) == 4)
      #expect(try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM log") == 8)
    }
  }

  @Test func `inserted records are returned`() throws {
    try withTables { db throws in
      for round in 0...2 {
        let books = try Book.filter(year < 1970 + 10 * round).select(id + 10 * round, title)
          .insertAndFetchAll(db, into: OldBook.self, columns: ["id", "title"])
        #expect(books.map(\.id).sorted() == [[2], [11, 12], [21, 22]][round])
      }
      let literal = SQLRequest<Row>(sql: "SELECT 99 AS id, 'x' AS title -- end")
      #expect(
        try literal.insertAndFetchAll(db, into: OldBook.self) == [OldBook(id: 99, title: "x")])
      #expect(
        try literal.insertAndFetchAll(db, into: OldBook.self, onConflict: .ignore) == [])
    }
  }

  @Test func `the columns that the record type selects are returned`() throws {
    struct Title: Codable, Equatable, FetchableRecord, TableRecord {
      static let databaseTableName = "oldBook"
      static var databaseSelection: [any SQLSelectable] { [.allColumns(excluding: ["id"])] }
      var title: String?
    }
    try withTables { db throws in
      var titles: [Title] = []
      let statements = try db.statements {
        titles = try Book.select(title).filter(id == 1).insertAndFetchAll(db, into: Title.self)
      }
      #expect(titles == [Title(title: "Dispossession")])
      #expect(
        statements.contains(
          #"INSERT INTO "oldBook" ("title") SELECT "title" FROM "book" WHERE "id" = ? RETURNING "title""#
        ))
    }
  }

  @Test func `a failing insertion inserts nothing`() throws {
    try withTables { db throws in
      try OldBook(id: 2, title: "kept").insert(db)
      let error = databaseError { try Book.select(id, title).insertAll(db, into: "oldBook") }
      #expect(error?.extendedResultCode == .SQLITE_CONSTRAINT_PRIMARYKEY)
      #expect(try OldBook.fetchAll(db) == [OldBook(id: 2, title: "kept")])
    }
  }

  @Test func `observers are notified`() async throws {
    let database = try makeBookshopDatabase()
    try await database.write { try $0.execute(sql: "CREATE TABLE copy (id INTEGER, title TEXT)") }
    var counts = ValueObservation.tracking { try Table("copy").fetchCount($0) }
      .values(in: database).makeAsyncIterator()
    #expect(try await counts.next() == 0)
    try await database.write { db throws in
      _ = try Book.select(id, title).insertAll(db, into: "copy")
    }
    #expect(try await counts.next() == 4)
  }

  @Test func `a read-only access`() throws {
    let database = try makeBookshopDatabase()
    let text = try #require(
      errorText {
        try database.read { try Book.select(title).insertAll($0, into: "note", columns: ["text"]) }
      })
    #expect(text.contains("only reads: use `write`"))
  }
}

struct InsertAllErrorTests {
  private typealias Book = QuarryTestSupport.Book

  private func text<T>(_ body: (Database) throws -> T) throws -> String {
    try #require(errorText { try withTables(body) })
  }

  @Test func `numbers of columns`() throws {
    #expect(
      try text { try Book.select(id, title).insertAll($0, into: "oldBook", columns: ["id"]) } == """
        Can't insert 2 values into 1 column of "oldBook": the request selects "id", "title", the \
        columns are "id"
        """)
    #expect(
      try text { try Book.select(id).insertAll($0, into: "oldBook", columns: []) } == """
        Can't insert 1 value into 0 columns of "oldBook": the request selects "id", the columns are \

        """)
  }

  @Test func `names of columns`() throws {
    let missing = try text {
      try Book.select(id, Column("name").forKey("titel")).insertAll($0, into: "oldBook")
    }
    #expect(missing.contains("no such column: ") && missing.contains("name"))
    let misspelled = try text {
      try Book.select(id, title.forKey("titel")).insertAll($0, into: "oldBook")
    }
    #expect(
      misspelled == """
        Can't insert the selected value "titel": in "oldBook", there is no such column
        did you mean "title"?; select columns of the table, name values with forKey(_:), or list \
        the columns in insertAll
        """)
    #expect(
      try text { try Book.all().insertAll($0, into: "oldBook") }.contains(
        #"Can't insert the selected value "year": in "oldBook", there is no such column"#))
    #expect(
      try text { try Table("uniqueTitle").all().insertAll($0, into: "uniqueTitle") }.contains(
        #"Can't insert the selected value "size": in "uniqueTitle", this column is generated"#))
    #expect(
      try text {
        try Book.select(id, title).insertAll($0, into: "oldBook", columns: ["id", "titel"])
      }
      .contains("table oldBook has no column named titel"))
  }

  @Test func `one column twice`() throws {
    let message = "Can't insert two values into the column"
    #expect(
      try text { try Book.select(id, id).insertAll($0, into: "oldBook") }.contains(message))
    #expect(
      try text {
        try Book.select(id, title).insertAll($0, into: "oldBook", columns: ["id", "ID"])
      }.contains(message))
  }

  @Test func `tables`() throws {
    let unknown = try text { try Book.select(id).insertAll($0, into: "oldBok") }
    #expect(unknown.contains("no such table: oldBok"))
    #expect(unknown.contains(#"did you mean "oldBook"?"#))
    #expect(
      try text { try Book.select(id).insertAll($0, into: "bestseller") }.contains(
        "cannot modify bestseller because it is a view"))
    struct BookView: Codable, FetchableRecord, TableRecord {
      static let databaseTableName = "bookView"
    }
    #expect(
      try text { try Book.select(id).insertAndFetchAll($0, into: BookView.self) }.contains(
        "SQLite does not report the rows inserted into bookView"))
  }
}
