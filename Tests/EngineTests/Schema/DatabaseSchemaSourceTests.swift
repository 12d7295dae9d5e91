import Quarry
import QuarryTestSupport
import Testing

@Suite("Schema sources")
struct DatabaseSchemaSourceTests {
  private struct KeySource: DatabaseSchemaSource {
    var answers: [DatabaseObjectID: [String]]

    func columnsForPrimaryKey(
      _ db: Database, inView view: DatabaseObjectID
    ) throws -> [String]? {
      answers[view]
    }
  }

  /// Gives a view the key of the table that it is named after.
  private struct TableKeySource: DatabaseSchemaSource {
    func columnsForPrimaryKey(
      _ db: Database, inView view: DatabaseObjectID
    ) throws -> [String]? {
      try db.primaryKey("book").columns
    }
  }

  /// Forwards each request to the database.
  private struct CircularSource: DatabaseSchemaSource {
    func columnsForPrimaryKey(
      _ db: Database, inView view: DatabaseObjectID
    ) throws -> [String]? {
      try? db.primaryKey(view.name).columns
    }
  }

  private struct SilentSource: DatabaseSchemaSource {}

  private static let bestseller = DatabaseObjectID(name: "bestseller", schemaID: .main)

  private func key(
    of view: String = "Bestseller", _ source: some DatabaseSchemaSource
  ) throws -> [String] {
    var configuration = Configuration()
    configuration.schemaSource = source
    return try withBookshop(configuration: configuration) { try $0.primaryKey(view).columns }
  }

  @Test func `a source has the key of a view, with the spelling of the view`() throws {
    #expect(try key(KeySource(answers: [Self.bestseller: ["ID"]])) == ["id"])
    #expect(
      try key(KeySource(answers: [Self.bestseller: ["year", "Title"]])) == ["year", "title"])
    #expect(try key(TableKeySource()) == ["id"])
  }

  @Test func `the key of a view is no row identifier`() throws {
    var configuration = Configuration()
    configuration.schemaSource = TableKeySource()
    try withBookshop(configuration: configuration) { db in
      let key = try db.primaryKey("bestseller")
      #expect(!key.isRowID)
      #expect(key.rowIDColumn == nil)
      #expect(try db.table("bestseller", hasUniqueKey: ["id"]))
    }
  }

  @Test func `a source is not asked about tables`() throws {
    #expect(try key(of: "stock", TableKeySource()) == ["shop", "isbn"])
  }

  @Test func `no answer, no key`() throws {
    #expect(throws: DatabaseError.self) { try key(SilentSource()) }
    #expect(throws: DatabaseError.self) { try key(KeySource(answers: [Self.bestseller: []])) }
    #expect(throws: DatabaseError.self) { try key(CircularSource()) }
  }

  @Test func `a key with an unknown column is an error that names it`() throws {
    let error = #expect(throws: InvalidRequest.self) {
      try key(KeySource(answers: [Self.bestseller: ["id", "nope"]]))
    }
    #expect(error?.message == "No such column in view bestseller: nope")
    let temporary = DatabaseObjectID(name: "v", schemaID: .temp)
    let attached = DatabaseObjectID(name: "w", schemaID: .attached("other"))
    try DatabaseQueue().inDatabase { db in
      try db.execute(
        sql: """
          ATTACH DATABASE ':memory:' AS other;
          CREATE TEMPORARY VIEW v AS SELECT 1 AS a;
          CREATE VIEW other.w AS SELECT 1 AS a;
          """)
      db.withSchemaSource(KeySource(answers: [temporary: ["b"], attached: ["c"]])) {
        let inTemp = #expect(throws: InvalidRequest.self) { try db.primaryKey("v") }
        #expect(inTemp?.message == "No such column in temporary view v: b")
        let inOther = #expect(throws: InvalidRequest.self) { try db.primaryKey("w") }
        #expect(inOther?.message == "No such column in view other.w: c")
      }
    }
  }

  @Test func `the second source of a chain is asked when the first has no answer`() throws {
    let id = KeySource(answers: [Self.bestseller: ["id"]])
    let title = KeySource(answers: [Self.bestseller: ["title"]])
    #expect(try key(id.then(title)) == ["id"])
    #expect(try key(SilentSource().then(title).then(id)) == ["title"])
  }

  @Test func `a source is replaced for a moment, and the cache with it`() throws {
    try withBookshop { db in
      #expect(db.schemaSource == nil)
      #expect(throws: DatabaseError.self) { try db.primaryKey("bestseller") }
      try db.withSchemaSource(TableKeySource()) { () throws in
        #expect(db.schemaSource != nil)
        #expect(try db.primaryKey("bestseller").columns == ["id"])
      }
      #expect(throws: CancellationError.self) {
        try db.withSchemaSource(TableKeySource()) { throw CancellationError() }
      }
      #expect(throws: DatabaseError.self) { try db.primaryKey("bestseller") }
    }
  }

  @Test func `schemas have a name, and a table that lists their objects`() {
    #expect(DatabaseSchemaID.main.schemaTableName == "sqlite_master")
    #expect(DatabaseSchemaID.temp.schemaTableName == "sqlite_temp_master")
    #expect(DatabaseSchemaID.attached("other").schemaTableName == "other.sqlite_master")
    #expect(DatabaseSchemaID.attached("my db").schemaTableName == #""my db".sqlite_master"#)
    #expect(DatabaseSchemaID.attached("other").name == "other")
  }
}
