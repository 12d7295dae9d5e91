import QuarryTestSupport
import Testing

@testable import Quarry

/// Prefetches over any number of parents, with few statements.
struct PrefetchScaleTests {
  private func database(
    _ parents: Int, _ schema: String, _ insertions: String, _ recorder: SQLRecorder
  ) throws -> DatabaseQueue {
    let database = try DatabaseQueue(configuration: recorder.recording())
    try database.write { db in
      try db.execute(sql: schema)
      try db.execute(
        sql: """
          CREATE TEMP TABLE n AS
          WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < \(parents))
          SELECT i FROM n;
          \(insertions)
          """)
    }
    return database
  }

  private static let compoundSchema = """
    CREATE TABLE parent (a INTEGER, b TEXT, PRIMARY KEY (a, b));
    CREATE TABLE child (
      id INTEGER PRIMARY KEY, a INTEGER, b TEXT, FOREIGN KEY (a, b) REFERENCES parent(a, b));
    CREATE INDEX childOfParent ON child(a, b);
    """

  private static let compoundRows = """
    INSERT INTO parent SELECT i, 'b' || (i % 7) FROM n;
    INSERT INTO child SELECT NULL, i, 'b' || (i % 7) FROM n;
    INSERT INTO child SELECT NULL, i, 'b' || (i % 7) FROM n WHERE i % 2;
    INSERT INTO child SELECT NULL, i, 'other' FROM n LIMIT 0;
    """

  private func compoundCounts(
    _ db: Database, _ context: PlanningContext
  ) throws -> [Int] {
    let parents = Table("parent")
    let request = parents.all().order(Column("a"))
      .including(all: parents.hasMany(Table("child"), key: "children"))
    return try db.prepare(CompiledQuery(request.relation, in: context)).fetchRows(db)
      .map { $0.prefetchedRows["children"]?.count ?? -1 }
  }

  @Test(arguments: [1, 1_000, 5_000, 100_000])
  func `compound foreign keys`(_ parents: Int) throws {
    let recorder = SQLRecorder()
    let database = try database(parents, Self.compoundSchema, Self.compoundRows, recorder)
    try database.read { db throws in
      for version in [nil, SQLiteVersion(3, 37)] {
        let context = PlanningContext(schema: db.schema, connection: db, sqliteVersion: version)
        _ = recorder.take()
        let counts = try compoundCounts(db, context)
        #expect(counts == (1...parents).map { 1 + $0 % 2 })
        let statements = recorder.take().filter {
          $0.contains("\"child\"") || $0.contains("\"parent\"")
        }
        #expect(statements.filter { !$0.contains("PRAGMA") }.count == 2)
        #expect(
          statements.contains { $0.contains("json_each") } == (parents > 100 && version == nil))
      }
    }
  }

  private func singleCounts(_ db: Database, _ context: PlanningContext) throws -> [Int] {
    let parents = Table("parent")
    let request = parents.all()
      .including(all: parents.hasMany(Table("child"), key: "children"))
    return try db.prepare(CompiledQuery(request.relation, in: context)).fetchRows(db)
      .map { $0.prefetchedRows["children"]?.count ?? -1 }
  }

  @Test(arguments: [10_000, 300_000])
  func `single foreign keys`(_ parents: Int) throws {
    let recorder = SQLRecorder()
    let database = try database(
      parents,
      """
      CREATE TABLE parent (id INTEGER PRIMARY KEY);
      CREATE TABLE child (id INTEGER PRIMARY KEY, parentId INTEGER REFERENCES parent);
      CREATE INDEX childOfParent ON child(parentId);
      """,
      """
      INSERT INTO parent SELECT i FROM n;
      INSERT INTO child SELECT NULL, i FROM n WHERE i % 3;
      """, recorder)
    try database.read { db throws in
      for version in [nil, SQLiteVersion(3, 37)] {
        let context = PlanningContext(schema: db.schema, connection: db, sqliteVersion: version)
        _ = recorder.take()
        let counts = try singleCounts(db, context)
        #expect(counts == (1...parents).map { $0 % 3 == 0 ? 0 : 1 })
        let last = try #require(recorder.take().last)
        // The list is written for the library, which has JSON.
        let exceedsLimit = parents <= 30_000 && parents > db.maximumStatementArgumentCount
        #expect(last.contains("json_each") == (version == nil || exceedsLimit))
        #expect(last.contains("grdb_base") == (version != nil && parents > 30_000))
      }
    }
  }

  @Test func `filters on keys before JSON`() throws {
    let context = PlanningContext(
      schema: LiteralSchemaReader.bookshop, sqliteVersion: SQLiteVersion(3, 37))
    let few = try SQLWriter.write(
      select: Planner.plan(Book.filter(keys: 1...101).relation, in: context),
      in: context)
    #expect(few.sql.hasPrefix(#"SELECT * FROM "book" WHERE "id" IN (?, ?, "#))
    let compound = (0..<101).map { ["shop": "s", "isbn": "\($0)"] }
    let many = try SQLWriter.write(
      select: Planner.plan(Stock.filter(keys: compound).relation, in: context),
      in: context)
    #expect(many.sql.contains(" OR "))
    let database = try makeBookshopDatabase()
    try database.read { db throws in
      let keys: [Double] = (0..<40_000).map { Double($0) + 0.5 }
      #expect(try Book.filter(keys: keys + [1.0]).fetchCount(db) == 1)
    }
  }
}
