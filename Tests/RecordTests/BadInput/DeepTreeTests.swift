import Foundation
import QuarryTestSupport
import Testing

@testable import Quarry

/// Requests that are nested deeply never exhaust the stack, which threads of some systems have
/// little of.
@Suite("Deep trees")
struct DeepTreeTests {
  /// Those of the library, then those of SQLite.
  private static let refusals = [
    "Expression tree is too large", "Associations are nested too deeply", "Recursion limit",
    "parser stack overflow", "misuse of", "too many", "row value misused", "no such", "near",
    "sub-select returns", "wrong number of arguments", "JSON", "constraint failed", "join",
  ]

  private func isRefusal(_ error: String) -> Bool {
    Self.refusals.contains(where: error.contains)
  }

  /// The errors of the requests that have the expression in one of their clauses.
  private func errors(of expression: SQLExpression, _ db: Database) -> [String] {
    let alias = TableAlias<Book>()
    let selection = Book.select(expression).asRequest(of: Row.self)
    let condition = Book.select(Book.Columns.id, as: Int.self).filter(expression)
    let aliased = Book.aliased(alias).filter(!expression || alias[expression] == 1)
    let prefetch = Author.including(all: Author.books.filter(expression).limit(1))
    return [
      errorText { try selection.fetchOne(db) },
      errorText { try selection.distinct().fetchCount(db) },
      errorText { try condition.fetchOne(db) },
      errorText { try aliased.fetchCount(db) },
      errorText { try Book.order(expression, expression.desc).fetchAll(db) },
      errorText { try Book.all().group(expression).having(expression).fetchCount(db) },
      errorText { try prefetch.asRequest(of: Row.self).fetchAll(db) },
      errorText { try Book.including(required: Book.author.filter(expression)).fetchCount(db) },
      errorText { try Book.filter(expression).deleteAll(db) },
      errorText { try Book.updateAll(db, Book.Columns.year.set(to: expression)) },
      errorText { try SQL("SELECT \(expression)").build(db) },
      errorText { try db.create(view: "v", as: condition) },
    ].compactMap { $0 }
  }

  @Test(arguments: DeepTreeKind.allCases, [5, 60, 400, 950, 3_000])
  func `Each kind of nesting is written, or refused, on a small stack`(
    kind: DeepTreeKind, depth: Int
  ) throws {
    let database = try makeBookshopDatabase()
    let found = try onThread {
      try database.unsafeRead { db in errors(of: kind.tree(depth), db) }
    }
    #expect(found.filter { !isRefusal($0) } == [])
  }

  @Test(arguments: DeepTreeKind.allCases, [400, 950])
  func `Trees of the large stack of another thread are written, or refused, on a small one`(
    kind: DeepTreeKind, depth: Int
  ) throws {
    let database = try makeBookshopDatabase()
    let tree = try onThread(stackSize: 64 << 20) { kind.tree(depth) }
    let found = try onThread {
      try database.unsafeRead { db in
        // The second time, requests are numbered, and the third time they are known.
        try (1...3).flatMap { _ in
          var found: [String] = []
          try db.inTransaction {
            found = errors(of: tree, db)
            return .rollback
          }
          return found
        }
      }
    }
    #expect(found.filter { !isRefusal($0) } == [])
  }

