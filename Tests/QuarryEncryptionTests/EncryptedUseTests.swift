import Foundation
import Quarry
import QuarryEncryption
import QuarryTestSupport
import Testing

/// What applications do with databases, on encrypted ones.
@Suite(.needs(.encryption)) struct EncryptedUseTests {
  @Test func `readers, migrations and observations`() async throws {
    try await withTemporaryDirectory { directory in
      let path = directory + "/books.sqlite"
      let pool = try DatabasePool(path: path, configuration: configuration("seven seas"))
      var migrator = DatabaseMigrator()
      migrator.registerMigration("books") { db in
        try db.create(table: "book") { t in
          t.autoIncrementedPrimaryKey("id")
          t.column("title", .text)
        }
      }
      try migrator.migrate(pool)
      let counts = Log<Int>()
      let observation = ValueObservation.tracking { db in try Table("book").fetchCount(db) }
      let cancellable = observation.start(
        in: pool, scheduling: .async(onQueue: DispatchQueue(label: "counts")),
        onError: { Issue.record($0) },
        onChange: { counts.append($0) })
      for number in 1...20 {
        try await pool.write { db in
          try db.execute(
            sql: "INSERT INTO book (title) VALUES (?)", arguments: ["Volume \(number)"])
        }
      }
      #expect(eventually { counts.elements.last == 20 })
      cancellable.cancel()
      try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 1...8 {
          group.addTask { try await pool.read { db in try Table("book").fetchCount(db) } }
        }
        for try await count in group { #expect(count == 20) }
      }
      try await pool.writeWithoutTransaction { db in _ = try db.checkpoint(.truncate) }
      try await pool.vacuum()
      try pool.close()
      #expect(try titles(path, configuration("seven seas")).count == 20)
      #expect(try !files(of: path, contain: "Volume"))
    }
  }

  @Test func `untrusted files may be encrypted`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/books.sqlite"
      try writeBooks(DatabaseQueue(path: path, configuration: configuration("seven seas")))
      var untrusted = Configuration.untrusted
      untrusted.prepareDatabase { db in try db.usePassphrase("seven seas") }
      #expect(try titles(path, untrusted) == ["Moby-Dick", "Emma"])
      var wrong = Configuration.untrusted
      wrong.prepareDatabase { db in try db.usePassphrase("wrong") }
      #expect(databaseError { try titles(path, wrong) }?.resultCode == .SQLITE_NOTADB)
    }
  }

  @Test func `backups keep the passphrase, or are refused`() throws {
    try withTemporaryDirectory { directory in
      let (path, copy) = (directory + "/books.sqlite", directory + "/copy.sqlite")
      try writeBooks(DatabaseQueue(path: path, configuration: configuration("seven seas")))
      let queue = try DatabaseQueue(path: path, configuration: configuration("seven seas"))
      let destination = try DatabaseQueue(path: copy, configuration: configuration("lighthouse"))
      try queue.backup(to: destination)
      #expect(try destination.read(fetchTitles) == ["Moby-Dick", "Emma"])
      try destination.close()
      #expect(try !files(of: copy, contain: "Moby-Dick"))
      #expect(try titles(copy, configuration("lighthouse")) == ["Moby-Dick", "Emma"])

      let clear = try DatabaseQueue(path: directory + "/clear.sqlite")
      let error = databaseError { try queue.backup(to: clear) }
      #expect(error?.message == "backup is not supported with encrypted databases")
    }
  }

  @Test func `a damaged page is an error`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/books.sqlite"
      try writeDamagedBooks(DatabaseQueue(path: path, configuration: configuration("seven seas")))
      let error = databaseError { try titles(path, configuration("seven seas")) }
      #expect(error?.resultCode == .SQLITE_CORRUPT || error?.resultCode == .SQLITE_NOTADB)
    }
  }
}

/// The errors where SQLite has no encryption.
@Suite(.lacks(.encryption)) struct NoEncryptionTests {
  @Test func `each function reports that SQLite has no encryption`() throws {
    let queue = try DatabaseQueue()
    try queue.writeWithoutTransaction { db throws in
      func expect(_ name: String, _ body: () throws -> Void) {
        #expect(
          databaseError(body)?.description == """
            SQLite error 21: `\(name)`: this SQLite has no encryption
            enable the trait `SQLCipher` of the package Quarry
            """)
      }
      expect("usePassphrase") { try db.usePassphrase("seven seas") }
      expect("usePassphrase") { try db.usePassphrase(Data([1])) }
      expect("changePassphrase") { try db.changePassphrase("seven seas") }
      expect("changePassphrase") { try db.changePassphrase(Data([1])) }
      expect("exportDatabase") { try db.exportDatabase(to: "copy", passphrase: nil) }
      #expect(try db.cipherVersion == nil)
      #expect(try !db.isEncrypted)
      #expect(try db.cipherSettings == [])
    }
  }

  @Test func `no file is left in clear by a passphrase that is refused`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/books.sqlite"
      #expect(
        databaseError { try DatabaseQueue(path: path, configuration: configuration("x")) } != nil)
      let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
      #expect(size ?? 0 == 0)
    }
  }
}
