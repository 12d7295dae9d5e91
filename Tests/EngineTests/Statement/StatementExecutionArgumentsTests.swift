import Quarry
import QuarryTestSupport
import Testing

@Suite("Arguments of statements")
struct StatementExecutionArgumentsTests {
  private func statement<T>(_ sql: String, _ body: (Statement) throws -> T) throws -> T {
    try DatabaseQueue().inDatabase { db in try body(db.makeStatement(sql: sql)) }
  }

  struct Misfit: CustomTestStringConvertible, Sendable {
    var sql: String
    var arguments: StatementArguments
    var message: String
    /// The line between the message and the SQL, for a wrong number.
    var details = ""
    var testDescription: String { "\(sql) \(arguments)" }
  }

  private static func text(_ message: String, _ details: String, _ sql: String) -> String {
    "SQLite error 21: \(message)" + (details.isEmpty ? " " : "\n\(details)\n")
      + "- while executing `\(sql)`"
  }

  private static let two = "the statement has 2 parameters"

  private static let misfits = [
    Misfit(
      sql: "SELECT ?, ?", arguments: [], message: "wrong number of statement arguments: 0",
      details: two),
    Misfit(
      sql: "SELECT ?, ?", arguments: [1], message: "wrong number of statement arguments: 1",
      details: two),
    Misfit(
      sql: "SELECT ?, ?", arguments: [1, 2, 3],
      message: "wrong number of statement arguments: 3", details: two),
    Misfit(
      sql: "SELECT 1", arguments: [1], message: "wrong number of statement arguments: 1",
      details: "the statement has 0 parameters"),
    Misfit(sql: "SELECT :a, :b", arguments: ["a": 1], message: "missing statement argument: b"),
    Misfit(sql: "SELECT @a", arguments: ["b": 1], message: "missing statement argument: a"),
    Misfit(sql: "SELECT $a", arguments: [], message: "missing statement argument: a"),
    Misfit(
      sql: "SELECT :a, ?", arguments: ["a": 1], message: "wrong number of statement arguments: 0",
      details: two),
    Misfit(
      sql: "SELECT :a, ?", arguments: [1, 2] + ["a": 3],
      message: "wrong number of statement arguments: 2", details: two),
  ]

