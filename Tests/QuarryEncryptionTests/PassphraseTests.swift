import Foundation
import Quarry
import QuarryEncryption
import QuarryTestSupport
import Testing

/// The passphrases of connections.
@Suite(.needs(.encryption)) struct PassphraseTests {
  static func notADatabase(_ path: String) -> String {
    """
    SQLite error 26: file is not a database - while opening `\(path)`
    its passphrase or the settings of its cipher are others, or it is not encrypted, or no database
    """
  }

  @Test func `a queue writes an encrypted file`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/books.sqlite"
      try writeBooks(DatabaseQueue(path: path, configuration: configuration("seven seas")))
      #expect(try !files(of: path, contain: "SQLite format 3"))
      #expect(try !files(of: path, contain: "Moby-Dick"))
      #expect(try !files(of: path, contain: "CREATE TABLE"))
      #expect(try titles(path, configuration("seven seas")) == ["Moby-Dick", "Emma"])
    }
  }

  @Test func `a pool writes an encrypted log`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/books.sqlite"
      let pool = try DatabasePool(path: path, configuration: configuration("seven seas"))
      try pool.write { db in
        try db.execute(sql: "CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT)")
        try db.execute(sql: "INSERT INTO book (title) VALUES ('Moby-Dick')")
      }
      #expect(FileManager.default.fileExists(atPath: path + "-wal"))
      #expect(try !files(of: path, contain: "Moby-Dick"))
      #expect(try pool.read(fetchTitles) == ["Moby-Dick"])
      let snapshot = try pool.makeSnapshot()
      try pool.write { db in try db.execute(sql: "DELETE FROM book") }
      #expect(try snapshot.read(fetchTitles) == ["Moby-Dick"])
      #expect(try pool.read(fetchTitles) == [])
    }
  }

  @Test func `a file opens with its passphrase only`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/books.sqlite"
      try writeBooks(DatabaseQueue(path: path, configuration: configuration("seven seas")))
      for wrong in ["seven sea", "seven seas ", "Seven seas"] {
        let error = databaseError { try titles(path, configuration(wrong)) }
        #expect(error?.resultCode == .SQLITE_NOTADB)
        #expect(error?.description == Self.notADatabase(path))
        #expect(error?.path == path)
      }
      let pool = databaseError {
        try DatabasePool(path: path, configuration: configuration("wrong"))
      }
      #expect(pool?.description == Self.notADatabase(path))
      #expect(
        databaseError { try titles(path) }?.description
          == "SQLite error 26: file is not a database - while opening `\(path)`")
      #expect(try titles(path, configuration("seven seas")) == ["Moby-Dick", "Emma"])
    }
  }

  @Test func `a clear file does not open with a passphrase`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/books.sqlite"
      try writeBooks(DatabaseQueue(path: path))
      let error = databaseError { try titles(path, configuration("seven seas")) }
      #expect(error?.description == Self.notADatabase(path))
      #expect(try titles(path) == ["Moby-Dick", "Emma"])
    }
  }

  @Test func `bytes are the passphrase that they spell, and any others are one`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/books.sqlite"
      try writeBooks(DatabaseQueue(path: path, configuration: configuration("äther")))
      var spelled = Configuration()
      spelled.prepareDatabase { db in
        try db.usePassphrase(Data([0xC3, 0xA4, 0x74, 0x68, 0x65, 0x72]))
      }
      #expect(try titles(path, spelled) == ["Moby-Dick", "Emma"])

      let other = directory + "/other.sqlite"
      var bytes = Configuration()
      bytes.prepareDatabase { db in try db.usePassphrase(Data([0x00, 0xFF, 0x00, 0x80])) }
      try writeBooks(DatabaseQueue(path: other, configuration: bytes))
      #expect(try titles(other, bytes) == ["Moby-Dick", "Emma"])
      var shorter = Configuration()
      shorter.prepareDatabase { db in try db.usePassphrase(Data([0x00, 0xFF, 0x00])) }
      #expect(databaseError { try titles(other, shorter) }?.resultCode == .SQLITE_NOTADB)
    }
  }

  @Test func `a key takes the place of a passphrase`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/books.sqlite"
      let key = "x'" + String(repeating: "0123456789abcdef", count: 4) + "'"
      try writeBooks(DatabaseQueue(path: path, configuration: configuration(key)))
      #expect(try titles(path, configuration(key)) == ["Moby-Dick", "Emma"])
      #expect(databaseError { try titles(path, configuration("x")) }?.resultCode == .SQLITE_NOTADB)
    }
  }

  @Test func `bytes are wiped after use, and after an error`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/books.sqlite"
      let log = Log<[UInt8]>()
      var wiping = Configuration()
      wiping.prepareDatabase { db in
        var passphrase = [UInt8]("seven seas".utf8)
        defer { log.append(passphrase) }
        try db.usePassphrase(wiping: &passphrase)
      }
      try writeBooks(DatabaseQueue(path: path, configuration: wiping))
      #expect(try titles(path, configuration("seven seas")) == ["Moby-Dick", "Emma"])
      let queue = try DatabaseQueue(path: path, configuration: configuration("seven seas"))
      try queue.writeWithoutTransaction { db throws in
        var late = [UInt8]("late".utf8)
        #expect(databaseError { try db.usePassphrase(wiping: &late) } != nil)
        log.append(late)
        var new = [UInt8]("new".utf8)
        try db.changePassphrase(wiping: &new)
        log.append(new)
      }
      try queue.close()
      #expect(log.elements == [10, 4, 3].map { count in [UInt8](repeating: 0, count: count) })
      #expect(try titles(path, configuration("new")) == ["Moby-Dick", "Emma"])
    }
  }

  @Test func `an empty passphrase is refused`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/books.sqlite"
      let error = databaseError { try titles(path, configuration("")) }
      #expect(error?.description == "SQLite error 21: the passphrase is empty")
      var bytes = Configuration()
      bytes.prepareDatabase { db in try db.usePassphrase(Data()) }
      #expect(
        databaseError { try titles(path, bytes) }?.description
          == "SQLite error 21: the passphrase is empty")
    }
  }

  @Test(arguments: [false, true]) func `a passphrase that comes too late is refused`(
    isEncrypted: Bool
  ) throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/books.sqlite"
      let settings = isEncrypted ? configuration("seven seas") : Configuration()
      try writeBooks(DatabaseQueue(path: path, configuration: settings))
      let queue = try DatabaseQueue(path: path, configuration: settings)
      let error = databaseError {
        try queue.writeWithoutTransaction { db in try db.usePassphrase("other") }
      }
      #expect(
        error?.description == """
          SQLite error 21: `usePassphrase` comes too late: the connection has read or written the database
          call it first in `prepareDatabase`; `changePassphrase` changes the passphrase
          """)
      try queue.write { db in try db.execute(sql: "INSERT INTO book (title) VALUES ('Ulysses')") }
      try queue.close()
      #expect(try titles(path, settings) == ["Moby-Dick", "Emma", "Ulysses"])
    }
  }

  @Test func `a new file has no passphrase after it was written`() throws {
    try withTemporaryDirectory { directory in
      let queue = try DatabaseQueue(path: directory + "/books.sqlite")
      try queue.write { db in try db.execute(sql: "CREATE TABLE book (title)") }
      let error = databaseError {
        try queue.writeWithoutTransaction { db in try db.usePassphrase("other") }
      }
      #expect(error?.resultCode == .SQLITE_MISUSE)
    }
  }

  @Test func `a database in memory has no passphrase after it was written`() throws {
    let queue = try DatabaseQueue()
    try queue.writeWithoutTransaction { db throws in
      try db.execute(sql: "CREATE TABLE book (title TEXT); INSERT INTO book VALUES ('Emma')")
      let error = databaseError { try db.usePassphrase("other") }
      #expect(error?.resultCode == .SQLITE_MISUSE)
      let kept = try String.fetchAll(db, sql: "SELECT title FROM book")
      #expect(kept == ["Emma"])
    }
    let encrypted = try DatabaseQueue(configuration: configuration("seven seas"))
    try encrypted.write { db throws in
      try db.execute(sql: "CREATE TABLE book (title TEXT); INSERT INTO book VALUES ('Emma')")
      let kept = try String.fetchAll(db, sql: "SELECT title FROM book")
      #expect(kept == ["Emma"])
    }
  }

  @Test func `settings follow the passphrase`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/books.sqlite"
      let settings = "PRAGMA kdf_iter = 64000; PRAGMA cipher_page_size = 1024"
      try writeBooks(
        DatabaseQueue(path: path, configuration: configuration("seven seas", settings)))
      #expect(try titles(path, configuration("seven seas", settings)) == ["Moby-Dick", "Emma"])
      #expect(
        databaseError { try titles(path, configuration("seven seas")) }?.description
          == Self.notADatabase(path))
    }
  }

  @Test func `a header is clear where it is asked for`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/books.sqlite"
      let settings = """
        PRAGMA cipher_plaintext_header_size = 32;
        PRAGMA cipher_salt = "x'000102030405060708090a0b0c0d0e0f'"
        """
      let withHeader = configuration("seven seas", settings)
      try writeBooks(DatabasePool(path: path, configuration: withHeader))
      let content = try Data(contentsOf: URL(fileURLWithPath: path))
      #expect(content.prefix(16) == Data("SQLite format 3\0".utf8))
      #expect(try !files(of: path, contain: "CREATE TABLE"))
      #expect(try titles(path, withHeader) == ["Moby-Dick", "Emma"])
    }
  }

  @Test func `connections report their cipher`() throws {
    try withTemporaryDirectory { directory in
      let queue = try DatabaseQueue(
        path: directory + "/books.sqlite", configuration: configuration("seven seas"))
      try queue.read { db throws in
        #expect(try db.isEncrypted)
        #expect(try db.cipherVersion?.hasPrefix("4.") == true)
        #expect(try db.cipherProvider == "openssl")
        #expect(try db.cipherProviderVersion?.hasPrefix("OpenSSL") == true)
        #expect(try db.cipherFIPSStatus == false)
        #expect(try db.cipherSettings.contains("PRAGMA kdf_iter = 256000;"))
      }
      let clear = try DatabaseQueue()
      try clear.read { db throws in
        #expect(try !db.isEncrypted)
        #expect(try db.cipherVersion?.hasPrefix("4.") == true)
        #expect(try db.cipherProvider == nil)
        #expect(try db.cipherProviderVersion == nil)
        #expect(try db.cipherFIPSStatus == nil)
        #expect(try db.cipherSettings == [])
      }
    }
  }
}
