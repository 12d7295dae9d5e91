import Quarry
import QuarryTestSupport
import Testing

@Suite("Merged migrations", .onQueueAndPool)
struct MergedMigrationTests {
  /// Replaces the first two migrations of the library.
  private func mergingMigrator() -> DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("library", merging: ["authors", "books", "library"]) { db, applied in
      if !applied.contains("authors") { try db.execute(sql: "CREATE TABLE author (id)") }
      if !applied.contains("books") { try db.execute(sql: "CREATE TABLE book (id)") }
      try db.execute(sql: "CREATE TABLE applied (name)")
      for name in applied.sorted() {
        try db.execute(sql: "INSERT INTO applied VALUES (?)", arguments: [name])
      }
    }
    return migrator
  }

  private func identifiers(_ queue: any DatabaseReader) throws -> [String] {
    try queue.read { db in
      try String.fetchAll(db, sql: "SELECT identifier FROM grdb_migrations ORDER BY identifier")
    }
  }

  @Test(
    arguments: [
      (nil, []), ("authors", ["authors"]), ("books", ["authors", "books"]),
    ] as [(String?, [String])])
  func `a merged migration gets the names of its parts that have run`(
    target: String?, applied: [String]
  )
    throws
  {
    let queue = try makeEmptyDatabase()
    if let target { try libraryMigrator().migrate(queue, upTo: target) }
    try mergingMigrator().migrate(queue)
    try queue.read { db throws in
      #expect(try String.fetchAll(db, sql: "SELECT name FROM applied ORDER BY name") == applied)
      #expect(try db.tableExists("author") && db.tableExists("book"))
    }
    #expect(try identifiers(queue) == ["library"])
  }

  @Test
  func `leftovers are removed when the merged migration has already run`() throws {
    let queue = try makeEmptyDatabase()
    try mergingMigrator().migrate(queue)
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "INSERT INTO grdb_migrations VALUES ('books'), ('other')")
      #expect(try mergingMigrator().appliedIdentifiers(db) == ["library", "books", "other"])
    }
    try mergingMigrator().migrate(queue)
    #expect(try identifiers(queue) == ["library", "other"])
  }

  @Test
  func `the identifiers of parts are removed in a stable order, before the new one is recorded`()
    throws
  {
    let recorder = SQLRecorder()
    try mergingMigrator().migrate(makeEmptyDatabase(configuration: recorder.recording()))
    let changes = recorder.take().filter {
      $0.contains("grdb_migrations (") || $0.contains("IN (")
    }
    #expect(
      changes.suffix(2) == [
        "DELETE FROM grdb_migrations WHERE identifier IN (?,?)",
        "INSERT INTO grdb_migrations (identifier) VALUES (?)",
      ])
  }

  @Test
  func `a database with the parts is not from a newer application`() throws {
    let queue = try makeEmptyDatabase()
    try libraryMigrator().migrate(queue, upTo: "books")
    #expect(try queue.read { try !mergingMigrator().hasBeenSuperseded($0) })
    try libraryMigrator().migrate(queue)
    #expect(try queue.read { try mergingMigrator().hasBeenSuperseded($0) })
  }
}
