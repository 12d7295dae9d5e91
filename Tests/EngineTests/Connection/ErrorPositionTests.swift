import Quarry
import QuarryBlobs
import QuarryTestSupport
import Testing

@Suite("Where mistakes are in SQL")
struct ErrorPositionTests {
  private struct Mistake: Sendable, CustomTestStringConvertible {
    var testDescription: String
    /// The SQL of the error, with a vertical line where the mistake is.
    var sql: String
    var run: @Sendable (Database) throws -> Void

    init(_ name: String, _ sql: String, _ run: @escaping @Sendable (Database) throws -> Void) {
      testDescription = name
      self.sql = sql
      self.run = run
    }
  }

  private static let query = "SELECT 'é', nope FROM t"

  private static let mistakes = [
    Mistake("execute", "SELECT 'é', |nope FROM t") { try $0.execute(sql: query) },
    Mistake("execute(literal:)", "SELECT ?, |nope FROM t") {
      try $0.execute(literal: "SELECT \("é"), nope FROM t")
    },
    Mistake("makeStatement", "SELECT 'é', |nope FROM t") { _ = try $0.makeStatement(sql: query) },
    Mistake("makeStatement(literal:)", "SELECT ?, |nope FROM t") {
      _ = try $0.makeStatement(literal: "SELECT \(1), nope FROM t")
    },
    Mistake("cachedStatement", "SELECT 'é', |nope FROM t") {
      _ = try $0.cachedStatement(sql: query)
    },
    Mistake("fetchAll of rows", "SELECT 'é', |nope FROM t") {
      _ = try Row.fetchAll($0, sql: query)
    },
    Mistake("fetchCursor of values", "SELECT 'é', |nope FROM t") {
      _ = try Int.fetchCursor($0, sql: query)
    },
    Mistake("SQLRequest", "SELECT 'é', |nope FROM t") {
      _ = try SQLRequest<Row>(sql: query).fetchOne($0)
    },
    Mistake("SQLRequest of a literal", "SELECT ? || ?, |nope FROM t") {
      let request: SQLRequest<Row> = "SELECT \(1) || \("é"), nope FROM t"
      _ = try request.fetchAll($0)
    },
    Mistake("the count of an SQLRequest", "SELECT COUNT(*) FROM (SELECT 'é', |nope FROM t)") {
      _ = try SQLRequest<Row>(sql: query).fetchCount($0)
    },
    Mistake("a request", #"SELECT * FROM "t" WHERE ("a" = ?) AND (|"né" = ?)"#) {
      _ = try Table("t").filter(Column("a") == "é").filter(Column("né") == 1).fetchAll($0)
    },
    Mistake("a request with a raw condition", #"SELECT * FROM "t" WHERE |FORM"#) {
      _ = try Table("t").filter(sql: "FORM").fetchAll($0)
    },
    Mistake("an update", #"UPDATE "t" SET "a" = ? WHERE |"nope" = ?"#) {
      try Table("t").filter(Column("nope") == 1).updateAll($0, Column("a").set(to: 1))
    },
    Mistake("the first of several statements", "|SELEC 1; SELECT 2") {
      try $0.execute(sql: "SELEC 1; SELECT 2")
    },
    // The error has the rest of the text, from the end of the statement before.
    Mistake("another one of several statements", " -- é\n SELECT |nope FROM t; SELECT 3") {
      try $0.execute(sql: "SELECT 'é'; -- é\n SELECT nope FROM t; SELECT 3")
    },
    Mistake("a cursor of statements", "\nSELECT |nope") {
      let statements = try $0.allStatements(sql: "SELECT 'é';\nSELECT nope")
      while try statements.next() != nil {}
    },
    Mistake("white space and comments before", "\n /* é */ SELECT |nope") {
      _ = try $0.makeStatement(sql: "\n /* é */ SELECT nope")
    },
    Mistake("a view", #"CREATE VIEW "v" AS SELECT 'é' FORM |t"#) {
      try $0.create(view: "v", asLiteral: "SELECT \("é") FORM t")
    },
    Mistake("an expression of an index", #"CREATE INDEX "i" ON "t"('é' OR |"nope")"#) {
      try $0.create(
        index: "i", on: "t", expressions: ["é".databaseValue.sqlExpression || Column("nope")])
    },
    Mistake("a dump", "SELECT 'é', |nope FROM t") { db in
      try db.dumpSQL(SQL(sql: query), to: nil)
    },
  ]

