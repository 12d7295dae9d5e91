import Foundation
import QuarryTestSupport
import Testing

@testable import Quarry

/// A statement that is used by the functions and the records that it calls.
struct CallingStatementTests {
  /// A record that does something while it is decoded.
  private struct Page: FetchableRecord, Hashable {
    @TaskLocal static var whileDecoding: Hook?
    let number: Int

    init(row: Row) throws {
      number = row[0]
      try Self.whileDecoding?.run()
    }
  }

  /// An object: Swift 6.3.1 miscompiles task-local values that are functions, with optimization.
  private final class Hook: Sendable {
    let run: @Sendable () throws -> Void

    init(_ run: @escaping @Sendable () throws -> Void) { self.run = run }
  }

  /// What a function of a connection uses.
  private final class Shelf: @unchecked Sendable {
    let db: Database
    var statement: Statement?
    var cursor: FastDatabaseValueCursor<Int>?
    var pages: RecordCursor<Page>?

    init(_ db: Database) { self.db = db }
  }

  private func inDatabase(_ body: (Database, Shelf) throws -> Void) throws {
    try DatabaseQueue().inDatabase { db in
      try db.execute(
        sql: "CREATE TABLE page (number INTEGER); INSERT INTO page VALUES (1), (2), (3)")
      try body(db, Shelf(db))
    }
  }

  private static let sql = "SELECT number FROM page ORDER BY number"

  private static func message(_ sql: String) -> String {
    """
    SQLite error 21: a statement can't be used by a function or a record that it is calling \
    - while executing `\(sql)`
    """
  }

