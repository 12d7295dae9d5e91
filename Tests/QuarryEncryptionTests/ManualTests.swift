import Foundation
import Quarry
import QuarryEncryption
import QuarryTestSupport
import Testing

/// The examples of the manual's page on encrypted databases.
@Suite(.needs(.encryption)) struct ManualTests {
  /// What a program keeps passphrases in.
  final class Vault: Sendable {
    private let passphrase = Locked([UInt8]("seven seas".utf8))
    func read() throws -> [UInt8] { passphrase.withLock { $0 } }
    func store(_ new: [UInt8]) { passphrase.withLock { $0 = new } }
  }

  @Test func `open, change and export`() throws {
    try withTemporaryDirectory { folder in
      let path = folder + "/library.sqlite"
      let vault = Vault()

      // snippet.open
      var configuration = Configuration()
      configuration.prepareDatabase { db in
        var passphrase = try vault.read()
        try db.usePassphrase(wiping: &passphrase)
      }
      let library = try DatabasePool(path: path, configuration: configuration)
      // snippet.end

      try library.write { db in
        try db.execute(sql: "CREATE TABLE book (title TEXT); INSERT INTO book VALUES ('Emma')")
      }

      // snippet.change
      let new = "lighthouse"
      try library.barrierWriteWithoutTransaction { db in
        try db.changePassphrase(new)
        vault.store([UInt8](new.utf8))
        library.invalidateReadOnlyConnections()
      }
      // snippet.end
      #expect(
        try library.read { db in try String.fetchAll(db, sql: "SELECT title FROM book") } == [
          "Emma"
        ])

      // snippet.export
      let clear = folder + "/clear.sqlite"
      let encrypted = folder + "/encrypted.sqlite"
      // From an encrypted file to a clear one.
      try library.writeWithoutTransaction { db in
        try db.exportDatabase(to: clear, passphrase: nil)
      }
      // And back.
      try DatabaseQueue(path: clear).writeWithoutTransaction { db in
        try db.exportDatabase(to: encrypted, passphrase: "seven seas")
      }
      // snippet.end
      let queue = try DatabaseQueue(
        path: encrypted, configuration: QuarryEncryptionTests.configuration("seven seas"))
      #expect(
        try queue.read { db in try String.fetchAll(db, sql: "SELECT title FROM book") } == ["Emma"])
    }
  }

  @Test func `settings and a clear header`() throws {
    try withTemporaryDirectory { folder in
      let path = folder + "/library.sqlite"
      var configuration = Configuration()
      // snippet.settings
      configuration.prepareDatabase { db in
        try db.usePassphrase("seven seas")
        try db.execute(sql: "PRAGMA kdf_iter = 64000")
        try db.execute(sql: "PRAGMA cipher_page_size = 8192")
      }
      // snippet.end
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      #expect(
        try queue.read { db in try db.cipherSettings.contains("PRAGMA kdf_iter = 64000;") })
    }
  }
}
