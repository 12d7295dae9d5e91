import Foundation
import QuarryTestSupport
import Testing

@testable import Quarry
@testable import QuarryTables

@Suite("Collections as tables")
struct RowsTableTests {
  private struct Loan: Sendable {
    var isbn: String
    var days: Int
    var member: String?
    var fee = 0.5
  }

  private static let loans = [
    Loan(isbn: "111", days: 7, member: "Ann"), Loan(isbn: "222", days: 14),
    Loan(isbn: "111", days: 30, member: "Cat", fee: 2),
  ]

  private func withLoans<T>(_ body: (Database) throws -> T) throws -> T {
    try DatabaseQueue().inDatabase { db throws -> T in
      try db.register(table: "loan", rows: Self.loans) { t in
        t.column("isbn", isIndexed: true, \.isbn)
        t.column("days", \.days)
        t.column("member", \.member)
        t.column("total") { Double($0.days) * $0.fee }
      }
      return try body(db)
    }
  }

  @Test func `a collection is a table`() throws {
    try withLoans { db throws in
      #expect(
        try Row.fetchAll(db, sql: "SELECT rowid, * FROM loan WHERE days > 7 ORDER BY days") == [
          ["rowid": 2, "isbn": "222", "days": 14, "member": nil, "total": 7.0],
          ["rowid": 3, "isbn": "111", "days": 30, "member": "Cat", "total": 60.0],
        ])
      #expect(try db.columns(in: "loan").map(\.type) == ["TEXT", "INTEGER", "TEXT", "DOUBLE"])
    }
  }

  @Test func `the rows of an indexed column are looked up`() throws {
    try withLoans { db throws in
      let sql = "SELECT days FROM loan WHERE isbn = ?"
      #expect(try Int.fetchAll(db, sql: sql, arguments: ["111"]) == [7, 30])
      #expect(try Int.fetchAll(db, sql: sql, arguments: [111]) == [7, 30])
      #expect(try Int.fetchAll(db, sql: sql, arguments: [111.0]) == [])
      #expect(try Int.fetchAll(db, sql: sql, arguments: [nil]) == [])
      #expect(
        try Int.fetchAll(db, sql: "SELECT days FROM loan WHERE isbn IN ('222', '111')").sorted()
          == [7, 14, 30])
      let plan = try String.fetchAll(
        db, sql: "EXPLAIN QUERY PLAN \(sql)", arguments: ["1"],
        adapter: SuffixRowAdapter(fromIndex: 3))
      #expect(plan == ["SCAN loan VIRTUAL TABLE INDEX 0:0=;;;3"])
    }
  }

  @Test func `texts that look like numbers are compared as SQLite does`() throws {
    try DatabaseQueue().inDatabase { db throws -> Void in
      let texts = ["5", "5.0", " 5", "05", "five", "", "1e1", "10", "0.3", "12345678901234567890"]
      try db.register(table: "t", rows: texts) { t in t.column("a", isIndexed: true) { $0 } }
      try db.execute(sql: "CREATE TABLE o (a TEXT)")
      for text in texts { try db.execute(sql: "INSERT INTO o VALUES (?)", arguments: [text]) }
      let values: [any DatabaseValueConvertible] = [
        "5", 5, 5.0, "five", "", 10, 10.0, "1e1", 0.1 + 0.2, 0.3, 12345678901234567890.0,
      ]
      for value in values {
        let expected = try String.fetchAll(
          db, sql: "SELECT a FROM o WHERE a = ?", arguments: [value])
        let found = try String.fetchAll(
          db, sql: "SELECT a FROM t WHERE a = ?", arguments: [value])
        #expect(found == expected, "\(value)")
      }
      try db.execute(sql: "CREATE TABLE n (b INTEGER); INSERT INTO n VALUES (5), (10)")
      let sql = "SELECT b, a FROM n JOIN %T ON a = b ORDER BY b, a"
      #expect(
        try Row.fetchAll(db, sql: sql.replacingOccurrences(of: "%T", with: "t"))
          == Row.fetchAll(db, sql: sql.replacingOccurrences(of: "%T", with: "o")))
    }
  }

  @Test func `the table keeps the collection`() throws {
    var numbers = [1, 2, 3]
    try DatabaseQueue().inDatabase { db throws -> Void in
      try db.register(table: "n", rows: numbers) { t in t.column("n") { $0 } }
      numbers.append(4)
      #expect(try Int.fetchAll(db, sql: "SELECT n FROM n") == [1, 2, 3])
      #expect(numbers.count == 4)
    }
  }

  @Test func `rows that change during a scan are those of its beginning`() throws {
    let numbers = Locked([1, 2, 3])
    try DatabaseQueue().inDatabase { db throws -> Void in
      try db.register(table: "n", rows: { _ in numbers.withLock { $0 } }) { t in
        t.column("n") { $0 }
      }
      let cursor = try Int.fetchCursor(db, sql: "SELECT n FROM n")
      #expect(try cursor.next() == 1)
      numbers.withLock { $0 = [] }
      #expect(try cursor.next() == 2)
      #expect(try cursor.next() == 3)
      #expect(try cursor.next() == nil)
      #expect(try Int.fetchAll(db, sql: "SELECT n FROM n") == [])
    }
  }

  @Test func `an empty collection, and other collections`() throws {
    try DatabaseQueue().inDatabase { db throws -> Void in
      try db.register(table: "none", rows: [Loan]()) { t in t.column("isbn", \.isbn) }
      #expect(try Row.fetchAll(db, sql: "SELECT * FROM none WHERE isbn = 'x'") == [])
      try db.register(table: "range", rows: 1...3) { t in t.column("n") { $0 } }
      #expect(try Int.fetchOne(db, sql: "SELECT SUM(n) FROM range") == 6)
      try db.register(table: "pairs", rows: ["a": 1]) { t in
        t.column("key", \.key)
        t.column("value", \.value)
      }
      #expect(try Row.fetchOne(db, sql: "SELECT * FROM pairs") == ["key": "a", "value": 1])
    }
  }

  @Test func `an error of a value is thrown`() throws {
    try DatabaseQueue().inDatabase { db throws -> Void in
      try db.register(table: "n", rows: [1, 2]) { t in
        t.column("n", isIndexed: true) { number throws -> Int in
          if number == 2 { throw TableFailure(description: "two is too much") }
          return number
        }
      }
      let error = databaseError { try Int.fetchAll(db, sql: "SELECT n FROM n") }
      #expect(error?.message == "n: two is too much")
      let lookup = databaseError { try Int.fetchAll(db, sql: "SELECT n FROM n WHERE n = 1") }
      #expect(lookup?.message == "n: two is too much")
    }
  }
}
