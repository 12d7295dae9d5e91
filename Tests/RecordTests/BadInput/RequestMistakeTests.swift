import Quarry
import QuarryTestSupport
import Testing

/// Each way to use a request.
struct RequestUse: CustomTestStringConvertible, Sendable {
  var testDescription: String
  var run: @Sendable (Database, QueryInterfaceRequest<Row>) throws -> Void

  init(
    _ name: String, _ run: @escaping @Sendable (Database, QueryInterfaceRequest<Row>) throws -> Void
  ) {
    testDescription = name
    self.run = run
  }

  static let reads = [
    RequestUse("fetchAll") { db, request in _ = try request.fetchAll(db) },
    RequestUse("fetchOne") { db, request in _ = try request.fetchOne(db) },
    RequestUse("fetchSet") { db, request in _ = try request.fetchSet(db) },
    RequestUse("fetchCursor") { db, request in _ = try request.fetchCursor(db) },
    RequestUse("fetchCount") { db, request in _ = try request.fetchCount(db) },
    RequestUse("isEmpty") { db, request in _ = try request.isEmpty(db) },
    RequestUse("records") { db, request in
      _ = try request.asRequest(of: Book.self).fetchAll(db)
    },
    RequestUse("values") { db, request in _ = try request.asRequest(of: Int.self).fetchAll(db) },
    RequestUse("Row.fetchAll") { db, request in _ = try Row.fetchAll(db, request) },
    RequestUse("prepared request") { db, request in _ = try request.makePreparedRequest(db) },
    RequestUse("subquery") { db, request in
      _ = try Table("note").filter(request.exists()).fetchAll(db)
    },
    RequestUse("SQL literal") { db, request in
      let request: SQLRequest<Row> = "SELECT * FROM (\(request))"
      _ = try request.fetchAll(db)
    },
    RequestUse("common table expression") { db, request in
      let cte = CommonTableExpression<Row>(named: "c", request: request)
      _ = try cte.all().with(cte).fetchAll(db)
    },
    RequestUse("any request") { db, request in _ = try AnyFetchRequest(request).fetchAll(db) },
    RequestUse("adapted request") { db, request in
      _ = try request.adapted { _ in EmptyRowAdapter() }.fetchAll(db)
    },
  ]

  /// SQLite creates a view without a look at its tables.
  static let view = RequestUse("view") { db, request in
    try db.create(view: "v", as: request)
  }

  static let writes = [
    RequestUse("deleteAll") { db, request in _ = try request.deleteAll(db) },
    RequestUse("updateAll") { db, request in
      _ = try request.updateAll(db, Column("title").set(to: "x"))
    },
    RequestUse("deleteAndFetchStatement") { db, request in
      _ = try request.deleteAndFetchStatement(db, selection: [Column("id")])
    },
    RequestUse("updateAndFetchStatement") { db, request in
      _ = try request.updateAndFetchStatement(
        db, [Column("title").set(to: "x")], selection: [Column("id")])
    },
  ]
}

@Suite("Mistakes in the SQL of requests", .onQueueAndPool)
struct RequestMistakeTests {
  private let books = Table("book")

  @Test(arguments: RequestUse.reads)
  func `An unknown column is reported with the SQL and the place`(use: RequestUse) throws {
    try makeBookshopDatabase().write { db in
      let error = databaseError { try use.run(db, books.filter(Column("titel") == "x")) }
      #expect(error?.resultCode == .SQLITE_ERROR)
      #expect(error?.message == SQLiteBuild.noSuchColumn("titel"))
      #expect(error?.sql?.contains(#"WHERE "titel" = "#) == true)
      #expect(error?.sqlOffset != nil)
    }
  }

  @Test(arguments: RequestUse.writes)
  func `An unknown column is reported by updates and deletes too`(use: RequestUse) throws {
    try makeBookshopDatabase().write { db in
      let error = databaseError { try use.run(db, books.filter(Column("titel") == "x")) }
      #expect(error?.message == SQLiteBuild.noSuchColumn("titel"))
      #expect(error?.sql?.contains(#"WHERE "titel" = ?"#) == true)
    }
  }

