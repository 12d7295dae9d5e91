import Quarry
import QuarryEncryption
import QuarryTestSupport
import Testing

/// Passphrases that are changed.
@Suite(.needs(.encryption)) struct PassphraseChangeTests {
  @Test func `a queue changes its passphrase`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/books.sqlite"
      try writeBooks(DatabaseQueue(path: path, configuration: configuration("seven seas")))
      let queue = try DatabaseQueue(path: path, configuration: configuration("seven seas"))
      try queue.writeWithoutTransaction { db in try db.changePassphrase("lighthouse") }
      #expect(try queue.read(fetchTitles) == ["Moby-Dick", "Emma"])
      try queue.write { db in try db.execute(sql: "INSERT INTO book (title) VALUES ('Ulysses')") }
      try queue.close()
      #expect(try titles(path, configuration("lighthouse")) == ["Moby-Dick", "Emma", "Ulysses"])
      #expect(
        databaseError { try titles(path, configuration("seven seas")) }?.resultCode
          == .SQLITE_NOTADB)
    }
  }

  @Test func `a pool changes its passphrase, and opens its readers anew`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/books.sqlite"
      let passphrase = Locked("seven seas")
      var current = Configuration()
      current.prepareDatabase { db in try db.usePassphrase(passphrase.withLock { $0 }) }
      try writeBooks(DatabasePool(path: path, configuration: current))
      let pool = try DatabasePool(path: path, configuration: current)
      #expect(try pool.read(fetchTitles) == ["Moby-Dick", "Emma"])
      try pool.barrierWriteWithoutTransaction { db in
        try db.changePassphrase("lighthouse")
        passphrase.withLock { $0 = "lighthouse" }
        pool.invalidateReadOnlyConnections()
      }
      #expect(try pool.read(fetchTitles) == ["Moby-Dick", "Emma"])
      try pool.write { db in try db.execute(sql: "DELETE FROM book WHERE id = 1") }
      #expect(try pool.read(fetchTitles) == ["Emma"])
      try pool.close()
      #expect(try titles(path, configuration("lighthouse")) == ["Emma"])
    }
  }

  @Test func `a transaction is not committed by a change of its passphrase`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/books.sqlite"
      try writeBooks(DatabaseQueue(path: path, configuration: configuration("seven seas")))
      let queue = try DatabaseQueue(path: path, configuration: configuration("seven seas"))
      let error = databaseError {
        try queue.write { db in
          try db.execute(sql: "DELETE FROM book")
          try db.changePassphrase("lighthouse")
        }
      }
      #expect(
        error?.description == """
          SQLite error 21: `changePassphrase` is a transaction of its own
          call it in `writeWithoutTransaction`
          """)
      #expect(try queue.read(fetchTitles) == ["Moby-Dick", "Emma"])
      try queue.close()
      #expect(try titles(path, configuration("seven seas")) == ["Moby-Dick", "Emma"])
    }
  }

  @Test func `a clear database, an empty passphrase and a reader are refused`() throws {
    try withTemporaryDirectory { directory in
      let clear = try DatabaseQueue(path: directory + "/clear.sqlite")
      let plain = databaseError {
        try clear.writeWithoutTransaction { db in try db.changePassphrase("lighthouse") }
      }
      #expect(
        plain?.description == """
          SQLite error 21: the database is not encrypted
          `exportDatabase(to:passphrase:)` writes an encrypted copy
          """)
      let queue = try DatabaseQueue(
        path: directory + "/books.sqlite", configuration: configuration("seven seas"))
      let empty = databaseError {
        try queue.writeWithoutTransaction { db in try db.changePassphrase("") }
      }
      #expect(empty?.description == "SQLite error 21: the passphrase is empty")
      let reading = databaseError { try queue.read { db in try db.changePassphrase("lighthouse") } }
      #expect(reading?.resultCode == .SQLITE_READONLY)
    }
  }

  @Test(arguments: [Configuration.JournalModeConfiguration.default, .wal], [false, true])
  func `nothing happens while another connection has a lock`(
    journalMode: Configuration.JournalModeConfiguration, isReading: Bool
  ) throws {
    // Readers don't wait for the writer of a write-ahead log, nor it for them.
    if isReading, journalMode == .wal { return }
    try withTemporaryDirectory { directory in
      let path = directory + "/books.sqlite"
      var settings = configuration("seven seas")
      settings.journalMode = journalMode
      try writeBooks(DatabaseQueue(path: path, configuration: settings))
      let (queue, other) = (
        try DatabaseQueue(path: path, configuration: settings),
        try DatabaseQueue(path: path, configuration: settings)
      )
      try other.writeWithoutTransaction { db in
        try db.execute(sql: isReading ? "BEGIN" : "BEGIN IMMEDIATE")
        let before = try fetchTitles(db)
        let error = databaseError {
          try queue.writeWithoutTransaction { db in try db.changePassphrase("lighthouse") }
        }
        try db.execute(sql: "COMMIT")
        #expect(before == ["Moby-Dick", "Emma"])
        #expect(error?.resultCode == .SQLITE_BUSY)
      }
      try queue.write { db in try db.execute(sql: "INSERT INTO book (title) VALUES ('Ulysses')") }
      #expect(try other.read(fetchTitles) == ["Moby-Dick", "Emma", "Ulysses"])
      try queue.writeWithoutTransaction { db in try db.changePassphrase("lighthouse") }
      try queue.write { db in try db.execute(sql: "DELETE FROM book WHERE id = 1") }
      try queue.close()
      try other.close()
      #expect(try titles(path, configuration("lighthouse")) == ["Emma", "Ulysses"])
    }
  }

  private final class Refusal: TransactionObserver {
    struct Refused: Error {}
    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { true }
    func databaseDidChange(with event: DatabaseEvent) {}
    func databaseWillCommit() throws { throw Refused() }
    func databaseDidCommit(_ db: Database) {}
    func databaseDidRollback(_ db: Database) {}
  }

  @Test func `an observer can't refuse what has taken place`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/books.sqlite"
      try writeBooks(DatabaseQueue(path: path, configuration: configuration("seven seas")))
      let queue = try DatabaseQueue(path: path, configuration: configuration("seven seas"))
      let refusal = Refusal()
      queue.add(transactionObserver: refusal, extent: .databaseLifetime)
      try queue.writeWithoutTransaction { db throws in
        try db.changePassphrase("lighthouse")
        #expect(!db.isInsideTransaction)
      }
      try queue.close()
      #expect(try titles(path, configuration("lighthouse")) == ["Moby-Dick", "Emma"])
    }
  }
}
