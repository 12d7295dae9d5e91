import Quarry
import QuarryMigrations
import QuarryTestSupport
import Testing

/// Migrations of databases whose connections have another file attached: it is copied where they
/// are compared and rehearsed.
@Suite(.enabled(if: !isOnCluster, "a cluster has no attached databases"))
struct AttachedMigrationTests {
  /// Calls `body` with the file of an archive, which has two loans, and with a database that it is
  /// attached to.
  private func withArchive(
    _ kind: ConnectionKind, _ body: (DatabaseQueue, any DatabaseWriter) throws -> Void
  ) throws {
    try withTemporaryDirectory { directory throws in
      let path = directory + "/archive.sqlite"
      let archive = try DatabaseQueue(path: path)
      try archive.write { db in
        try db.execute(
          sql: """
            CREATE TABLE oldLoan (id INTEGER PRIMARY KEY);
            INSERT INTO oldLoan VALUES (1), (2);
            """)
      }
      var configuration = Configuration()
      configuration.prepareDatabase { db in
        try db.execute(sql: "ATTACH DATABASE ? AS archive", arguments: [path])
      }
      try body(archive, kind.open(in: directory, configuration))
    }
  }

  /// Moves the loans.
  private func migrator(_ columns: String = "id INTEGER PRIMARY KEY") -> DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("loans") { db in
      try db.execute(
        sql: """
          CREATE TABLE loan (\(columns));
          INSERT INTO loan (id) SELECT id FROM archive.oldLoan;
          CREATE TABLE IF NOT EXISTS archive.log (text TEXT);
          INSERT INTO archive.log VALUES ('moved');
          DELETE FROM archive.oldLoan;
          """)
    }
    return migrator
  }

  /// The numbers of old loans, and of entries in the log: nil if there is none.
  private func counts(_ archive: DatabaseQueue) throws -> [Int?] {
    try archive.read { db throws in
      let loans = try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM oldLoan")
      guard try db.tableExists("log") else { return [loans, nil] }
      return try [loans, Int.fetchOne(db, sql: "SELECT COUNT(*) FROM log")]
    }
  }

  @Test(arguments: ConnectionKind.allCases)
  func `a rehearsal leaves an attached database alone`(kind: ConnectionKind) throws {
    try withArchive(kind) { archive, database throws in
      let rehearsal = try migrator().rehearse(database)
      #expect(rehearsal.isSuccessful, "\(rehearsal)")
      #expect(rehearsal.migrations.first?.statements.count == 5)
      #expect(try migrator().dryRun(database) == rehearsal.sql)
      #expect(try counts(archive) == [2, nil])
      try migrator().migrate(database)
      #expect(try counts(archive) == [0, 1])
      let loans = try database.read { db throws in
        try Int.fetchAll(db, sql: "SELECT id FROM loan")
      }
      #expect(loans == [1, 2])
    }
  }

  @Test(arguments: ConnectionKind.allCases)
  func `a comparison of schemas leaves an attached database alone`(kind: ConnectionKind) throws {
    try withArchive(kind) { archive, database throws in
      try migrator().migrate(database)
      #expect(try counts(archive) == [0, 1])
      #expect(try !database.read(migrator().hasSchemaChanges))
      var changed = migrator("id INTEGER PRIMARY KEY, reader TEXT")
      #expect(try database.read(changed.hasSchemaChanges))
      #expect(try counts(archive) == [0, 1])
      changed.eraseDatabaseOnSchemaChange = true
      try changed.migrate(database)
      // The migration has run once more, and only once.
      #expect(try counts(archive) == [0, 2])
      try changed.migrate(database)
      #expect(try counts(archive) == [0, 2])
    }
  }

  @Test func `a migration that fails in a rehearsal leaves no lock`() throws {
    try withArchive(.queue) { archive, database throws in
      var migrator = migrator()
      migrator.registerMigration("fails") { db in
        try db.execute(sql: "INSERT INTO archive.log VALUES ('failed'); SELECT * FROM nope")
      }
      let rehearsal = try migrator.rehearse(database)
      #expect(!rehearsal.isSuccessful)
      #expect(try counts(archive) == [2, nil])
      try archive.write { try $0.execute(sql: "DELETE FROM oldLoan") }
    }
  }
}
