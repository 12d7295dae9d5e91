import Foundation
import QuarryTestSupport
import Testing

@testable import Quarry

@Suite("Functions")
struct DatabaseFunctionTests {
  private func inDatabase<T>(
    _ functions: DatabaseFunction..., body: (Database) throws -> T
  ) throws -> T {
    try DatabaseQueue().inDatabase { db throws -> T in
      for function in functions { db.add(function: function) }
      return try body(db)
    }
  }

  /// Tells the storage of its argument.
  private static let described = DatabaseFunction("described", argumentCount: 1) { arguments in
    "\(arguments[0].storage)"
  }

  /// Returns its argument.
  private static let same = DatabaseFunction("same", argumentCount: 1) { $0[0] }

  private static var values: [(any DatabaseValueConvertible, String)] {
    [
      (DatabaseValue.null, "null"),
      (Int64.max, "int64(9223372036854775807)"), (Int64.min, "int64(-9223372036854775808)"),
      (1.5, "double(1.5)"), (Double.infinity, "double(inf)"),
      ("", "string(\"\")"), ("é🙂", "string(\"é🙂\")"), ("a\0b", "string(\"a\\0b\")"),
      (Data(), "blob(0 bytes)"), (Data([0, 1, 255]), "blob(3 bytes)"),
    ]
  }

