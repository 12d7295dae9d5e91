import Foundation
import QuarryTestSupport
import Testing

@testable import Quarry

// `statement.execute(arguments: [...])` binds the elements of the literal without
// `StatementArguments`.
struct ArgumentLiteralTests {
  private func inTable(_ body: (Database, Statement) throws -> Void) throws {
    try DatabaseQueue().write { db in
      try db.execute(sql: "CREATE TABLE t(a, b, c)")
      try body(db, db.makeStatement(sql: "INSERT INTO t VALUES (?, ?, ?)"))
    }
  }

  @Test func `values of all types are stored`() throws {
    enum Color: Int, DatabaseValueConvertible { case red = 7 }
    try inTable { db, statement in
      let nothing: String? = nil
      let email: String? = "a text that is longer than fifteen bytes"
      try statement.execute(arguments: [1, 2.5, "short"])
      try statement.execute(arguments: [nothing, email, nil])
      try statement.execute(arguments: [email, nothing, nothing])
      try statement.execute(arguments: [Data([1, 2]), true, Int8(-3)])
      try statement.execute(arguments: [Color.red, Data(), ""])
      try statement.execute(arguments: [UInt64(5), Float(0.5), Int64.max])
      let rows = try Row.fetchAll(db, sql: "SELECT * FROM t ORDER BY rowid")
      #expect(
        rows == [
          ["a": 1, "b": 2.5, "c": "short"],
          ["a": nil, "b": "a text that is longer than fifteen bytes", "c": nil],
          ["a": "a text that is longer than fifteen bytes", "b": nil, "c": nil],
          ["a": Data([1, 2]), "b": 1, "c": -3],
          ["a": 7, "b": Data(), "c": ""],
          ["a": 5, "b": 0.5, "c": Int64.max],
        ])
      let types = try String.fetchAll(db, sql: "SELECT typeof(b) FROM t ORDER BY rowid")
      #expect(types == ["real", "text", "null", "integer", "blob", "real"])
    }
  }

  @Test func `the statement has the arguments afterwards, for itself and for the next execution`()
    throws
  {
    try inTable { db, statement in
      try statement.execute(arguments: [1, "two", nil])
      #expect(statement.arguments == [1, "two", nil])
      try statement.execute()
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM t WHERE b = 'two'") == 2)
      let others: StatementArguments = [4, 5, 6]
      try statement.execute(arguments: others)
      #expect(statement.arguments == others)
    }
  }

  @Test func `a list serves parameters with names`() throws {
    try inTable { db, _ in
      let statement = try db.makeStatement(sql: "INSERT INTO t VALUES (:a, :b, :a)")
      try statement.execute(arguments: ["x", "y"])
      #expect(try Row.fetchOne(db, sql: "SELECT * FROM t") == ["a": "x", "b": "y", "c": "x"])
      try statement.execute(arguments: ["a": 1, "b": 2])
      #expect(
        try Row.fetchOne(db, sql: "SELECT * FROM t WHERE a = 1") == ["a": 1, "b": 2, "c": 1])
    }
  }

  @Test func `a wrong number of arguments is an error, and nothing is executed`() throws {
    try inTable { db, statement in
      let tooFew = databaseError { try statement.execute(arguments: [1, 2]) }
      #expect(tooFew?.message == "wrong number of statement arguments: 2")
      #expect(tooFew?.sql == "INSERT INTO t VALUES (?, ?, ?)")
      let tooMany = databaseError { try statement.execute(arguments: [1, 2, 3, 4]) }
      #expect(tooMany?.message == "wrong number of statement arguments: 4")
      let none = databaseError { try statement.execute(arguments: []) }
      #expect(none?.message == "wrong number of statement arguments: 0")
      let named = try db.makeStatement(sql: "INSERT INTO t VALUES (:a, :b, 1)")
      let missing = databaseError { try named.execute(arguments: [1]) }
      #expect(missing?.message == "missing statement argument: b")
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM t") == 0)
    }
  }

  @Test func `a value that can't be stored is an error that names it`() throws {
    try inTable { db, statement in
      let error = databaseError { try statement.execute(arguments: [1, UInt64.max, 3]) }
      #expect(error?.resultCode == .SQLITE_MISMATCH)
      #expect(error?.message?.hasPrefix("argument 2 can't be bound: ") == true)
      try statement.execute(arguments: [1, 2, 3])
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM t") == 1)
    }
  }

  @Test func `a failed execution reports its arguments, where they are public`() throws {
    var configuration = Configuration()
    configuration.publicStatementArguments = true
    try DatabaseQueue(configuration: configuration).write { db in
      try db.execute(sql: "CREATE TABLE t(a PRIMARY KEY, b NOT NULL)")
      let statement = try db.makeStatement(sql: "INSERT INTO t VALUES (?, ?)")
      let error = databaseError { try statement.execute(arguments: ["secret", nil]) }
      #expect(error?.arguments == ["secret", nil])
      #expect(error?.description.contains(#"with arguments ["secret", NULL]"#) == true)
    }
  }

  @Test func `an argument that executes the statement is an error`() throws {
    final class Executing: DatabaseValueConvertible {
      let statement: Statement?
      init(_ statement: Statement?) { self.statement = statement }
      var databaseValue: DatabaseValue {
        try? statement?.execute(arguments: ["inner", 2, 3])
        return 1.databaseValue
      }
      static func fromDatabaseValue(_ dbValue: DatabaseValue) -> Executing? { Executing(nil) }
    }
    try inTable { db, statement in
      let error = databaseError {
        try statement.execute(arguments: [10, Executing(statement), 30])
      }
      #expect(error?.resultCode == .SQLITE_MISUSE)
      #expect(error?.message == "an argument has executed the statement")
      // The arguments of the inner execution are no longer there.
      let others = databaseError { try statement.execute() }
      #expect(others?.message == "wrong number of statement arguments: 0")
      #expect(try String.fetchAll(db, sql: "SELECT a FROM t") == ["inner"])
      try statement.execute(arguments: [10, Executing(nil), 30])
      #expect(
        try Row.fetchOne(db, sql: "SELECT * FROM t WHERE a = 10") == ["a": 10, "b": 1, "c": 30])
    }
  }

  @Test func `an argument can't execute the statement with the arguments before`() throws {
    final class Executing: DatabaseValueConvertible {
      let statement: Statement?
      init(_ statement: Statement?) { self.statement = statement }
      var databaseValue: DatabaseValue {
        #expect(throws: DatabaseError.self) { try statement?.execute() }
        return 2.databaseValue
      }
      static func fromDatabaseValue(_ dbValue: DatabaseValue) -> Executing? { Executing(nil) }
    }
    try inTable { db, statement in
      let (short, long) = (
        String(repeating: "a", count: 100), String(repeating: "b", count: 10_000)
      )
      try statement.execute(arguments: [short, "b", 1])
      try statement.execute(arguments: [long, Executing(statement), 3])
      let rows = try Row.fetchAll(db, sql: "SELECT * FROM t ORDER BY rowid")
      #expect(rows == [["a": short, "b": "b", "c": 1], ["a": long, "b": 2, "c": 3]])
    }
  }

  @Test func `texts may be larger than those before`() throws {
    try inTable { db, statement in
      for size in [10, 1_000, 2_000_000, 5] {
        let text = String(repeating: "é", count: size)
        try statement.execute(arguments: [size, text, text])
      }
      let sizes = try Int.fetchAll(db, sql: "SELECT length(b) FROM t WHERE b = c ORDER BY rowid")
      #expect(sizes == [10, 1_000, 2_000_000, 5])
    }
  }

  @Test func `the statement is refused outside of its access`() throws {
    let dbQueue = try DatabaseQueue()
    let statement = try dbQueue.write { db in
      try db.execute(sql: "CREATE TABLE t(a)")
      return try db.makeStatement(sql: "INSERT INTO t VALUES (?)")
    }
    let error = databaseError { try statement.execute(arguments: [1]) }
    #expect(error?.resultCode == .SQLITE_MISUSE)
    #expect(error?.message == "a statement or its cursor was used outside of its access")
  }
}
