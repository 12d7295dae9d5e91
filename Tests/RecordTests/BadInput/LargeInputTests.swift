import Quarry
import QuarryTestSupport
import Testing

@Suite("Requests that are too large", .onQueueAndPool)
struct LargeInputTests {
  private let id = Column("id")

  @Test(arguments: [2_000, 20_000])
  func `A condition that is too deep for SQLite is an error`(count: Int) throws {
    try makeBookshopDatabase().read { db throws in
      let conditions = (0..<count).map { id == $0 }
      #expect(
        databaseError { try Book.filter(conditions.joined(operator: .or)).fetchAll(db) }?
          .message?.contains("Expression tree is too large") == true)
      let request = (0..<min(count, 5_000)).reduce(Book.all()) { $0.filter(id != $1) }
      #expect(databaseError { try request.fetchCount(db) }?.resultCode == .SQLITE_ERROR)
    }
  }

  @Test(arguments: [1_000, 100_000])
  func `Keys in any number are found`(count: Int) throws {
    try makeBookshopDatabase().write { db throws in
      let keys = Array(1...count)
      #expect(try Book.fetchAll(db, keys: keys).count == 4)
      #expect(try Book.filter(keys.contains(id)).fetchCount(db) == 4)
      #expect(try Review.deleteAll(db, keys: keys) == 3)
    }
  }

  @Test(arguments: [900, 5_000])
  func `Dictionaries of keys in any number are found`(count: Int) throws {
    try makeBookshopDatabase().read { db throws in
      let keys: [[String: (any DatabaseValueConvertible)?]] = (0..<count).map { number in
        ["shop": number == 7 ? "north" : "shop\(number)", "isbn": "a"]
      }
      #expect(try Stock.fetchAll(db, keys: keys).map(\.qty) == [3])
    }
  }

  @Test func `Too many tables, columns, and arguments are errors of SQLite`() throws {
    try makeBookshopDatabase().read { db throws in
      func managers(_ depth: Int) -> BelongsToAssociation<Employee, Employee> {
        depth == 0 ? Employee.manager : Employee.manager.including(optional: managers(depth - 1))
      }
      let join = Employee.including(optional: managers(70)).asRequest(of: Row.self)
      #expect(databaseError { try join.fetchAll(db) }?.message == "at most 64 tables in a join")
      let columns = Book.select((0..<3_000).map { id.forKey("c\($0)") }).asRequest(of: Row.self)
      #expect(
        databaseError { try columns.fetchOne(db) }?.message == "too many columns in result set")
      let count = db.maximumStatementArgumentCount + 1
      let sql =
        "SELECT 1 WHERE 1 IN (\(Array(repeating: "?", count: count).joined(separator: ",")))"
      let error = databaseError {
        try Row.fetchAll(db, sql: sql, arguments: StatementArguments(Array(0..<count)))
      }
      #expect(error?.message == "too many SQL variables")
    }
  }

  @Test func `Names with quotes are names; names that end too early are errors`() throws {
    try DatabaseQueue().write { db in
      try db.create(table: #"we"ird'"#) { t in t.column(#"a"b"#, .text) }
      try db.execute(literal: #"INSERT INTO \#(identifier: #"we"ird'"#) VALUES ('x')"#)
      let table = Table(#"we"ird'"#)
      #expect(try table.filter(Column(#"a"b"#) == "x").fetchCount(db) == 1)
      #expect(databaseError { try Table("a\0b").fetchAll(db) }?.resultCode == .SQLITE_ERROR)
      #expect(databaseError { try Table("").fetchAll(db) }?.message == "no such table: ")
    }
  }

  @Test
  func `large requests are results or errors on a small stack too`() throws {
    try onThread {
      try makeBookshopDatabase().read { db in
        let columns = (0..<4_000).map { id.forKey("c\($0)") }
        let selection = Book.select(columns).asRequest(of: Row.self)
        #expect(
          databaseError { try selection.fetchOne(db) }?.message
            == "too many columns in result set")
        let joins = (0..<500).reduce(Book.all()) { request, number in
          request.joining(optional: Book.author.forKey("author\(number)"))
        }
        #expect(
          databaseError { try joins.fetchAll(db) }?.message
            == "too many FROM clause terms, max: 200")
        let keys = Array(1...40_000)
        let count = try Book.filter(keys.contains(id)).fetchCount(db)
        #expect(count == 4)
        let byKey = try Book.fetchAll(db, keys: keys).count
        #expect(byKey == 4)
        let conditions = keys.map { id == $0 }
        #expect(
          databaseError { try Book.filter(conditions.joined(operator: .or)).fetchAll(db) }?
            .message?.contains("Expression tree is too large") == true)
      }
    }
  }
}