  private func inDatabase(_ body: (Database) throws -> Void) throws {
    try DatabaseQueue().inDatabase { db in
      try db.execute(sql: "CREATE TABLE t (a UNIQUE, c)")
      try body(db)
    }
  }

  /// SQL with a vertical line at its offset in bytes.
  private func marked(_ error: DatabaseError?) -> String? {
    guard let error, let sql = error.sql, let offset = error.sqlOffset else { return nil }
    let bytes = Array(sql.utf8)
    return String(
      decoding: bytes[..<offset] + [UInt8(ascii: "|")] + bytes[offset...], as: UTF8.self)
  }

  @Test("An error tells the place of the mistake in its SQL, in bytes", arguments: mistakes)
  private func position(mistake: Mistake) throws {
    try inDatabase { db in
      let error = databaseError { try mistake.run(db) }
      #expect(marked(error) == mistake.sql, "\(String(describing: error))")
    }
  }

  @Test func `a description shows the text from the mistake on`() throws {
    try inDatabase { db in
      let text = errorText { try db.execute(sql: " SELECT 'é', nope FROM t; ") }
      #expect(
        text?.hasSuffix(
          """
          - while executing `SELECT 'é', nope FROM t` - at offset 14: "nope FROM t; "
          """) == true)
    }
  }

  @Test func `a mistake that comes with a change of the schema is at its place in the trimmed SQL`()
    throws
  {
    try inDatabase { db in
      let statement = try db.makeStatement(sql: " \n SELECT 'é', c FROM t;")
      #expect(statement.sql == "SELECT 'é', c FROM t")
      try db.execute(sql: "ALTER TABLE t DROP COLUMN c")
      let error = databaseError { try Row.fetchAll(statement) }
      #expect(error?.message == "no such column: c")
      #expect(marked(error) == "SELECT 'é', |c FROM t")
    }
  }

  @Test func `an error without place does not have the one of a former mistake`() throws {
    try inDatabase { db in
      try db.execute(sql: "INSERT INTO t VALUES (1, 2)")
      let failures: [@Sendable (Database) throws -> Void] = [
        { try $0.execute(sql: "INSERT INTO t VALUES (1, 2)") },
        { _ = try $0.makeStatement(sql: "") },
        { _ = try $0.makeStatement(sql: "SELECT 1; SELECT 2") },
        { try $0.execute(sql: "SELECT ?", arguments: [1, 2]) },
        { try $0.checkpoint(on: "nope") },
        { try $0.backup(to: $0) },
        { _ = try $0.columns(in: "nope") },
        { _ = try $0.openBlob(table: "t", column: "nope", rowID: 1) },
        { try $0.commit() },
      ]
      for failure in failures {
        #expect(databaseError { try db.execute(sql: Self.query) }?.sqlOffset == 13)
        let error = databaseError { try failure(db) }
        #expect(error != nil)
        #expect(error?.sqlOffset == nil, "\(String(describing: error))")
      }
    }
  }

  @Test func `a text with a NUL character is refused, instead of being cut off there`() throws {
    try inDatabase { db throws in
      try db.execute(sql: "INSERT INTO t VALUES (1, 2)")
      let sql = "DELETE FROM t\0 WHERE a = 2"
      let uses: [@Sendable (Database) throws -> Void] = [
        { try $0.execute(sql: sql) },
        { try $0.execute(sql: "SELECT 1; " + sql) },
        { _ = try $0.makeStatement(sql: sql) },
        { _ = try $0.cachedStatement(sql: sql) },
        { _ = try Row.fetchAll($0, sql: sql) },
        { _ = try SQLRequest<Row>(sql: sql).fetchAll($0) },
        { try $0.execute(literal: SQL(sql: sql)) },
        { try $0.dumpSQL(SQL(sql: sql), to: nil) },
      ]
      for use in uses {
        let error = databaseError { try use(db) }
        #expect(error?.message == "SQL contains a NUL character")
        #expect(error?.sqlOffset == (error?.sql == sql ? 13 : 23))
      }
      #expect(try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM t") == 1)
    }
  }
}
