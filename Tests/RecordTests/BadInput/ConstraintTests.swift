import Quarry
import QuarryRecords
import QuarryTestSupport
import Testing

private struct Account: Codable, FetchableRecord, PersistableRecord {
  var id: Int64
  var email: String?
  var balance: Int
  var teamId: Int64?
}

private struct MutableAccount: Codable, FetchableRecord, MutablePersistableRecord {
  static let databaseTableName = "account"

  var id: Int64?
  var email: String?
  var balance: Int
  var teamId: Int64?
}

@Suite("Constraints that are violated")
struct ConstraintTests {
  private func inDatabase(_ body: (Database) throws -> Void) throws {
    try DatabaseQueue().inDatabase { db in
      try db.execute(
        sql: """
          CREATE TABLE team (id INTEGER PRIMARY KEY);
          CREATE TABLE account (
            id INTEGER PRIMARY KEY, email TEXT NOT NULL UNIQUE, balance INTEGER CHECK (balance >= 0),
            teamId INTEGER REFERENCES team(id));
          INSERT INTO team VALUES (1);
          INSERT INTO account VALUES (1, 'a@x', 10, 1), (2, 'b@x', 20, NULL);
          """)
      try body(db)
      #expect(try Int.fetchOne(db, sql: "SELECT SUM(id * balance) FROM account") == 50)
    }
  }

  fileprivate struct Violation: CustomTestStringConvertible, Sendable {
    var code: ResultCode
    var message: String
    var values: @Sendable (inout Account) -> Void

    var testDescription: String { message }
  }

  private static let violations = [
    Violation(
      code: .SQLITE_CONSTRAINT_UNIQUE, message: "UNIQUE constraint failed: account.email",
      values: { $0.email = "a@x" }),
    Violation(
      code: .SQLITE_CONSTRAINT_NOTNULL, message: "NOT NULL constraint failed: account.email",
      values: { $0.email = nil }),
    Violation(
      code: .SQLITE_CONSTRAINT_CHECK, message: "CHECK constraint failed: balance >= 0",
      values: { $0.balance = -1 }),
    Violation(
      code: .SQLITE_CONSTRAINT_FOREIGNKEY, message: "FOREIGN KEY constraint failed",
      values: { $0.teamId = 7 }),
  ]