  @Test(arguments: RequestUse.reads + RequestUse.writes)
  func `An unknown table is reported with its name`(use: RequestUse) throws {
    try makeBookshopDatabase().write { db in
      let error = databaseError { try use.run(db, Table("bok").filter(Column("id") == 1)) }
      #expect(error?.resultCode == .SQLITE_ERROR)
      #expect(
        error?.message?.hasPrefix("no such table: ") == true
          && error?.message?.hasSuffix("bok") == true)
    }
  }

  @Test func `A mistake in an SQL fragment is reported with its place`() throws {
    try makeBookshopDatabase().read { db in
      let error = try #require(
        errorText { try Book.filter(sql: "title = = ?", arguments: ["x"]).fetchAll(db) })
      #expect(
        error == """
          SQLite error 1: near "=": syntax error - while executing \
          `SELECT * FROM "book" WHERE title = = ?` - at offset 35: "= ?"
          """)
    }
  }

  @Test(arguments: [[], ["x", "y"]] as [StatementArguments])
  func `The wrong number of arguments in a fragment is reported with the SQL`(
    arguments: StatementArguments
  ) throws {
    try makeBookshopDatabase().read { db in
      let request = Book.filter(sql: "title = ?", arguments: arguments)
      let fetches: [() throws -> Any?] = [
        { try request.fetchAll(db) }, { try request.fetchCount(db) }, { try request.fetchOne(db) },
        { try request.isEmpty(db) }, { try request.fetchCursor(db) },
        { try Book.order(sql: "title = ?", arguments: arguments).fetchAll(db) },
        { try Book.select(sql: "title = ?", arguments: arguments).fetchAll(db) },
        { try SQLRequest<Book>(sql: "SELECT ?", arguments: arguments).fetchAll(db) },
        { try SQLRequest<Book>(sql: "SELECT ?", arguments: arguments, cached: true).fetchAll(db) },
      ]
      for fetch in fetches {
        let error = databaseError(fetch)
        #expect(error?.resultCode == .SQLITE_MISUSE)
        #expect(error?.message?.hasPrefix("wrong number of statement arguments: ") == true)
        #expect(error?.sql?.contains("?") == true)
      }
    }
  }

  @Test func `A missing named argument is reported with its name and the SQL`() throws {
    try makeBookshopDatabase().write { db in
      let reads: [() throws -> Any?] = [
        { try Book.filter(sql: "title = :title", arguments: ["name": "x"]).fetchAll(db) },
        { try Row.fetchAll(db, sql: "SELECT :title", arguments: ["name": "x"]) },
        { try db.makeStatement(sql: "DELETE FROM book WHERE id = :title").execute() },
      ]
      for read in reads {
        let error = databaseError(read)
        #expect(error?.resultCode == .SQLITE_MISUSE)
        #expect(error?.message == "missing statement argument: title")
        #expect(error?.sql?.contains(":title") == true)
      }
      let error = databaseError {
        try db.execute(sql: "DELETE FROM book WHERE id = :title", arguments: ["name": "x"])
      }
      #expect(error?.message == "missing statement argument: title")
    }
  }

  @Test func `A failed statement leaves the connection usable, and is prepared anew`() throws {
    try DatabaseQueue().inDatabase { db in
      let fetch = { try Row.fetchAll(db, Table("t").filter(Column("a") == 1)) }
      #expect(databaseError(fetch)?.message == "no such table: t")
      try db.execute(sql: "CREATE TABLE t (b)")
      #expect(databaseError(fetch)?.message == SQLiteBuild.noSuchColumn("a"))
      try db.alter(table: "t") { t in t.add(column: "a", .integer) }
      #expect(try fetch() == [])
      try db.drop(table: "t")
      #expect(databaseError(fetch)?.message == "no such table: t")
    }
  }

  @Test func `An unknown table of a record is an error of its methods`() throws {
    struct Ghost: Codable, FetchableRecord, PersistableRecord {
      var id: Int64
    }
    try makeBookshopDatabase().write { db in
      let ghost = Ghost(id: 1)
      let uses: [() throws -> Any?] = [
        { try ghost.insert(db) }, { try ghost.update(db) }, { try ghost.save(db) },
        { try ghost.upsert(db) }, { try ghost.delete(db) }, { try ghost.exists(db) },
        { try Ghost.fetchAll(db) }, { try Ghost.fetchOne(db, key: 1) },
        { try Ghost.find(db, key: 1) }, { try Ghost.fetchCount(db) }, { try Ghost.deleteAll(db) },
        { try Ghost.deleteOne(db, key: 1) }, { try Ghost.exists(db, key: 1) },
        { try Ghost.numberOfSelectedColumns(db) }, { try ghost.insertAndFetch(db) },
      ]
      for use in uses {
        let error = databaseError(use)
        #expect(error?.resultCode == .SQLITE_ERROR)
        #expect(error?.message?.hasSuffix("no such table: ghost") == true)
      }
    }
  }
}
