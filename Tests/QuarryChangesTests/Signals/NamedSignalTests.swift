import Dispatch
import Foundation
import Quarry
import QuarryChanges
import QuarryTestSupport
import Testing

#if os(Linux)
  @Suite("Signals with the names of tables", .timeLimit(.minutes(10)))
  struct NamedSignalTests {
    private static let schema = """
      CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT);
      CREATE TABLE tag (id INTEGER PRIMARY KEY, name TEXT);
      """

    /// The numbers of rows of a table, each time it is fetched.
    private func counts(
      of table: String, in pool: DatabasePool
    ) -> (log: Log<Int>, cancellable: AnyDatabaseCancellable) {
      let log = Log<Int>()
      let observation = ValueObservation.tracking { db in try Table(table).fetchCount(db) }
      let cancellable = observation.start(
        in: pool, scheduling: .async(onQueue: DispatchQueue(label: table))
      ) {
        Issue.record($0)
      } onChange: {
        log.append($0)
      }
      return (log, cancellable)
    }

    private func wait(for count: Int, in log: Log<Int>) async throws {
      while log.elements.last != count { try await Task.sleep(for: .milliseconds(1)) }
    }

    @Test(arguments: [2, 5])
    func `the tables that a process changes are fetched, and no others`(
      processes: Int
    ) async throws {
      try await withTemporaryDirectory { directory async throws in
        let path = directory + "/library.sqlite"
        let pool = try DatabasePool(path: path, configuration: SignalWorld.configuration)
        try await pool.write { db in try db.execute(sql: Self.schema) }
        let signals = try pool.notifyChangesOfOtherProcesses(namingTables: true) {
          Issue.record($0)
        }
        let (books, tags) = (counts(of: "book", in: pool), counts(of: "tag", in: pool))
        let peers = try (1..<processes).map { _ in
          try PeerProcess(arguments: ["peer", path, "signals"])
        }
        var bookCount = 0
        func insertBook(_ peer: PeerProcess) async throws {
          peer.send("INSERT INTO book (title) VALUES ('Emma')")
          #expect(peer.nextLine() != nil)
          bookCount += 1
          try await wait(for: bookCount, in: books.log)
        }
        for peer in peers { try await insertBook(peer) }
        let tagFetches = tags.log.elements.count
        let start = bookCount
        for _ in 0..<10 {
          for peer in peers { try await insertBook(peer) }
        }
        // A message that is late on a busy machine is as one that is lost.
        #expect(tags.log.elements.count - tagFetches < bookCount - start)

        // Killed in the middle of a transaction, or of its messages.
        for (index, peer) in peers.enumerated() {
          peer.send("INSERT INTO tag (name) VALUES ('\(index)')")
          if index.isMultiple(of: 2) { #expect(peer.nextLine() != nil) }
          peer.kill()
        }
        let tagCount = try await pool.read { db in try Table("tag").fetchCount(db) }
        #expect(tagCount >= (peers.count + 1) / 2)
        try await wait(for: tagCount, in: tags.log)
        // A program without signals.
        let other = try PeerProcess(arguments: ["peer", path, "statements"])
        other.send("DELETE FROM tag")
        #expect(other.nextLine() != nil)
        try await wait(for: 0, in: tags.log)
        other.kill()
        for observation in [books, tags] { observation.cancellable.cancel() }
        signals.cancel()
      }
    }

    @Test func `processes that are killed at any time hide nothing`() async throws {
      try await withTemporaryDirectory { directory async throws in
        let path = directory + "/library.sqlite"
        let pool = try DatabasePool(path: path, configuration: SignalWorld.configuration)
        try await pool.write { db in try db.execute(sql: Self.schema) }
        let signals = try pool.notifyChangesOfOtherProcesses(namingTables: true) {
          Issue.record($0)
        }
        let (books, tags) = (counts(of: "book", in: pool), counts(of: "tag", in: pool))
        let run = RandomRun("killed processes")
        var random = run.generator
        for _ in 0..<20 {
          let table = Bool.random(using: &random) ? "book" : "tag"
          let peer = try PeerProcess(arguments: ["peer", path, "signals"])
          for _ in 0..<200 { peer.send("INSERT INTO \(table) DEFAULT VALUES") }
          #expect(peer.nextLine() != nil)
          usleep(UInt32.random(in: 0..<30_000, using: &random))
          peer.kill()
          for (table, log) in [("book", books.log), ("tag", tags.log)] {
            let count = try await pool.read { db in try Table(table).fetchCount(db) }
            try await wait(for: count, in: log)
          }
        }
        for observation in [books, tags] { observation.cancellable.cancel() }
        signals.cancel()
      }
    }
  }
#endif
