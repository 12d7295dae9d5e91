import Foundation
import Quarry
import QuarryTestSupport
import Testing

@Suite("Trace")
struct TraceTests {
  private func traced(
    _ configuration: Configuration = Configuration(),
    options: Database.TracingOptions = .statement,
    running body: (Database) throws -> Void = run,
    _ describe: @escaping (Database.TraceEvent) -> String
  ) throws -> [String] {
    let log = Log<String>()
    let queue = try DatabaseQueue(configuration: configuration)
    try queue.inDatabase { db in
      try db.execute(sql: "CREATE TABLE t (a)")
      db.trace(options: options) { event in log.append(describe(event)) }
      try body(db)
    }
    return log.elements
  }

  private static func run(_ db: Database) throws {
    try db.execute(sql: "INSERT INTO t VALUES (?)", arguments: ["O'Brien"])
    _ = try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM t;")
  }

  @Test("Statements are traced with question marks for arguments")
  func descriptions() throws {
    #expect(try traced { "\($0)" } == ["INSERT INTO t VALUES (?)", "SELECT COUNT(*) FROM t"])
  }

  @Test("The expanded description has the arguments")
  func expandedDescriptions() throws {
    #expect(
      try traced { $0.expandedDescription } == [
        "INSERT INTO t VALUES ('O''Brien')", "SELECT COUNT(*) FROM t",
      ])
  }

  @Test("With public arguments, the description has them")
  func publicArguments() throws {
    var configuration = Configuration()
    configuration.publicStatementArguments = true
    #expect(
      try traced(configuration) { "\($0)" } == [
        "INSERT INTO t VALUES ('O''Brien')", "SELECT COUNT(*) FROM t",
      ])
  }

  @Test("A statement event has both texts, whatever the configuration", arguments: [false, true])
  func statementEvent(isPublic: Bool) throws {
    var configuration = Configuration()
    configuration.publicStatementArguments = isPublic
    let texts = try traced(configuration) { event in
      guard case .statement(let statement) = event else { return "" }
      return statement.sql + " | " + statement.expandedSQL
    }
    #expect(
      texts == [
        "INSERT INTO t VALUES (?) | INSERT INTO t VALUES ('O''Brien')",
        "SELECT COUNT(*) FROM t | SELECT COUNT(*) FROM t",
      ])
  }

  @Test("Triggers are traced as comments")
  func triggers() throws {
    let sql = """
      CREATE TEMPORARY TRIGGER insertion AFTER INSERT ON t BEGIN DELETE FROM t; END;
      INSERT INTO t VALUES (1);
      """
    let texts = try traced(running: { db in try db.execute(sql: sql) }) {
      "\($0) | \($0.expandedDescription)"
    }
    #expect(texts.contains("-- TRIGGER insertion | -- TRIGGER insertion"))
  }

  @Test("Ends of statements are traced with their duration")
  func profile() throws {
    let texts = try traced(options: .profile) { event in
      guard case .profile(let statement, let duration) = event else { return "" }
      #expect(duration >= 0)
      return statement.sql
    }
    #expect(texts == ["INSERT INTO t VALUES (?)", "SELECT COUNT(*) FROM t"])
  }

  @Test("The description of a profile event begins with the duration")
  func profileDescription() throws {
    let texts = try traced(options: .profile) { "\($0) | \($0.expandedDescription)" }
    let text = try #require(texts.first).replacing(#/\d+\.\d{3}s/#, with: "0.000s")
    #expect(
      text == "0.000s INSERT INTO t VALUES (?) | 0.000s INSERT INTO t VALUES ('O''Brien')")
  }

  @Test("Both kinds of events can be traced")
  func bothKinds() throws {
    let kinds = try traced(
      options: [.statement, .profile], running: { db in try db.execute(sql: "SELECT 1") }
    ) { event in
      switch event {
      case .statement: "statement"
      case .profile: "profile"
      }
    }
    #expect(kinds == ["statement", "profile"])
  }

  @Test("Without function, the trace stops")
  func stop() throws {
    let texts = try traced(running: { db in
      try db.execute(sql: "SELECT 1")
      db.trace()
      try db.execute(sql: "SELECT 2")
    }) { "\($0)" }
    #expect(texts == ["SELECT 1"])
  }

  @Test("A new function replaces the former one")
  func replacement() throws {
    let log = Log<String>()
    let texts = try traced(running: { db in
      try db.execute(sql: "SELECT 1")
      db.trace { log.append("\($0)") }
      try db.execute(sql: "SELECT 2")
    }) { "\($0)" }
    #expect(texts == ["SELECT 1"])
    #expect(log.elements == ["SELECT 2"])
  }
}