  @Test func `a cursor throws to the record that it decodes, and goes on`() throws {
    try inDatabase { db, shelf throws in
      let cursor = try Page.fetchCursor(db, sql: Self.sql)
      shelf.pages = cursor
      let texts = Log<String?>()
      let first = try Page.$whileDecoding.withValue(
        Hook {
          texts.append(errorText { try shelf.pages?.next() })
        }
      ) { try cursor.next() }
      #expect(first?.number == 1)
      #expect(texts.elements == [Self.message(Self.sql)])
      #expect(
        Page.$whileDecoding.withValue(Hook { _ = try shelf.pages?.next() }) {
          errorText { try cursor.next() }
        } == Self.message(Self.sql))
      #expect(try cursor.next()?.number == 3)
    }
  }

  @Test func `a cursor throws to the function that it calls`() throws {
    try inDatabase { db, shelf throws in
      db.add(function: DatabaseFunction("turn", argumentCount: 0) { _ in try shelf.cursor?.next() })
      let sql = "SELECT turn() FROM page"
      let cursor = try Int.fetchCursor(db, sql: sql)
      shelf.cursor = cursor
      let error = databaseError { try cursor.next() }
      #expect(error?.resultCode == .SQLITE_MISUSE)
      #expect(error?.message?.contains("can't be used by a function") == true)
    }
  }

  @Test func `no fetch lets the record that it decodes execute its statement`() throws {
    let uses: [@Sendable (Statement) throws -> Void] = [
      { _ = try Int.fetchAll($0) }, { _ = try Row.fetchAll($0) }, { try $0.execute() },
      { _ = try Int.fetchCursor($0) }, { try $0.setArguments([]) }, { _ = try Page.fetchOne($0) },
    ]
    let fetches: [(Statement) throws -> [Int]] = [
      { try Page.fetchAll($0).map(\.number) },
      { try Page.fetchSet($0).map(\.number).sorted() },
      { try Page.fetchOne($0).map { [$0.number] } ?? [] },
      { try Array(Page.fetchCursor($0)).map(\.number) },
    ]
    try inDatabase { db, shelf throws in
      let statement = try db.makeStatement(sql: Self.sql)
      shelf.statement = statement
      for use in uses {
        for fetch in fetches {
          let whileDecoding: @Sendable () throws -> Void = {
            if let statement = shelf.statement { try use(statement) }
          }
          let text = Page.$whileDecoding.withValue(Hook(whileDecoding)) {
            errorText { try fetch(statement) }
          }
          #expect(text == Self.message(Self.sql))
          // A record that ignores the error changes nothing.
          let ignoring: @Sendable () throws -> Void = { try? whileDecoding() }
          let numbers = try Page.$whileDecoding.withValue(Hook(ignoring)) { try fetch(statement) }
          #expect(numbers == [1, 2, 3] || numbers == [1])
          #expect(try fetch(statement) == numbers)
        }
      }
    }
  }

  @Test func `a statement throws to the function that it calls`() throws {
    let uses: [@Sendable (Statement) throws -> Void] = [
      { try $0.execute() }, { try $0.execute(arguments: [7]) }, { try $0.setArguments([7]) },
      { _ = try Row.fetchOne($0) }, { _ = try Int.fetchCursor($0) },
    ]
    let sql = "SELECT meddle() + ? FROM page"
    for use in uses {
      try inDatabase { db, shelf throws in
        let texts = Log<String?>()
        db.add(
          function: DatabaseFunction("meddle", argumentCount: 0) { _ in
            if let statement = shelf.statement { texts.append(errorText { try use(statement) }) }
            return 1
          })
        let statement = try db.makeStatement(sql: sql)
        shelf.statement = statement
        #expect(try Int.fetchAll(statement, arguments: [10]) == [11, 11, 11])
        #expect(texts.elements == [String?](repeating: Self.message(sql), count: 3))
      }
    }
  }

  @Test
  func `unchecked arguments that a function gives to its statement are an error of the next use`()
    throws
  {
    try inDatabase { db, shelf throws in
      db.add(
        function: DatabaseFunction("meddle", argumentCount: 0) { _ in
          shelf.statement?.setUncheckedArguments([100])
          return 1
        })
      let sql = "SELECT meddle() + ? FROM page"
      let statement = try db.makeStatement(sql: sql)
      shelf.statement = statement
      #expect(try Int.fetchAll(statement, arguments: [10]) == [11, 11, 11])
      #expect(errorText { try Int.fetchAll(statement) } == Self.message(sql))
      shelf.statement = nil
      #expect(try Int.fetchAll(statement, arguments: [20]) == [21, 21, 21])
    }
  }

  @Test func `a cached statement that runs is given to nobody else`() throws {
    try inDatabase { db, shelf throws in
      let sql = "SELECT total(?) + number FROM page ORDER BY number"
      db.add(
        function: DatabaseFunction("total", argumentCount: 1, pure: true) { values in
          guard let depth = Int.fromDatabaseValue(values[0]), depth > 0 else { return 0 }
          let statement = try shelf.db.cachedStatement(sql: sql)
          return try Int.fetchAll(statement, arguments: [depth - 1]).reduce(0, +)
        })
      let statement = try db.cachedStatement(sql: sql)
      // The total of the pages, and thrice that total with the pages.
      #expect(try Int.fetchAll(statement, arguments: [0]) == [1, 2, 3])
      #expect(try Int.fetchAll(statement, arguments: [1]) == [7, 8, 9])
      #expect(try Int.fetchAll(statement, arguments: [2]) == [25, 26, 27])
      #expect(try db.cachedStatement(sql: sql) === statement)
    }
  }

  @Test func `a cached statement in the middle of its rows is given to nobody else`() throws {
    try inDatabase { db, _ throws in
      let statement = try db.cachedStatement(sql: Self.sql)
      let cursor = try Int.fetchCursor(statement)
      #expect(try cursor.next() == 1)
      let other = try db.cachedStatement(sql: Self.sql)
      #expect(other !== statement)
      #expect(try Int.fetchAll(other) == [1, 2, 3])
      #expect(try Array(cursor) == [2, 3])
      #expect(try db.cachedStatement(sql: Self.sql) === statement)
    }
  }
}