  private func expect(
    _ violation: Violation, _ sql: String, _ write: () throws -> Void,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let error = databaseError(write)
    #expect(error?.extendedResultCode == violation.code, sourceLocation: sourceLocation)
    #expect(error?.resultCode == .SQLITE_CONSTRAINT, sourceLocation: sourceLocation)
    #expect(error?.message == violation.message, sourceLocation: sourceLocation)
    let text = error?.description ?? "no error"
    #expect(
      text.hasPrefix("SQLite error 19: \(violation.message)")
        && text.contains("- while executing `\(sql)"),
      "\(text)", sourceLocation: sourceLocation)
    #expect(error?.arguments?.isEmpty == false, sourceLocation: sourceLocation)
  }

  @Test(arguments: violations)
  fileprivate func `Inserts and updates of records throw, with their SQL`(violation: Violation)
    throws
  {
    try inDatabase { db in
      var account = Account(id: 3, email: "c@x", balance: 0, teamId: nil)
      violation.values(&account)
      var mutable = MutableAccount(
        id: nil, email: account.email, balance: account.balance, teamId: account.teamId)
      expect(violation, #"INSERT INTO "account""#) { try account.insert(db) }
      expect(violation, #"INSERT INTO "account""#) { try mutable.insert(db) }
      expect(violation, #"INSERT INTO "account""#) { _ = try account.insertAndFetch(db) }
      expect(violation, #"INSERT INTO "account""#) { try account.save(db) }
      #expect(mutable.id == nil)
      account.id = 2
      expect(violation, #"UPDATE "account" SET"#) { try account.update(db) }
      expect(violation, #"UPDATE "account" SET"#) { _ = try account.updateAndFetch(db) }
      expect(violation, #"UPDATE "account" SET"#) { try account.save(db) }
      if violation.code != .SQLITE_CONSTRAINT_UNIQUE {
        expect(violation, #"INSERT INTO "account""#) { try account.upsert(db) }
      }
    }
  }

  @Test(arguments: violations)
  fileprivate func `Batch updates throw, with their SQL`(violation: Violation) throws {
    try inDatabase { db in
      var account = Account(id: 2, email: "b@x", balance: 20, teamId: nil)
      violation.values(&account)
      let assignments = [
        Column("email").set(to: account.email), Column("balance").set(to: account.balance),
        Column("teamId").set(to: account.teamId),
      ]
      expect(violation, #"UPDATE "account" SET"#) {
        _ = try Account.filter(key: 2).updateAll(db, assignments)
      }
      expect(violation, #"UPDATE "account" SET"#) {
        _ = try Account.filter(key: 2).updateAndFetchAll(db, assignments)
      }
    }
  }

  @Test func `Deletes throw, with their SQL`() throws {
    struct Team: Codable, PersistableRecord { var id: Int64 }
    try inDatabase { db in
      let message = """
        SQLite error 19: FOREIGN KEY constraint failed
        foreign key from account(teamId) to team(id)
        """
      let deletes: [() throws -> Any?] = [
        { try Team(id: 1).delete(db) }, { try Team.deleteAll(db) },
        { try Team.deleteOne(db, key: 1) }, { try Team.filter(key: 1).deleteAll(db) },
        { try db.execute(sql: "DELETE FROM team") },
      ]
      for delete in deletes {
        let text = errorText(delete)
        #expect(text?.hasPrefix(message) == true)
        #expect(text?.contains("\n- while executing `DELETE FROM") == true)
      }
    }
  }

  @Test func `A foreign key that a trigger violates is that of its table`() throws {
    try inDatabase { db in
      try db.execute(
        sql: """
          CREATE TABLE visit (id INTEGER PRIMARY KEY);
          CREATE TRIGGER visited AFTER INSERT ON visit BEGIN
            INSERT INTO account VALUES (9, 'z@x', 0, 99);
          END;
          CREATE TABLE stay (id INTEGER PRIMARY KEY);
          INSERT INTO stay VALUES (1);
          CREATE TRIGGER ended AFTER DELETE ON stay BEGIN
            INSERT INTO account VALUES (9, 'z@x', 0, 99);
          END;
          """)
      struct Visit: Encodable, PersistableRecord {
        var id: Int64
      }
      struct Stay: Encodable, PersistableRecord {
        var id: Int64
      }
      let errors = [
        databaseError { try Visit(id: 1).insert(db) }, databaseError { try Stay(id: 1).delete(db) },
      ]
      for error in errors {
        #expect(error?.extendedResultCode == .SQLITE_CONSTRAINT_FOREIGNKEY)
        #expect(error?.details == "foreign key from account(teamId) to team(id)")
      }
    }
  }

  @Test(arguments: ["archive", "main"])
  func `The foreign key of a record is searched in the schema of its table`(schema: String) throws {
    struct Member: Codable, PersistableRecord {
      var id: Int64
      var clubId: Int64
      var teamId: Int64
    }
    struct Club: Codable, PersistableRecord {
      var id: Int64
    }
    // The tables of the other schema come first for names without schema.
    let other = schema == "main" ? "temp" : "main"
    try DatabaseQueue().inDatabase { db throws in
      try db.execute(sql: "ATTACH ':memory:' AS archive")
      for name in [schema, other] {
        try db.execute(
          sql: """
            CREATE TABLE \(name).club (id INTEGER PRIMARY KEY);
            CREATE TABLE \(name).team (id INTEGER PRIMARY KEY);
            CREATE TABLE \(name).member (
              id INTEGER PRIMARY KEY,
              clubId INTEGER REFERENCES club, teamId INTEGER REFERENCES team);
            """)
      }
      try db.execute(
        sql: "INSERT INTO \(schema).club VALUES (1); INSERT INTO \(other).team VALUES (1)")
      let member = Member(id: 1, clubId: 1, teamId: 1)
      let missing = databaseError { try member.insert(db, into: "\(schema).member") }
      #expect(
        missing?.details
          == "foreign key from \(schema).member(teamId) to team(id): there is no such row")
      #expect(missing?.constraint?.columns == ["teamId"])
      try db.execute(sql: "INSERT INTO \(schema).team VALUES (1)")
      try member.insert(db, into: "\(schema).member")
      let remaining = databaseError { try Club(id: 1).delete(db, from: "\(schema).club") }
      #expect(
        remaining?.details
          == "foreign key from member(clubId) to club(id): 1 row references the row")
      #expect(remaining?.constraint?.columns == ["clubId"])
    }
  }

  @Test func `A primary key that exists throws, with its column`() throws {
    try inDatabase { db in
      let error = databaseError {
        try Account(id: 1, email: "c@x", balance: 0).insert(db)
      }
      #expect(error?.extendedResultCode == .SQLITE_CONSTRAINT_PRIMARYKEY)
      #expect(error?.message == "UNIQUE constraint failed: account.id")
    }
  }

  @Test func `A deferred foreign key is checked by the commit: nothing is written`() throws {
    let queue = try DatabaseQueue()
    try queue.write { db in
      try db.execute(
        sql: """
          CREATE TABLE team (id INTEGER PRIMARY KEY);
          CREATE TABLE player (
            id INTEGER PRIMARY KEY, teamId INTEGER REFERENCES team(id) DEFERRABLE INITIALLY DEFERRED);
          """)
    }
    let error = errorText {
      try queue.write { db in try db.execute(sql: "INSERT INTO player VALUES (1, 7)") }
    }
    #expect(
      error == """
        SQLite error 19: FOREIGN KEY constraint failed
        a deferred foreign key: `checkForeignKeys()` identifies it before the commit
        - while executing `COMMIT TRANSACTION`
        """)
    #expect(try queue.read { db in try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM player") } == 0)
    queue.inDatabase { db in #expect(!db.isInsideTransaction) }
  }

  @Test func `Arguments are shown when they are public only`() throws {
    for isPublic in [false, true] {
      var configuration = Configuration()
      configuration.publicStatementArguments = isPublic
      let queue = try DatabaseQueue(configuration: configuration)
      try queue.write { db in
        try db.execute(sql: "CREATE TABLE t (a UNIQUE)")
        let insert = { try db.execute(sql: "INSERT INTO t VALUES (?)", arguments: ["secret"]) }
        try insert()
        let error = try #require(databaseError(insert))
        #expect(error.description.contains("secret") == isPublic)
        #expect(error.expandedDescription.contains(#"with arguments ["secret"]"#))
      }
    }
  }

  @Test func `Inserts that ignore conflicts do not throw, unless they must fetch`() throws {
    try inDatabase { db in
      let account = Account(id: 3, email: "a@x", balance: 0)
      try account.insert(db, onConflict: .ignore)
      #expect(throws: RecordError.self) {
        try account.insertAndFetch(db, onConflict: .ignore)
      }
    }
  }
}
