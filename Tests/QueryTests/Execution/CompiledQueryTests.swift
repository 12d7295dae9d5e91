import Foundation
import QuarryFunctions
import QuarryTestSupport
import Testing

@testable import Quarry

/// Queries are compiled once for all requests of one structure.
struct CompiledQueryTests {
  private static let title = Column("title")
  private static let year = Column("year")

  @Test func `a structure is remembered when it comes for the second time`() throws {
    try withBookshop { db throws in
      func fetch(_ year: Int) throws -> [Int64] {
        try Int64.fetchAll(db, Book.filter(Self.year > year).select(Column("id")))
      }
      #expect(try fetch(2000) == [3])
      #expect(db.compiledQueries.count == 0)
      #expect(try fetch(1970) == [1, 3])
      #expect(db.compiledQueries.count == 1)
      #expect(try fetch(1960) == [1, 2, 3])
      #expect(try fetch(2000) == [3])
      #expect(db.compiledQueries.count == 1)
    }
  }

  /// Values get their slots in the order in which the key of the request collects them.
  @Test func `a window with two values in its frame is planned no more`() throws {
    try withBookshop { db throws in
      func sums(_ before: Int, _ after: Int) throws -> [Double?] {
        let frame = SQLWindowFrame.rows(from: .preceding(before), to: .following(after))
        let total = sum(Column("price")).over(orderBy: Column("id"), frame: frame)
        return try Book.order(Column("id")).select(total, as: Double?.self).fetchAll(db)
      }
      #expect(try sums(0, 1) == [21.5, 24, 15, nil])
      #expect(try sums(1, 0) == [12.5, 21.5, 24, 15])
      let plans = db.statementCounts.plans
      #expect(try sums(1, 1) == [21.5, 36.5, 24, 15])
      #expect(try sums(2, 0) == [12.5, 21.5, 36.5, 24])
      #expect(db.statementCounts.plans == plans)
    }
  }

