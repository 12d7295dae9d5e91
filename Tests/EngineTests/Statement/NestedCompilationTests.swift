import CSQLite
import Foundation
import QuarryTestSupport
import Testing

@testable import Quarry

@Suite("Statements that are compiled while SQLite compiles another one")
struct NestedCompilationTests {
  /// A database with an empty table `probe`, which SQLite opens while it compiles a statement that
  /// reads it. Then `sql` is compiled.
  private func withProbe(_ sql: String, _ body: (Database, Log<String?>) throws -> Void) throws {
    try DatabaseQueue().inDatabase { db in
      let log = Log<String?>()
      try Probe.add(to: db) { db in
        log.append(errorText { _ = try db.makeStatement(sql: sql) })
      }
      try body(db, log)
    }
  }

  @Test(
    arguments: ["SELECT 1", "COMMIT", "NO SQL"])
  func `the effects of the outer statement are its own`(inner: String) throws {
    try withProbe(inner) { db, log in
      let statement = try db.makeStatement(sql: "CREATE TABLE loan AS SELECT * FROM probe")
      #expect(log.elements.count == 1)
      #expect(statement.effects.changesSchema)
      #expect(statement.effects.transaction == nil)
    }
    try withProbe(inner) { db, log in
      let statement = try db.makeStatement(sql: "SELECT * FROM probe")
      #expect(log.elements.count == 1)
      #expect(statement.effects.isEmpty)
    }
  }

  @Test func `the schema is forgotten when the outer statement changes it`() throws {
    try withProbe("SELECT 1") { db, log throws in
      #expect(try !db.tableExists("loan"))
      try db.execute(sql: "CREATE TABLE loan AS SELECT * FROM probe")
      #expect(log.elements == [nil])
      #expect(try db.tableExists("loan"))
    }
  }

  @Test func `the tables that the inner statement reads are not those of the outer one`() throws {
    try withProbe("SELECT * FROM loan") { db, log throws in
      try db.execute(sql: "CREATE TABLE loan (id); CREATE TABLE member (id)")
      let statement = try db.makeStatement(sql: "SELECT * FROM probe, member")
      #expect(log.elements == [nil])
      let region = statement.databaseRegion
      #expect(region.isModified(byEventsOfKind: .insert(tableName: "member")))
      #expect(!region.isModified(byEventsOfKind: .insert(tableName: "loan")))
    }
  }

  @Test(
    .needs(.rTree, .fullText), arguments: ["fts5(title)", "fts4(title)", "rtree(id, low, high)"])
  func `virtual tables that prepare statements when they are opened leave the effects alone`(
    module: String
  ) throws {
    try withTemporaryDirectory { directory throws in
      let path = directory + "/library.sqlite"
      try DatabaseQueue(path: path).write { db in
        try db.execute(sql: "CREATE VIRTUAL TABLE book USING \(module)")
      }
      for (sql, changesSchema) in [
        ("SELECT * FROM book", false), ("CREATE TABLE copy AS SELECT * FROM book", true),
        ("INSERT INTO book DEFAULT VALUES", false), ("CREATE VIEW v AS SELECT * FROM book", true),
        ("DROP TABLE book", true),
      ] {
        // The table is opened by the first statement of a connection.
        try DatabaseQueue(path: path).inDatabase { db in
          let statement = try db.makeStatement(sql: sql)
          #expect(statement.effects.changesSchema == changesSchema, "\(sql)")
          #expect(statement.effects.transaction == nil)
        }
      }
    }
  }
}

/// An empty virtual table that calls a function when a connection opens it.
///
/// See <https://www.sqlite.org/vtab.html#eponymous_virtual_tables>.
private final class Probe {
  private let database: Database
  private let open: (Database) -> Void

  private init(_ database: Database, _ open: @escaping (Database) -> Void) {
    self.database = database
    self.open = open
  }

  static func add(to db: Database, _ open: @escaping (Database) -> Void) throws {
    let probe = Unmanaged.passRetained(Probe(db, open))
    // The module lives as long as the process.
    let module = UnsafeMutablePointer<sqlite3_module>.allocate(capacity: 1)
    module.initialize(to: Self.module)
    let code = sqlite3_create_module_v2(db.sqliteConnection, "probe", module, probe.toOpaque(), nil)
    try #require(code == SQLITE_OK)
  }

  private static var module: sqlite3_module {
    var module = sqlite3_module()
    module.xConnect = { connection, probe, _, _, table, _ in
      guard let probe, let table else { return SQLITE_ERROR }
      let this = Unmanaged<Probe>.fromOpaque(probe).takeUnretainedValue()
      this.open(this.database)
      let pointer = UnsafeMutablePointer<sqlite3_vtab>.allocate(capacity: 1)
      pointer.initialize(to: sqlite3_vtab())
      table.pointee = pointer
      return sqlite3_declare_vtab(connection, "CREATE TABLE x (id)")
    }
    module.xDisconnect = { table in
      table?.deallocate()
      return SQLITE_OK
    }
    module.xBestIndex = { _, _ in SQLITE_OK }
    module.xOpen = { _, cursor in
      let pointer = UnsafeMutablePointer<sqlite3_vtab_cursor>.allocate(capacity: 1)
      pointer.initialize(to: sqlite3_vtab_cursor())
      cursor?.pointee = pointer
      return SQLITE_OK
    }
    module.xClose = { cursor in
      cursor?.deallocate()
      return SQLITE_OK
    }
    module.xFilter = { _, _, _, _, _ in SQLITE_OK }
    module.xNext = { _ in SQLITE_OK }
    module.xEof = { _ in 1 }
    module.xColumn = { _, _, _ in SQLITE_OK }
    module.xRowid = { _, _ in SQLITE_OK }
    return module
  }
}