  @Test func `A stack that is large enough has room for all that is legal`() throws {
    let text = try onThread(stackSize: 64 << 20) {
      try sql(of: Book.select(DeepTreeKind.minus.tree(990))).sql
    }
    let open = String(repeating: "? - (", count: 989)
    #expect(
      text == "SELECT \(open)? - \"id\"\(String(repeating: ")", count: 989)) FROM \"book\"")
    let subqueries = try onThread(stackSize: 64 << 20) {
      try sql(of: Book.select(DeepTreeKind.exists.tree(100))).sql
    }
    #expect(subqueries.components(separatedBy: "EXISTS").count == 101)
  }

  @Test(arguments: [1, 10])
  func `Deep trees have the values of shallow ones`(depth: Int) throws {
    let database = try makeBookshopDatabase()
    let values = try onThread {
      try database.read { db in
        try [DeepTreeKind.plus, .minus, .function, .subquery].map { kind in
          try Int.fetchOne(db, Book.filter(key: 2).select(kind.tree(depth)))
        }
      }
    }
    #expect(values == [2 + depth, depth.isMultiple(of: 2) ? 2 : -1, 2, depth == 0 ? 2 : 1])
  }

  @Test
  func `Trees that are too deep are refused on a large stack, too, and released on a small one`()
    throws
  {
    let tree = try onThread(stackSize: 64 << 20) { DeepTreeKind.plus.tree(100_000) }
    let error = try onThread(stackSize: 64 << 20) {
      errorText { try sql(of: Book.select(tree)) }
    }
    #expect(error?.hasPrefix("Expression tree is too large (maximum depth 1000)") == true)
    try onThread { _ = [tree.qualified(by: TableAlias<Book>())] }
    let associations = try onThread(stackSize: 64 << 20) {
      errorText { try sql(of: Self.nestings[0](150)) }
    }
    #expect(associations?.hasPrefix("Associations are nested too deeply") == true)
  }

  @Test func `SQL in SQL is one text, however deep it was`() throws {
    let literal = (0..<20_000).reduce(SQL("id")) { sql, _ in
      SQL("\(sql.sqlExpression)\(SQL("").sqlSelection)\(SQL("").sqlOrdering)")
    }
    #expect(
      try onThread { try sql(of: Book.filter(literal: literal)) }.sql
        == #"SELECT * FROM "book" WHERE id"#)
  }

  private static let nestings: [@Sendable (Int) -> QueryInterfaceRequest<Employee>] = [
    { depth in
      func managers(_ depth: Int) -> BelongsToAssociation<Employee, Employee> {
        (0..<depth).reduce(Employee.manager) { inner, _ in
          Employee.manager.including(optional: inner)
        }
      }
      return Employee.including(optional: managers(depth))
    },
    { depth in
      let subordinates = (0..<depth).reduce(Employee.subordinates) { inner, _ in
        Employee.subordinates.including(all: inner)
      }
      return Employee.including(all: subordinates)
    },
    { depth in
      let subordinates = (0..<depth).reduce(Employee.subordinates) { inner, _ in
        Employee.subordinates.limit(1).including(all: inner)
      }
      return Employee.joining(optional: Employee.manager).including(all: subordinates)
    },
  ]

  @Test(arguments: nestings.indices, [5, 50, 90, 200, 20_000])
  func `Nested associations are fetched, or refused, on a small stack`(kind: Int, depth: Int) throws
  {
    let database = try makeBookshopDatabase()
    let error = try onThread(stackSize: (depth == 200 ? 384 : 512) * 1024) {
      try database.read { db in
        errorText {
          try Self.nestings[kind](depth).asRequest(of: Row.self).fetchAll(db)
        }
      }
    }
    // Associations of no row are not fetched, and not refused.
    #expect(depth > 10 || error == nil)
    if let error { #expect(isRefusal(error)) }
    #expect(depth < 200 || kind != 0 || error != nil)
  }

  /// Requests inside requests, without expressions.
  private static let chains: [@Sendable (Int) -> QueryInterfaceRequest<Employee>] = [
    { depth in nestings[0](depth) },
    { depth in nestings[1](depth) },
    { depth in
      let first = CommonTableExpression<Employee>(named: "level", request: Employee.all())
      let last = (0..<depth).reduce(first) { inner, level in
        CommonTableExpression<Employee>(named: "level\(level)", request: inner.all().with(inner))
      }
      return last.all().with(last)
    },
    { depth in
      (0..<depth).reduce(Employee.all()) { inner, level in inner.asTable(named: "level\(level)") }
    },
  ]

  /// The first time, a request is planned, then numbered, then known.
  @Test(arguments: chains.indices, [40, 60, 90])
  func `Requests that a large stack has prepared are fetched, or refused, on a small one`(
    kind: Int, depth: Int
  ) throws {
    for times in 0...3 {
      let database = try makeBookshopDatabase()
      let request = try onThread(stackSize: 64 << 20) {
        let request = Self.chains[kind](depth).filter(Column("id") > 1).asRequest(of: Row.self)
        for _ in 0..<times {
          let error = try database.read { db in errorText { try request.fetchAll(db) } }
          if let error { #expect(isRefusal(error)) }
        }
        return request
      }
      let errors = try onThread {
        try database.read { db in
          (1...2).compactMap { _ in errorText { try request.fetchAll(db) } }
        }
      }
      #expect(errors.filter { !isRefusal($0) } == [])
    }
  }

  @Test(.timeLimit(.minutes(10)))
  func `Long conditions are built in almost linear time`() throws {
    // Fewer than the arguments that SQLite allows: each value is one.
    let count = 30_000
    let id = Book.Columns.id
    let condition = (0..<count).reduce(id == 0) { $0 && id != $1 }
    let alternatives = (0..<count).reduce(id == 0) { $0 || id == $1 }
    let request = (0..<count).reduce(Book.all()) { $0.filter(id != $1) }
    let literal = (0..<count).reduce(SQL("id IN (0")) { SQL("\($0), \($1)") }
    let sum = (0..<count).reduce(SQL("0")) { $0 + SQL(" + \($1)") }
    #expect(try sql(of: Book.filter(condition)).arguments.values.count == count + 1)
    #expect(try sql(of: Book.filter(alternatives)).arguments.values.count == count + 1)
    #expect(try sql(of: request).arguments.values.count == count)
    #expect(try sql(of: Book.filter(literal: literal)).arguments.values.count == count)
    #expect(try sql(of: Book.filter(literal: sum)).arguments.values.count == count)
  }
}