  /// The condition is asked for again when the request is planned.
  @Test func `a condition with more values than in its first call is not remembered`() throws {
    try withBookshop { db throws in
      for first in 1...20 {
        let calls = Log<Void>()
        let books = Author.association(to: Book.self) { author, book in
          calls.append(())
          let isLong = calls.elements.count > first
          let years = isLong ? [1970, 1980, 1990] : [1970]
          return author[Column("id")] == book[Column("authorId")]
            && years.contains(book[Self.year])
        }
        let request = Author.joining(optional: books).limit(first)
        for _ in 1...3 { #expect(try request.fetchAll(db).count == min(first, 3)) }
      }
    }
  }

  private func books(since year: Int) -> HasManyAssociation<Author, Book> {
    let recent = CommonTableExpression<Void>(
      named: "recent", request: Book.filter(Self.year > year).select(Column("id")))
    return Author.books.with(recent).filter(recent.contains(Column("id")))
  }

  @Test func `an aggregate with a table expression is planned no more`() throws {
    try withBookshop { db throws in
      func sums(_ year: Int) throws -> [Double?] {
        let total = books(since: year).sum(Column("price"))
        return try Row.fetchAll(db, Author.annotated(with: total).order(Column("id")))
          .map { $0["bookPriceSum"] as Double? }
      }
      #expect(try sums(1970) == [12.5, 15, nil])
      #expect(try sums(1960) == [21.5, 15, nil])
      let plans = db.statementCounts.plans
      #expect(try sums(2000) == [nil, 15, nil])
      #expect(db.statementCounts.plans == plans)
    }
  }

  @Test func `subqueries with table expressions of one name are planned no more`() throws {
    try withBookshop { db throws in
      func authors(_ year: Int) -> QueryInterfaceRequest<Author> {
        Author.joining(required: books(since: year)).select(Column("id"))
      }
      func ids(_ start: Int, _ end: Int) throws -> [Int64] {
        let author = Column("authorId")
        let filter = authors(start).contains(author) && !authors(end).contains(author)
        return try Int64.fetchAll(
          db, Book.filter(filter).order(Column("id")).select(Column("id")))
      }
      #expect(try ids(1970, 1990) == [1, 2])
      #expect(try ids(1990, 2010) == [3])
      let plans = db.statementCounts.plans
      #expect(try ids(1960, 2010) == [1, 2, 3])
      #expect(db.statementCounts.plans == plans)
    }
  }

  @Test func `a structure whose region is recorded is remembered as well`() throws {
    try withBookshop { db throws in
      func region(_ id: any DatabaseValueConvertible) throws -> String {
        let filter = Column("id") == id.databaseValue
        return try db.observedRegion { try Row.fetchAll(db, Book.filter(filter)) }
      }
      let columns = "book(authorId,id,price,publisherId,title,year)"
      try #expect(region(1) == "\(columns)[1]")
      #expect(db.compiledQueries.count == 0)
      try #expect(region(2) == "\(columns)[2]")
      #expect(db.compiledQueries.count == 1)
      try #expect(region(3) == "\(columns)[3]")
      // SQLite would convert the text.
      try #expect(region("3") == columns)
      try #expect(region(1) == "\(columns)[1]")
      #expect(db.compiledQueries.count == 1)
    }
  }

  @Test func `the rows of a remembered prefetch are those of each request`() throws {
    try withBookshop { db throws in
      for id in [7, 8, 9] {
        let request = Author.including(all: Author.books.filter(Column("id") == id))
        let region = try db.observedRegion { try Row.fetchAll(db, request.limit(0)) }
        #expect(region.hasSuffix("book(authorId,id,price,publisherId,title,year)[\(id)]"))
      }
      #expect(db.compiledQueries.count > 0)
    }
  }

  @Test func `a new key of the table changes the rows of a remembered request`() throws {
    let database = try DatabaseQueue()
    try database.inDatabase { db throws in
      try db.execute(sql: "CREATE TABLE item (id INTEGER PRIMARY KEY)")
      func region() throws -> String {
        try Table("item").filter(Column("id") == 1).databaseRegion(db).description
      }
      for _ in 0..<3 { try #expect(region() == "item(*)[1]") }
      try db.execute(sql: "DROP TABLE item; CREATE TABLE item (id TEXT PRIMARY KEY)")
      for _ in 0..<3 { try #expect(region() == "item(id)") }
    }
  }

  /// Each one has other SQL than the others, or only other values.
  static let requests: [@Sendable () -> any FetchRequest<Row>] = {
    var requests: [@Sendable () -> any FetchRequest<Row>] = []
    func add(_ make: @escaping @Sendable () -> any FetchRequest<Row>) { requests.append(make) }
    add { rows(Book.filter(year == 1974)) }
    add { rows(Book.filter(year == 2002)) }
    add { rows(Book.filter(year == nil)) }
    add { rows(Book.filter(year != nil)) }
    add { rows(Book.filter(year > 1970 && title != "Left Hand")) }
    add { rows(Book.filter(year > 1990 && title != "Anonymous")) }
    add { rows(Book.filter(key: 1)) }
    add { rows(Book.filter(key: 3)) }
    add { rows(Book.filter(keys: [1])) }
    add { rows(Book.filter(keys: [1, 2])) }
    add { rows(Book.filter(keys: [3, 4])) }
    add { rows(Book.filter(keys: Array(1...200))) }
    add { rows(Book.filter(keys: Array(3...200))) }
    add { rows(Book.filter(key: ["id": 1])) }
    add { rows(Book.filter(key: ["id": 2])) }
    add { rows(Book.filter(keys: (1...200).map { ["id": $0] })) }
    add { rows(Book.filter(keys: (2...201).map { ["id": $0] })) }
    add { rows(Book.filter(Array(1...300).contains(Column("id")))) }
    add { rows(Book.filter(Array(2...301).contains(Column("id")))) }
    add { rows(Book.filter([1974, 1969].contains(year))) }
    add { rows(Book.filter([1974, 2002].contains(year))) }
    add { rows(Book.filter([1974].contains(year))) }
    add { rows(Book.filter([Int]().contains(year))) }
    add { rows(Book.none()) }
    add { rows(Book.filter(title.like("%e%"))) }
    add { rows(Book.filter(title.like("%i%"))) }
    add { rows(Book.filter(title.like("%e%", escape: "!"))) }
    add { rows(Book.filter((1970...2000).contains(year))) }
    add { rows(Book.filter(!(1970...2000).contains(year))) }
    add { rows(Book.limit(1)) }
    add { rows(Book.limit(2)) }
    add { rows(Book.limit(1, offset: 1)) }
    add { rows(Book.order(title)) }
    add { rows(Book.order(title.desc)) }
    add { rows(Book.order(title).reversed()) }
    add { rows(Book.order(year + 1, title)) }
    add { rows(Book.order(abs(year - 1970))) }
    add { rows(Book.order(abs(year - 2000))) }
    add { rows(Book.select(year + 1)) }
    add { rows(Book.select(year + 2)) }
    add { rows(Book.select((year + 1).forKey("y"))) }
    add { rows(Book.select((year + 1).forKey("z"))) }
    add { rows(Book.select(title).distinct()) }
    add { rows(Book.all().orderByPrimaryKey()) }
    add { rows(Book.all().withStableOrder()) }
    add { rows(Book.select(year, count(title)).group(year).having(count(title) > 0)) }
    add { rows(Book.select(year, count(title)).group(year).having(count(title) > 3)) }
    add { rows(Book.filter(sql: "year > ?", arguments: [1970])) }
    add { rows(Book.filter(sql: "year > ?", arguments: [1990])) }
    add { rows(Book.filter(sql: "year > ?", arguments: [nil])) }
    add { rows(Book.filter(sql: "year < ?", arguments: [1990])) }
    add { rows(Book.filter(sql: "year > :year", arguments: ["year": 1970])) }
    add { rows(Book.filter(sql: "year > :year", arguments: ["year": 1990])) }
    add { rows(Book.filter(literal: "year > \(1970) AND \(title) <> \("x")")) }
    add { rows(Book.filter(literal: "year > \(1990) AND \(title) <> \("y")")) }
    add { rows(Book.filter(!SQL("year > \(1990)").sqlExpression)) }
    add { rows(Book.filter(true.databaseValue.sqlExpression)) }
    add { rows(Book.filter(false.databaseValue.sqlExpression)) }
    add { rows(Book.including(required: Book.author)) }
    add { rows(Book.including(required: Book.author.filter(Column("country") == "FR"))) }
    add { rows(Book.including(required: Book.author.filter(Column("country") == "IT"))) }
    add {
      rows(
        Book.including(required: Book.author.filter(Column("country") == "IT")).filter(year > 1900)
          .order(abs(year - 3)))
    }
    add {
      rows(
        Book.including(required: Book.author.filter(Column("country") == "FR")).filter(year > 1970)
          .order(abs(year - 1970)))
    }
    add { rows(Book.including(optional: Book.publisher.filter(Column("city") == "Paris"))) }
    add { rows(Book.including(optional: Book.publisher.filter(Column("city") == "Turin"))) }
    add { rows(Author.including(all: Author.books)) }
    add { rows(Author.filter(key: 1).including(all: Author.books)) }
    add { rows(Author.filter(key: 2).including(all: Author.books)) }
    add { rows(Author.including(all: Author.books.filter(year > 1970))) }
    add { rows(Author.including(all: Author.books.filter(year > 1990))) }
    add { rows(Author.filter(Column("id") > 0).including(all: Author.books.filter(year > 1960))) }
    add { rows(Author.filter(Column("id") > 1).including(all: Author.books.filter(year > 1970))) }
    add { rows(Author.including(all: Author.books.order(year).limit(1))) }
    add { rows(Author.including(all: Author.reviews.filter(Column("score") > 3))) }
    add { rows(Author.including(all: Author.reviews.filter(Column("score") > 4))) }
    add { rows(Author.annotated(with: Author.books.count)) }
    add { rows(Author.annotated(with: Author.books.filter(year > 1970).count)) }
    add { rows(Author.annotated(with: Author.books.filter(year > 1990).count)) }
    add { rows(Author.all().having(Author.books.count > 0)) }
    add { rows(Author.all().having(Author.books.count > 1)) }
    add { rows(Author.all().having(Author.books.isEmpty)) }
    add { rows(Author.all().having(!Author.books.isEmpty)) }
    add {
      rows(
        Author.filter(Book.filter(year > 1990).select(Column("authorId")).contains(Column("id"))))
    }
    add {
      rows(
        Author.filter(Book.filter(year > 1960).select(Column("authorId")).contains(Column("id"))))
    }
    add { rows(Book.filter(year > 1990).select(title).union(Author.select(Column("name")))) }
    add { rows(Book.filter(year > 1970).select(title).union(Author.select(Column("name")))) }
    add {
      rows(Book.filter(year > 1970).select(title).except(Book.filter(year > 1990).select(title)))
    }
    add { recent(1970) }
    add { recent(1990) }
    add { ranked(1) }
    add { ranked(2) }
    add { aliased("b", "a") }
    add { aliased("c", "d") }
    add { aliased(nil, nil) }
    add { swapped() }
    add { rows(Table("stock").filter(key: ["shop": "north", "isbn": "a"])) }
    add { rows(Table("stock").filter(key: ["shop": "south", "isbn": "a"])) }
    add { rows(Table("shelf").filter(key: ["room": "attic", "num": 1])) }
    add { rows(Table("unknown").filter(Column("id") == 1)) }
    add { rows(Book.filter(Column("unknown") == 1)) }
    add { rows(Table("note").filter(key: 1)) }
    return requests
  }()

  private static func rows<R: FetchRequest>(_ request: R) -> any FetchRequest<Row> {
    if let request = request as? any RowsRequest { return request.rows }
    preconditionFailure("\(R.self)")
  }

  private static func recent(_ start: Int) -> any FetchRequest<Row> {
    let recent = CommonTableExpression<Row>(
      named: "recent", request: Book.filter(year > start).select(title, year))
    return recent.all().with(recent).filter(year != 1)
  }

  private static func ranked(_ step: Int) -> any FetchRequest<Row> {
    rows(
      Book.select(
        title,
        sum(Column("price") * step).over(
          orderBy: year, frame: .rows(from: .preceding(step), to: .currentRow))
      ).filter(year > step))
  }

  private static func aliased(_ left: String?, _ right: String?) -> any FetchRequest<Row> {
    let (book, author) = (TableAlias<Book>(name: left), TableAlias<Author>(name: right))
    return rows(
      Book.aliased(book).joining(required: Book.author.aliased(author))
        .filter(book[Column("id")] >= author[Column("id")]))
  }

  private static func swapped() -> any FetchRequest<Row> {
    let (book, author) = (TableAlias<Book>(), TableAlias<Author>())
    return rows(
      Book.aliased(book).joining(required: Book.author.aliased(author))
        .filter(author[Column("id")] >= book[Column("id")]))
  }

  @Test func `remembered queries have the SQL, the arguments and the rows of compiled ones`()
    throws
  {
    try withBookshop { db throws in
      func check() {
        for start in stride(from: 0, to: Self.requests.count, by: 30) {
          let requests = Self.requests[start...].prefix(30)
          for _ in 0..<4 { #expect(db.differences(requests.map { $0() }) == []) }
        }
        #expect(db.compiledQueries.count > 100)
      }
      check()
      try db.execute(sql: "ALTER TABLE book ADD COLUMN pages INTEGER DEFAULT 100")
      try db.execute(sql: "ALTER TABLE author ADD COLUMN city TEXT")
      check()
    }
  }

  @Test func `requests that differ in their SQL have different structures`() throws {
    try withBookshop { db throws in
      var known: [(structure: [UInt8], sql: String)] = []
      for make in Self.requests {
        let request = make()
        guard let structure = structure(of: request, db),
          let sql = try? sql(of: request, in: db).sql
        else { continue }
        for other in known where other.structure == structure { #expect(other.sql == sql) }
        known.append((structure, sql))
      }
      #expect(Set(known.map(\.structure)).count > 50)
    }
  }

  /// Nil for a request that is not remembered.
  private func structure(of request: any FetchRequest<Row>, _ db: Database) -> [UInt8]? {
    var key = TreeKey(context: PlanningContext(db))
    request.sqlSubquery.write(to: &key)
    return key.isRefused ? nil : key.structure.array
  }

  @Test func `modifications have their values`() throws {
    try withBookshop { db throws in
      for year in 1...5 {
        try Book.filter(key: 1).updateAll(
          db, Self.year.set(to: year), Self.title.set(to: "\(year)"))
        #expect(try Book.find(db, key: 1).year == year)
        #expect(try Book.find(db, key: 1).title == "\(year)")
        #expect(try Book.filter(Self.year == year).fetchCount(db) == 1)
        #expect(try Book.filter(Self.year == year + 1).isEmpty(db))
      }
      try Book.filter(key: 1).updateAll(db, Self.year.set(to: nil))
      #expect(try Book.find(db, key: 1).year == nil)
      for id in 10..<20 { try Book(id: Int64(id)).insert(db) }
      for id in 10..<15 {
        #expect(try Book.exists(db, key: id))
        #expect(try Book.deleteOne(db, key: id))
        #expect(try !Book.exists(db, key: id))
        #expect(try !Book.deleteOne(db, key: id))
        #expect(try Book.fetchOne(db, key: id) == nil)
      }
      for id in 15..<20 { #expect(try Book.filter(Column("id") == id).deleteAll(db) == 1) }
      #expect(try Book.fetchCount(db) == 4)
    }
  }

  @Test func `closures are asked each time`() throws {
    try withBookshop { db throws in
      for year in [1970, 1990, 1960, 2010] {
        let request = Book.all().filterWhenConnected { _ in Self.year > year }
        #expect(try sql(of: request, in: db).arguments == [year])
      }
      #expect(db.compiledQueries.count == 0)
    }
  }

  @Test func `the selection of a type is asked for each time`() throws {
    try withBookshop { db throws in
      for columns in [["id"], ["id"], ["id"], ["id", "title"], ["title"], ["id"]] {
        try SelectiveBook.$columns.withValue(columns) { () throws in
          #expect(try Row.fetchOne(db, SelectiveBook.filter(key: 1))?.count == columns.count)
          #expect(try SelectiveBook.fetchOne(db, key: 1)?.names == columns)
        }
      }
    }
  }

  @Test func `the schema decides again after a change`() throws {
    try inEmptyDatabase { db throws in
      for (definition, column) in [
        ("id INTEGER PRIMARY KEY, code TEXT", "id"), ("id INTEGER, code TEXT PRIMARY KEY", "code"),
      ] {
        try db.execute(sql: "DROP TABLE IF EXISTS item; CREATE TABLE item(\(definition))")
        for key in ["1", "2", "3", "4"] {
          #expect(
            try sql(of: Table("item").filter(key: key), in: db)
              == RenderedSQL("SELECT * FROM \"item\" WHERE \"\(column)\" = ?", [key]))
        }
      }
      try db.inSavepoint {
        try db.execute(sql: "DROP TABLE item; CREATE TABLE item(other INTEGER PRIMARY KEY)")
        for key in 1...4 {
          #expect(try sql(of: Table("item").filter(key: key), in: db).sql.contains("other"))
        }
        return .rollback
      }
      #expect(try sql(of: Table("item").filter(key: 1), in: db).sql.contains("code"))
    }
  }

  @Test func `changes of the schema by other connections count from the next access on`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/shared.sqlite"
      let (first, second) = (try DatabaseQueue(path: path), try DatabaseQueue(path: path))
      for column in ["id", "code", "other"] {
        try second.write { db throws in
          try db.execute(
            sql: "DROP TABLE IF EXISTS item; CREATE TABLE item(\(column) INTEGER PRIMARY KEY)")
        }
        for key in 1...4 {
          let text = try first.read { db in try sql(of: Table("item").filter(key: key), in: db) }
          #expect(text == RenderedSQL("SELECT * FROM \"item\" WHERE \"\(column)\" = ?", [key]))
        }
      }
    }
  }

  @Test func `attached tables are found as soon as they are there`() throws {
    try inEmptyDatabaseOutsideOfTransactions { db throws in
      for round in 0..<2 {
        try db.execute(sql: "ATTACH DATABASE ':memory:' AS archive")
        try db.execute(sql: "CREATE TABLE archive.book(id INTEGER PRIMARY KEY, year INTEGER)")
        for year in 1...4 {
          #expect(
            try sql(of: Table("archive.book").filter(Self.year == year), in: db).sql
              == #"SELECT * FROM "archive"."book" WHERE "year" = ?"#, "\(round)")
        }
        try db.execute(sql: "DETACH DATABASE archive")
      }
    }
  }

  @Test func `two cursors of one query have statements of their own`() throws {
    try withBookshop { db throws in
      for _ in 0..<4 {
        let first = try Book.filter(Self.year > 1900).order(Column("id")).fetchCursor(db)
        _ = try first.next()
        let second = try Book.filter(Self.year > 1970).order(Column("id")).fetchCursor(db)
        #expect(try second.next()?.id == 1)
        #expect(try first.next()?.id == 2)
        #expect(try second.next()?.id == 3)
        #expect(try first.next()?.id == 3)
      }
    }
  }

  @Test func `the number of remembered queries is limited, and memory is released`() throws {
    try withBookshop { db throws in
      for _ in 0..<2 {
        for number in 0..<600 {
          let request = Book.select(Self.year.forKey("y\(number)")).filter(Self.year > number)
          #expect(try sql(of: request, in: db).arguments == [number])
        }
      }
      #expect((1...256).contains(db.compiledQueries.count))
      db.releaseMemory()
      #expect(db.compiledQueries.count == 0)
      #expect(try Book.filter(Self.year > 1).fetchCount(db) == 3)
    }
  }

  @Test func `arguments that can't be stored are refused each time`() throws {
    try withBookshop { db throws in
      for value in [1.0, 2.0, 3.0, 4.0] {
        #expect(try Book.filter(Column("price") == value).isEmpty(db))
      }
      #expect(throws: DatabaseError.self) {
        try Book.filter(Column("price") == Unstorable()).isEmpty(db)
      }
      #expect(try Book.filter(Column("price") == 9.0).fetchCount(db) == 1)
    }
  }

  @Test func `keys that records encode are those of each request`() throws {
    try inEmptyDatabase { db throws in
      try db.execute(sql: "CREATE TABLE token(id TEXT PRIMARY KEY)")
      let tokens = (0..<5).map { _ in Token(id: UUID()) }
      for token in tokens { try token.insert(db) }
      for token in tokens + tokens {
        #expect(try Token.fetchOne(db, key: token.id)?.id == token.id)
        #expect(try Token.exists(db, key: token.id))
      }
      #expect(db.compiledQueries.count > 0)
    }
  }
}

/// A request that can be fetched as rows.
private protocol RowsRequest {
  var rows: any FetchRequest<Row> { get }
}

extension QueryInterfaceRequest: RowsRequest {
  fileprivate var rows: any FetchRequest<Row> { asRequest(of: Row.self) }
}

extension CompoundRequest: RowsRequest {
  fileprivate var rows: any FetchRequest<Row> { asRequest(of: Row.self) }
}

private struct SelectiveBook: FetchableRecord, TableRecord {
  @TaskLocal static var columns: [String] = []

  static let databaseTableName = "book"

  static var databaseSelection: [any SQLSelectable] { columns.map { Column($0) } }

  let names: [String]

  init(row: Row) {
    names = Array(row.columnNames)
  }
}

private struct Token: Codable, FetchableRecord, PersistableRecord {
  var id: UUID

  static func databaseUUIDEncodingStrategy(for column: String) -> DatabaseUUIDEncodingStrategy {
    .uppercaseString
  }
}

private struct Unstorable: DatabaseValueConvertible {
  var databaseValue: DatabaseValue { .invalid("no value") }

  static func fromDatabaseValue(_ dbValue: DatabaseValue) -> Unstorable? { nil }
}

private func inEmptyDatabaseOutsideOfTransactions(_ body: (Database) throws -> Void) throws {
  try DatabaseQueue().writeWithoutTransaction(body)
}
