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
  func `the identifiers of parts are removed before the new one is recorded`()
    throws
  {
    let recorder = SQLRecorder()
    let queue = try makeEmptyDatabase(configuration: recorder.recording())
    try libraryMigrator().migrate(queue, upTo: "books")
    _ = recorder.take()
    try mergingMigrator().migrate(queue)
    let changes = recorder.take().filter {
      $0.hasPrefix("INSERT INTO main.grdb_migrations") || $0.hasPrefix("DELETE")
    }
    #expect(
      changes == [
        "DELETE FROM main.grdb_migrations WHERE identifier = ?",
        "DELETE FROM main.grdb_migrations WHERE identifier = ?",
        "INSERT INTO main.grdb_migrations (identifier) VALUES (?)",
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

  /// Files and editors write `é` in one code point or two.
  @Test
  func `parts that were saved in another Unicode normalization are removed`() throws {
    let queue = try makeEmptyDatabase()
    var old = DatabaseMigrator()
    old.registerMigration("cafe\u{301}") { _ in }
    try old.migrate(queue)
    var migrator = DatabaseMigrator()
    migrator.registerMigration("library", merging: ["caf\u{E9}"]) { _, applied in
      #expect(applied == ["caf\u{E9}"])
    }
    try migrator.migrate(queue)
    #expect(try identifiers(queue) == ["library"])
  }
}
