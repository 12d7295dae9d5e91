import Quarry
import QuarryTestSupport
import Testing

@Suite("Virtual tables")
struct VirtualTableDefinitionTests {
  private final class Definition {
    var columns: [String] = []
  }

  /// Makes an R*Tree index, and fills it.
  private struct Places: VirtualTableModule {
    var fails = false

    var moduleName: String { "rtree" }

    func makeTableDefinition(configuration: VirtualTableConfiguration) -> Definition {
      Definition()
    }

    func moduleArguments(for definition: Definition, in db: Database) -> [String] {
      definition.columns
    }

    func database(_ db: Database, didCreate tableName: String, using definition: Definition) throws
    {
      if fails { throw CancellationError() }
      try db.execute(sql: "INSERT INTO \(tableName.quotedDatabaseIdentifier) VALUES (1, 2, 3)")
    }
  }

  @Test(
    .needs(.rTree, .fullText),
    arguments: [
      (VirtualTableOptions(), #"CREATE VIRTUAL TABLE "place" USING rtree(id, minX, maxX)"#),
      (.ifNotExists, #"CREATE VIRTUAL TABLE IF NOT EXISTS "place" USING rtree(id, minX, maxX)"#),
      (.temporary, #"CREATE VIRTUAL TABLE temp."place" USING rtree(id, minX, maxX)"#),
    ])
  func `a module and its arguments are SQL`(options: VirtualTableOptions, sql: String) throws {
    try DatabaseQueue().write { db in
      let statements = try db.statements {
        try db.create(virtualTable: "place", options: options, using: "rtree(id, minX, maxX)")
      }
      #expect(statements.first == sql)
      #expect(try db.tableExists("place"))
      #expect(try db.columns(in: "place").map(\.name) == ["id", "minX", "maxX"])
    }
  }

  @Test(.needs(.rTree, .fullText)) func `a module defines the table, and completes it`() throws {
    try DatabaseQueue().writeWithoutTransaction { db in
      let statements = try db.statements {
        try db.create(virtualTable: "place", using: Places()) { definition in
          definition.columns = ["id", "minX", "maxX"]
        }
      }
      #expect(statements.first == "BEGIN IMMEDIATE TRANSACTION")
      #expect(statements.contains(#"CREATE VIRTUAL TABLE "place" USING rtree(id, minX, maxX)"#))
      #expect(statements.last == "COMMIT TRANSACTION")
      #expect(try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM place") == 1)
    }
  }

  @Test(.needs(.rTree, .fullText)) func `nothing stays when the module fails`() throws {
    try DatabaseQueue().write { db throws in
      #expect(throws: CancellationError.self) {
        try db.create(virtualTable: "place", using: Places(fails: true)) { definition in
          definition.columns = ["id", "minX", "maxX"]
        }
      }
      #expect(try !db.tableExists("place"))
    }
  }

  @Test func `a table of a module is found without being created`() throws {
    try DatabaseQueue().read { db throws in
      #expect(try db.columns(in: "json_each").map(\.name).prefix(2) == ["key", "value"])
      #expect(try db.columns(in: "sqlite_master").map(\.name).prefix(2) == ["type", "name"])
      #expect(try !db.tableExists("json_each"))
    }
  }
}
