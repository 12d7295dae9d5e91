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

  @Test func `statements are traced with question marks for arguments`() throws {
    #expect(try traced { "\($0)" } == ["INSERT INTO t VALUES (?)", "SELECT COUNT(*) FROM t"])
  }

  @Test func `the expanded description has the arguments`() throws {
    #expect(
      try traced { $0.expandedDescription } == [
        "INSERT INTO t VALUES ('O''Brien')", "SELECT COUNT(*) FROM t",
      ])
  }

  @Test func `an empty blob is written like the others`() throws {
    struct Cover: Encodable, PersistableRecord {
      static let databaseTableName = "t"
      var a: Data
    }
    let texts = try traced { db throws in
      try db.execute(sql: "INSERT INTO t VALUES (?)", arguments: [Data()])
      try db.execute(sql: "INSERT INTO t VALUES (?)", arguments: [Data([1])])
      try Cover(a: Data()).insert(db)
      let statement = try db.makeStatement(sql: "SELECT typeof(?)")
      #expect(Data().bind(to: statement.sqliteStatement, at: 1) == 0)
      #expect(Data().databaseValue.bind(to: statement.sqliteStatement, at: 1) == 0)
      statement.setUncheckedArguments([Data()])
      #expect(try String.fetchOne(statement) == "blob")
    } _: {
      $0.expandedDescription
    }
    #expect(
      texts.filter { $0.contains("x'") } == [
        "INSERT INTO t VALUES (x'')", "INSERT INTO t VALUES (x'01')",
        #"INSERT INTO "t" ("a") VALUES (x'')"#, "SELECT typeof(x'')",
      ])
  }

  @Test func `with public arguments, the description has them`() throws {
    var configuration = Configuration()
    configuration.publicStatementArguments = true
    #expect(
      try traced(configuration) { "\($0)" } == [
        "INSERT INTO t VALUES ('O''Brien')", "SELECT COUNT(*) FROM t",
      ])
  }

  @Test(arguments: [false, true])
  func `a statement event has both texts, whatever the configuration`(isPublic: Bool) throws {
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

  @Test func `triggers are traced as comments`() throws {
    let sql = """
      CREATE TEMPORARY TRIGGER insertion AFTER INSERT ON t BEGIN DELETE FROM t; END;
      INSERT INTO t VALUES (1);
      """
    let texts = try traced(running: { db in try db.execute(sql: sql) }) {
      "\($0) | \($0.expandedDescription)"
    }
    #expect(texts.contains("-- TRIGGER insertion | -- TRIGGER insertion"))
  }

  @Test func `ends of statements are traced with their duration`() throws {
    let texts = try traced(options: .profile) { event in
      guard case .profile(let statement, let duration) = event else { return "" }
      #expect(duration >= 0)
      return statement.sql
    }
    #expect(texts == ["INSERT INTO t VALUES (?)", "SELECT COUNT(*) FROM t"])
  }

  @Test func `the description of a profile event begins with the duration`() throws {
    let texts = try traced(options: .profile) { "\($0) | \($0.expandedDescription)" }
    let text = try #require(texts.first).replacing(#/\d+\.\d{3}s/#, with: "0.000s")
    #expect(
      text == "0.000s INSERT INTO t VALUES (?) | 0.000s INSERT INTO t VALUES ('O''Brien')")
  }

  @Test func `both kinds of events can be traced`() throws {
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

  @Test func `without function, the trace stops`() throws {
    let texts = try traced(running: { db in
      try db.execute(sql: "SELECT 1")
      db.trace()
      try db.execute(sql: "SELECT 2")
    }) { "\($0)" }
    #expect(texts == ["SELECT 1"])
  }

  @Test func `a new function replaces the former one`() throws {
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
