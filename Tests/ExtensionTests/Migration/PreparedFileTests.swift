import CSQLite
import Foundation
import QuarryMigrations
import QuarryTestSupport
import Testing

@testable import Quarry

/// Migrations of databases whose connections are prepared with what only files allow: the temporary
/// databases in which they are compared and rehearsed are files, too.
struct PreparedFileTests {
  private struct NotAFile: Error {}

  /// A write-ahead log that stays when the last connection is closed.
  private static func persistentLog() -> Configuration {
    var configuration = Configuration()
    configuration.prepareDatabase { db in
      if db.configuration.readonly { return }
      var isPersistent: CInt = 1
      let code = sqlite3_file_control(
        db.sqliteConnection, nil, SQLITE_FCNTL_PERSIST_WAL, &isPersistent)
      guard code == SQLITE_OK else { throw NotAFile() }
    }
    return configuration
  }

  private static func migrator(_ sql: String = "CREATE TABLE book (id)") -> DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("books") { db in try db.execute(sql: sql) }
    return migrator
  }

  @Test func `the preparation fails without a file`() {
    #expect(throws: NotAFile.self) { try DatabaseQueue(configuration: Self.persistentLog()) }
    #expect(throws: NotAFile.self) {
      try DatabaseQueue(path: "", configuration: Self.persistentLog())
    }
  }

  @Test(arguments: ConnectionKind.onFile)
  func `schema changes are found, and erase the database if that is wanted`(
    kind: ConnectionKind
  ) throws {
    try kind.withDatabase(Self.persistentLog()) { database throws in
      try Self.migrator().migrate(database)
      #expect(try !database.read(Self.migrator().hasSchemaChanges))
      var changed = Self.migrator("CREATE TABLE book (id, title)")
      #expect(try database.read(changed.hasSchemaChanges))
      changed.eraseDatabaseOnSchemaChange = true
      try changed.migrate(database)
      #expect(try database.read { try $0.columns(in: "book").count } == 2)
      #expect(try !database.read(changed.hasSchemaChanges))
    }
  }

  @Test(arguments: ConnectionKind.onFile)
  func `migrations are rehearsed`(kind: ConnectionKind) throws {
    try kind.withDatabase(Self.persistentLog()) { database throws in
      let rehearsal = try Self.migrator().rehearse(database)
      #expect(rehearsal.isSuccessful)
      #expect(rehearsal.sql == "-- books\nCREATE TABLE book (id);")
      #expect(try Self.migrator().dryRun(database) == rehearsal.sql)
      #expect(try database.read { try !$0.tableExists("book") })
    }
  }

  @Test func `the temporary file can be read by its user only, and goes with its log`() throws {
    try withTemporaryDirectory { directory throws in
      let queue = try DatabaseQueue(
        path: directory + "/library.sqlite", configuration: Self.persistentLog())
      let path = try queue.inDatabase { db in
        try db.withTemporaryDatabase { temporary in
          try temporary.inDatabase { db throws -> String in
            try db.execute(sql: "PRAGMA journal_mode = WAL; CREATE TABLE book (id)")
            let path = try #require(db.filePath)
            for suffix in ["", "-wal"] {
              let attributes = try FileManager.default.attributesOfItem(atPath: path + suffix)
              #expect(attributes[.posixPermissions] as? Int == 0o600)
            }
            return path
          }
        }
      }
      #expect(!path.isEmpty)
      for suffix in ["", "-wal", "-shm"] {
        #expect(!FileManager.default.fileExists(atPath: path + suffix))
      }
    }
  }

  @Test func `temporary databases of databases in memory have no name`() throws {
    try DatabaseQueue().inDatabase { db in
      try db.withTemporaryDatabase { temporary in
        #expect(temporary.inDatabase { $0.filePath } == "")
      }
    }
  }
}