  @Test(arguments: values.map { value, text in (value.databaseValue, text) })
  func `arguments of all storages arrive, and come back`(value: DatabaseValue, text: String) throws
  {
    try inDatabase(Self.described, Self.same) { db in
      let row = try #require(
        try Row.fetchOne(
          db, sql: "SELECT described(:v) AS d, same(:v) AS s, typeof(same(:v)) = typeof(:v) AS t",
          arguments: ["v": value]))
      #expect(row["d"] == text)
      #expect(row["s"] == value)
      #expect(row["t"] == true)
    }
  }

  @Test func `a function without result returns NULL`() throws {
    try inDatabase(DatabaseFunction("void", argumentCount: 0) { _ in nil }) { db throws in
      #expect(try DatabaseValue.fetchOne(db, sql: "SELECT void()") == .null)
    }
  }

  @Test func `large texts and blobs go through functions`() throws {
    let text = String(repeating: "é", count: 5_000_000)
    let blob = Data(repeating: 7, count: 10_000_000)
    try inDatabase(Self.same) { db throws in
      #expect(try String.fetchOne(db, sql: "SELECT same(?)", arguments: [text]) == text)
      #expect(try Data.fetchOne(db, sql: "SELECT same(?)", arguments: [blob]) == blob)
    }
  }

  @Test func `a result that is longer than the limit of the connection is an error`() throws {
    try inDatabase(DatabaseFunction("long") { _ in String(repeating: "a", count: 2000) }) { db in
      db.setLimit(.length, to: 1000)
      let error = databaseError { try String.fetchOne(db, sql: "SELECT long()") }
      #expect(error?.resultCode == .SQLITE_TOOBIG)
      #expect(error?.message == "string or blob too big")
    }
  }

  @Test func `invalid UTF-8 is repaired`() throws {
    try inDatabase(Self.same) { db throws in
      #expect(
        try String.fetchOne(db, sql: "SELECT same(CAST(x'61FF62' AS TEXT))") == "a\u{FFFD}b")
    }
  }

  @Test func `functions of a database with another encoding get the same texts`() throws {
    try inDatabase(Self.described) { db throws in
      try db.execute(
        sql: "PRAGMA encoding = 'UTF-16'; CREATE TABLE t (a); INSERT INTO t VALUES ('é🙂')")
      #expect(try String.fetchOne(db, sql: "SELECT described(a) FROM t") == "string(\"é🙂\")")
    }
  }

  @Test(arguments: [0, 1, 5, 100])
  func `a variadic function takes any number of arguments`(count: Int) throws {
    try inDatabase(DatabaseFunction("counted") { $0.count }) { db throws in
      let marks = databaseQuestionMarks(count: count)
      let arguments = StatementArguments(Array(0..<count))
      #expect(
        try Int.fetchOne(db, sql: "SELECT counted(\(marks))", arguments: arguments) == count)
    }
  }

  @Test func `functions with the same name and other numbers of arguments live side by side`()
    throws
  {
    let one = DatabaseFunction("f", argumentCount: 1) { _ in "one" }
    let two = DatabaseFunction("f", argumentCount: 2) { _ in "two" }
    let any = DatabaseFunction("f") { _ in "any" }
    try inDatabase(one, two, any) { db throws in
      let row = try Row.fetchOne(db, sql: "SELECT f(1), f(1, 2), f(1, 2, 3), f()")
      #expect(
        row.map { Array($0.databaseValues) } == ["one", "two", "any", "any"].map(\.databaseValue))
    }
  }

  @Test func `a wrong number of arguments is an error`() throws {
    try inDatabase(Self.same) { db in
      let error = databaseError { try Int.fetchOne(db, sql: "SELECT same(1, 2)") }
      #expect(error?.resultCode == .SQLITE_ERROR)
      #expect(error?.message == "wrong number of arguments to function same()")
      #expect(error?.sql == "SELECT same(1, 2)")
    }
  }

  private struct CustomError: Error, CustomStringConvertible {
    var description: String { "custom é error" }
  }

  struct Failure: Sendable, CustomTestStringConvertible {
    var error: any Error
    var code: ResultCode
    var message: String
    var testDescription: String { message }
  }

  private static let failures = [
    Failure(error: CustomError(), code: .SQLITE_ERROR, message: "custom é error"),
    Failure(
      error: DatabaseError(message: "only a message"), code: .SQLITE_ERROR,
      message: "only a message"),
    Failure(
      error: DatabaseError(resultCode: .SQLITE_CONSTRAINT_CHECK, message: "checked"),
      code: .SQLITE_CONSTRAINT_CHECK, message: "checked"),
    Failure(
      error: DatabaseError(resultCode: ResultCode(rawValue: 123), message: "unknown code"),
      code: ResultCode(rawValue: 123), message: "unknown code"),
    Failure(
      error: DatabaseError(resultCode: .SQLITE_BUSY), code: .SQLITE_BUSY,
      message: "database is locked"),
    // What is no failure for SQLite can't be thrown as such.
    Failure(
      error: DatabaseError(resultCode: .SQLITE_OK, message: "all is well"), code: .SQLITE_ERROR,
      message: "all is well"),
    Failure(
      error: DatabaseError(resultCode: .SQLITE_DONE, message: "it is done"), code: .SQLITE_ERROR,
      message: "it is done"),
  ]

  @Test(arguments: failures)
  func `errors arrive with their message, and those of databases with their code`(failure: Failure)
    throws
  {
    let function = DatabaseFunction("f", argumentCount: 0) { _ in throw failure.error }
    try inDatabase(function) { db throws in
      let error = databaseError { try Int.fetchOne(db, sql: "SELECT f()") }
      #expect(error?.extendedResultCode == failure.code)
      #expect(error?.message == failure.message)
      #expect(error?.sql == "SELECT f()")
      // The connection still works.
      #expect(try Int.fetchOne(db, sql: "SELECT 1") == 1)
    }
  }

  @Test func `an error in the middle of an update undoes the update`() throws {
    let function = DatabaseFunction("positive", argumentCount: 1) { arguments in
      guard let number = Int.fromDatabaseValue(arguments[0]), number > 0 else {
        throw CustomError()
      }
      return number
    }
    try inDatabase(function) { db throws in
      try db.execute(sql: "CREATE TABLE t (a); INSERT INTO t VALUES (1), (2), (-3)")
      #expect(throws: DatabaseError.self) {
        try db.execute(sql: "UPDATE t SET a = positive(a) + 10")
      }
      #expect(try Int.fetchAll(db, sql: "SELECT a FROM t") == [1, 2, -3])
    }
  }

  @Test func `a value that can't be stored is an error that says so`() throws {
    try inDatabase(DatabaseFunction("huge", argumentCount: 0) { _ in UInt64.max }) { db in
      let error = databaseError { try Int.fetchOne(db, sql: "SELECT huge()") }
      #expect(error?.resultCode == .SQLITE_MISMATCH)
      #expect(
        error?.message
          == "could not convert 18446744073709551615 to an Int64 that can be stored in the database"
      )
    }
  }

  @Test func `only pure functions are accepted in indexes`() throws {
    let pure = DatabaseFunction("pure", argumentCount: 1, pure: true) { $0[0] }
    let impure = DatabaseFunction("impure", argumentCount: 1) { $0[0] }
    try inDatabase(pure, impure) { db in
      try db.execute(sql: "CREATE TABLE t (a); CREATE INDEX i ON t(pure(a))")
      let error = databaseError { try db.execute(sql: "CREATE INDEX j ON t(impure(a))") }
      #expect(error?.message == "non-deterministic functions prohibited in index expressions")
    }
  }

  @Test
  func
    `a function with the same name, whatever its case, and number of arguments replaces the former one`()
    throws
  {
    let old = DatabaseFunction("f", argumentCount: 0) { _ in "old" }
    let new = DatabaseFunction("F", argumentCount: 0) { _ in "new" }
    try inDatabase(old) { db throws in
      #expect(try String.fetchOne(db, sql: "SELECT f()") == "old")
      db.add(function: new)
      #expect(try String.fetchOne(db, sql: "SELECT f()") == "new")
    }
  }

  @Test func `a removed function is unknown`() throws {
    try inDatabase(Self.same) { db throws in
      #expect(try Int.fetchOne(db, sql: "SELECT same(1)") == 1)
      db.remove(function: DatabaseFunction("SAME", argumentCount: 1) { _ in nil })
      let error = databaseError { try Int.fetchOne(db, sql: "SELECT same(1)") }
      #expect(error?.message == "no such function: same")
      // Removing what is not there does nothing.
      db.remove(function: Self.same)
    }
  }

  @Test func `a function that throws a cancellation undoes its statement only`() throws {
    let refusing = DatabaseFunction("refuse", argumentCount: 1) { arguments in
      if arguments[0] == 2.databaseValue { throw CancellationError() }
      return arguments[0]
    }
    try inDatabase(refusing) { db throws in
      try db.execute(sql: "CREATE TABLE t (a); BEGIN; INSERT INTO t VALUES (1)")
      let error = databaseError {
        try db.execute(sql: "INSERT INTO t SELECT refuse(column1) FROM (VALUES (1), (2))")
      }
      #expect(error?.resultCode == .SQLITE_ERROR)
      #expect(error?.message == "CancellationError()")
      #expect(db.isInsideTransaction)
      try db.execute(sql: "COMMIT")
      #expect(try Int.fetchAll(db, sql: "SELECT a FROM t") == [1])
    }
  }

  @Test func `functions are identified by name and number of arguments`() {
    let one = DatabaseFunction("f", argumentCount: 1) { _ in nil }
    #expect(one.id == DatabaseFunction("F", argumentCount: 1) { _ in 1 }.id)
    #expect(one.id.hashValue == DatabaseFunction("F", argumentCount: 1) { _ in 1 }.id.hashValue)
    #expect(one.id != DatabaseFunction("f", argumentCount: 2) { _ in nil }.id)
    #expect(one.id != DatabaseFunction("f") { _ in nil }.id)
    #expect(one.id != DatabaseFunction("g", argumentCount: 1) { _ in nil }.id)
    #expect(one.name == "f")
  }

  @Test func `functions of the preparation exist on the connection`() throws {
    var configuration = Configuration()
    configuration.prepareDatabase { db in db.add(function: Self.same) }
    let queue = try DatabaseQueue(configuration: configuration)
    let value = try queue.read { db in try Int.fetchOne(db, sql: "SELECT same(5)") }
    #expect(value == 5)
  }

  @Test func `a function runs statements of another database`() throws {
    let other = try DatabaseQueue()
    try other.write { db in try db.execute(sql: "CREATE TABLE t AS SELECT 'far' AS a") }
    let function = DatabaseFunction("far", argumentCount: 0) { _ in
      try other.read { db in try String.fetchOne(db, sql: "SELECT a FROM t") }
    }
    try inDatabase(function) { db throws in
      #expect(try String.fetchOne(db, sql: "SELECT far()") == "far")
    }
  }

  @Test func `a function that uses its own queue gets an error, which the statement throws`() throws
  {
    let queue = try DatabaseQueue()
    let function = DatabaseFunction("again", argumentCount: 0) { [unowned queue] _ in
      try queue.read { db in try Int.fetchOne(db, sql: "SELECT 1") }
    }
    try queue.inDatabase { db throws -> Void in
      db.add(function: function)
      let error = databaseError { try Int.fetchOne(db, sql: "SELECT again()") }
      #expect(error?.resultCode == .SQLITE_MISUSE)
      #expect(error?.message == "Database methods are not reentrant.")
      db.remove(function: function)
    }
  }
}