  @Test(arguments: misfits)
  func `arguments that don't fit are an error with the SQL`(misfit: Misfit) throws {
    let text = Self.text(misfit.message, misfit.details, misfit.sql)
    let arguments = misfit.arguments
    try statement(misfit.sql) { statement in
      #expect(errorText { try statement.validateArguments(arguments) } == text)
      #expect(errorText { try statement.setArguments(arguments) } == text)
      #expect(errorText { try statement.execute(arguments: arguments) } == text)
      #expect(errorText { try Row.fetchCursor(statement, arguments: arguments) } == text)
      #expect(errorText { try Row.fetchAll(statement, arguments: arguments) } == text)
      #expect(errorText { try Row.fetchOne(statement, arguments: arguments) } == text)
      #expect(errorText { try Int.fetchAll(statement, arguments: arguments) } == text)
      #expect(errorText { try Int.fetchOne(statement, arguments: arguments) } == text)
    }
    try DatabaseQueue().read { db in
      for _ in 1...2 {
        #expect(
          errorText { try Row.fetchAll(db, sql: misfit.sql, arguments: arguments) } == text)
        #expect(
          errorText { try Int.fetchCursor(db, sql: misfit.sql, arguments: arguments) } == text)
      }
    }
  }

  struct Fit: CustomTestStringConvertible, Sendable {
    var sql: String
    var arguments: StatementArguments
    var values: [DatabaseValue]
    var testDescription: String { "\(sql) \(arguments)" }

    init(_ sql: String, _ arguments: StatementArguments, _ values: [Int?]) {
      self.sql = sql
      self.arguments = arguments
      self.values = values.map(\.databaseValue)
    }
  }

  private static let fits = [
    Fit("SELECT ?, ?", [1, 2], [1, 2]),
    Fit("SELECT ?, ?", [1, nil], [1, nil]),
    Fit("SELECT :a, @b, $c", ["a": 1, "b": 2, "c": 3], [1, 2, 3]),
    Fit("SELECT :a, @b, $c", [1, 2, 3], [1, 2, 3]),
    Fit("SELECT :a, :b", ["a": 1, "b": 2, "unused": 3], [1, 2]),
    Fit("SELECT :a, :a", ["a": 1], [1, 1]),
    Fit("SELECT ?, :a, ?", [1, 2] + ["a": 3], [1, 3, 2]),
    Fit("SELECT :a, :b", [1] + ["a": 2], [2, 1]),
    Fit("SELECT 1", [], [1]),
    Fit("SELECT 1", ["unused": 3], [1]),
  ]

  @Test(arguments: fits)
  func `arguments that fit are bound by name, else by position`(fit: Fit) throws {
    try statement(fit.sql) { statement in
      try statement.validateArguments(fit.arguments)
      try statement.setArguments(fit.arguments)
      #expect(statement.arguments == fit.arguments)
      #expect(try Row.fetchOne(statement).map { Array($0.databaseValues) } == fit.values)
      statement.arguments = fit.arguments
      #expect(try Row.fetchOne(statement).map { Array($0.databaseValues) } == fit.values)
    }
    try DatabaseQueue().read { db in
      for _ in 1...2 {
        let row = try Row.fetchOne(db, sql: fit.sql, arguments: fit.arguments)
        #expect(row.map { Array($0.databaseValues) } == fit.values)
      }
    }
  }

  @Test(
    arguments: [
      ("SELECT ?", "wrong number of statement arguments: 0", "the statement has 1 parameter"),
      ("SELECT :a", "missing statement argument: a", ""),
    ])
  func `a statement that runs without its arguments is an error`(
    sql: String, message: String, details: String
  ) throws {
    let text = Self.text(message, details, sql)
    try statement(sql) { statement in
      #expect(errorText { try statement.execute() } == text)
      #expect(errorText { try Row.fetchAll(statement) } == text)
      #expect(errorText { try Int.fetchOne(statement) } == text)
      let cursor = try? Row.fetchCursor(statement)
      #expect(cursor == nil || errorText { try cursor?.next() } == text)
    }
    try DatabaseQueue().read { db throws in
      for _ in 1...2 {
        #expect(errorText { try Int.fetchOne(db, sql: sql) } == text)
        #expect(try Int.fetchOne(db, sql: sql, arguments: [1]) == 1)
        #expect(errorText { try db.execute(sql: sql) } == text)
      }
    }
  }

  @Test func `unchecked arguments: what is missing is NULL, what is too much is ignored`() throws {
    try statement("SELECT ?, :a, ?") { statement throws in
      let cases: [(StatementArguments, [DatabaseValue])] = [
        ([], [.null, .null, .null]),
        ([1], [1.databaseValue, .null, .null]),
        (["a": 2], [.null, 2.databaseValue, .null]),
        ([1, 2, 3, 4], [1, 2, 3].map(\.databaseValue)),
      ]
      for (arguments, values) in cases {
        statement.setUncheckedArguments(arguments)
        #expect(try Row.fetchOne(statement).map { Array($0.databaseValues) } == values)
      }
    }
  }

  @Test func `an unchecked argument that can't be stored is an error of all executions with it`()
    throws
  {
    try statement("SELECT ?, ?") { statement throws in
      let text = """
        SQLite error 20: argument 2 can't be bound: could not convert 18446744073709551615 to an \
        Int64 that can be stored in the database - while executing `SELECT ?, ?`
        """
      statement.setUncheckedArguments([1, UInt64.max])
      for _ in 1...2 {
        #expect(errorText { try statement.execute() } == text)
        #expect(errorText { try Row.fetchOne(statement) } == text)
      }
      statement.setUncheckedArguments([1, 2])
      #expect(
        try Row.fetchOne(statement).map { Array($0.databaseValues) } == [1, 2].map(\.databaseValue))
      statement.setUncheckedArguments([UInt64.max, UInt64.max])
      #expect(errorText { try statement.execute() }?.contains("argument 1 can't be bound") == true)
      try statement.setArguments([3, 4])
      #expect(
        try Row.fetchOne(statement).map { Array($0.databaseValues) } == [3, 4].map(\.databaseValue))
    }
  }

  @Test func `arguments that don't fit leave the former ones in place`() throws {
    try statement("SELECT ?") { statement in
      try statement.setArguments([1])
      #expect(throws: DatabaseError.self) { try statement.setArguments([1, 2]) }
      #expect(statement.arguments == [1])
      #expect(try Int.fetchOne(statement) == 1)
    }
  }

  @Test func `assigning arguments that don't fit stops the program`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      try DatabaseQueue().inDatabase { db in
        let statement = try db.makeStatement(sql: "SELECT ?")
        statement.arguments = [1, 2]
      }
    }
    let text = errorText(of: result)
    #expect(text.contains("wrong number of statement arguments: 2"))
  }
}
