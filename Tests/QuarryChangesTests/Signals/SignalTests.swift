import Dispatch
import Foundation
import Quarry
import QuarryChanges
import QuarryTestSupport
import Testing

#if os(Linux)
  @Suite("Signals between processes", .timeLimit(.minutes(10)))
  struct SignalTests {
    private func makeFile(_ path: String, _ journalMode: String = "wal") throws {
      try DatabaseQueue(path: path).writeWithoutTransaction { db in
        _ = try String.fetchOne(db, sql: "PRAGMA journal_mode = \(journalMode)")
        try db.execute(sql: "CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT)")
      }
    }

    private var patient: Configuration {
      var configuration = Configuration()
      configuration.busyMode = .timeout(600)
      return configuration
    }

    private func count(in writer: any DatabaseWriter) -> AsyncValueObservation<Int> {
      ValueObservation.tracking { db in try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM book")! }
        .values(in: writer, scheduling: .async(onQueue: DispatchQueue(label: "values")))
    }

    /// Waits until an observation reports a number of books.
    private func expect(_ expected: Int, in counts: AsyncValueObservation<Int>) async throws {
      for try await count in counts where count == expected { return }
      Issue.record("the observation has ended before \(expected) books")
    }

    @Test(arguments: ["wal", "delete", "truncate", "persist"])
    func `a commit of another connection is seen`(journalMode: String) async throws {
      try await withTemporaryDirectory { directory async throws in
        let path = directory + "/library.sqlite"
        try makeFile(path, journalMode)
        let queue = try DatabaseQueue(path: path, configuration: patient)
        let other = try DatabaseQueue(path: path, configuration: patient)
        let signals = try queue.notifyChangesOfOtherProcesses { Issue.record($0) }
        let counts = count(in: queue)
        for number in 1...5 {
          try await other.write { db in
            try db.execute(sql: "INSERT INTO book (title) VALUES ('Emma')")
          }
          try await expect(number, in: counts)
        }
        signals.cancel()
      }
    }

    @Test func `the signals end when the database is closed`() async throws {
      try await withTemporaryDirectory { directory async throws in
        let path = directory + "/library.sqlite"
        try makeFile(path)
        let queue = try DatabaseQueue(path: path, configuration: patient)
        let signals = try queue.notifyChangesOfOtherProcesses(pollingEvery: .milliseconds(1)) {
          Issue.record($0)
        }
        try queue.close()
        try await Task.sleep(for: .milliseconds(50))
        signals.cancel()
      }
    }

    @Test func `files that are made again are watched`() async throws {
      try await withTemporaryDirectory { directory async throws in
        let path = directory + "/library.sqlite"
        try makeFile(path, "delete")
        let queue = try DatabaseQueue(path: path, configuration: patient)
        let signals = try queue.notifyChangesOfOtherProcesses { Issue.record($0) }
        let counts = count(in: queue)
        try await expect(0, in: counts)
        for number in 1...3 {
          // The write-ahead log comes with the first one that uses it, and goes with the last one.
          let other = try DatabaseQueue(path: path, configuration: patient)
          try await other.write { db in
            try db.execute(sql: "INSERT INTO book (title) VALUES ('Emma')")
          }
          try other.close()
          try await expect(number, in: counts)
        }
        signals.cancel()
      }
    }

    @Test func `commits are seen for a wrapped writer, whose wrapper goes`() async throws {
      try await withTemporaryDirectory { directory async throws in
        let path = directory + "/library.sqlite"
        try makeFile(path)
        let queue = try DatabaseQueue(path: path, configuration: patient)
        let other = try DatabaseQueue(path: path, configuration: patient)
        let signals = try AnyDatabaseWriter(queue).notifyChangesOfOtherProcesses {
          Issue.record($0)
        }
        let counts = count(in: queue)
        try await other.write { db in
          try db.execute(sql: "INSERT INTO book (title) VALUES ('Emma')")
        }
        try await expect(1, in: counts)
        try await other.write { db in
          try db.execute(sql: "INSERT INTO book (title) VALUES ('Persuasion')")
        }
        try await expect(2, in: counts)
        signals.cancel()
      }
    }

    @Test(arguments: [false, true])
    func `there are no looks while nothing happens, nor after the end`(
      namingTables: Bool
    ) async throws {
      try await withTemporaryDirectory { directory async throws in
        let path = directory + "/library.sqlite"
        try makeFile(path)
        let looks = Log<String>()
        var configuration = patient
        configuration.prepareDatabase { db in
          db.trace { event in
            if "\(event)".contains("data_version") { looks.append("\(event)") }
          }
        }
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        let other = try DatabaseQueue(path: path, configuration: patient)
        let signals = try queue.notifyChangesOfOtherProcesses(namingTables: namingTables) {
          Issue.record($0)
        }
        let counts = count(in: queue)
        try await other.write { db in
          try db.execute(sql: "INSERT INTO book (title) VALUES ('Emma')")
        }
        try await expect(1, in: counts)
        // After the event, five more looks in growing pauses, of 1.4 seconds in all; then none.
        var last = -1
        while looks.elements.count != last {
          last = looks.elements.count
          try await Task.sleep(for: .seconds(3))
        }
        #expect(last >= 6)
        try await Task.sleep(for: .seconds(2))
        #expect(looks.elements.count == last)

        signals.cancel()
        try await other.write { db in
          try db.execute(sql: "INSERT INTO book (title) VALUES ('Emma')")
        }
        try await Task.sleep(for: .seconds(1))
        #expect(looks.elements.count <= last + 1, "one may have been on its way")
      }
    }

    @Test func `with an interval, it looks also without events`() async throws {
      try await withTemporaryDirectory { directory async throws in
        let path = directory + "/library.sqlite"
        try makeFile(path)
        let looks = Log<Bool>()
        var configuration = Configuration()
        configuration.prepareDatabase { db in
          db.trace { event in if "\(event)".contains("data_version") { looks.append(true) } }
        }
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        let signals = try queue.notifyChangesOfOtherProcesses(pollingEvery: .milliseconds(5))
        while looks.elements.count < 50 { try await Task.sleep(for: .milliseconds(5)) }
        signals.cancel()
      }
    }

    @Test func `a database in memory has no other processes`() throws {
      let error = databaseError { _ = try DatabaseQueue().notifyChangesOfOtherProcesses() }
      #expect(
        error?.message == """
          a database in memory has no file that other processes change: \
          notifyChangesOfOtherProcesses needs one
          """)
    }

    @Test func `a closed database is an error, and a read-only one has nothing to do`() throws {
      try withTemporaryDirectory { directory in
        let path = directory + "/library.sqlite"
        try makeFile(path, "delete")
        var configuration = Configuration()
        configuration.readonly = true
        let reader = try DatabaseQueue(path: path, configuration: configuration)
        try reader.notifyChangesOfOtherProcesses().cancel()
        let queue = try DatabaseQueue(path: path)
        let signals = try queue.notifyChangesOfOtherProcesses()
        try queue.close()
        #expect(databaseError { _ = try queue.notifyChangesOfOtherProcesses() } != nil)
        signals.cancel()
      }
    }

    @Test func `signals do not keep the database alive`() async throws {
      try await withTemporaryDirectory { directory async throws in
        let path = directory + "/library.sqlite"
        try makeFile(path)
        weak var released: DatabasePool?
        let signals: AnyDatabaseCancellable
        do {
          let pool = try DatabasePool(path: path)
          released = pool
          signals = try pool.notifyChangesOfOtherProcesses()
        }
        for _ in 0..<30_000 where released != nil { try await Task.sleep(for: .milliseconds(5)) }
        #expect(released == nil)
        try makeNote(path)
        signals.cancel()
      }
    }

    private func makeNote(_ path: String) throws {
      try DatabaseQueue(path: path, configuration: patient).write { db in
        try db.execute(sql: "INSERT INTO book (title) VALUES ('Emma')")
      }
    }

    @Test(arguments: [1, 4], [false, true])
    func `commits of processes are seen, also of those that are killed`(
      peers: Int, namingTables: Bool
    ) async throws {
      try await withTemporaryDirectory { directory async throws in
        let path = directory + "/library.sqlite"
        try makeFile(path)
        let pool = try DatabasePool(path: path, configuration: patient)
        let signals = try pool.notifyChangesOfOtherProcesses(namingTables: namingTables) {
          Issue.record($0)
        }
        let seen = Log<(books: Int, time: UInt64)>()
        let cancellable = ValueObservation.tracking { db in
          try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM book")!
        }.start(in: pool, scheduling: .async(onQueue: DispatchQueue(label: "times"))) {
          Issue.record($0)
        } onChange: { books in
          seen.append((books, DispatchTime.now().uptimeNanoseconds))
        }
        let commits = try await onOwnThread {
          try write(path, by: peers, namingTables ? "signals" : "statements")
        }
        // All that was reported as committed, also by those that were killed in the middle of a
        // transaction, is seen without another event.
        let total = try await pool.read { db in
          try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM book")!
        }
        while seen.elements.last?.books != total { try await Task.sleep(for: .milliseconds(5)) }
        // A commit may be seen before its process has looked at the clock.
        let latencies = commits.enumerated().compactMap { index, commit in
          seen.elements.first { $0.books > index }.map {
            max(0, Double($0.time) - Double(commit)) / 1e6
          }
        }.sorted()
        #expect(latencies.count == commits.count)
        print(
          "signals, \(peers) peers, names \(namingTables): median \(latencies[latencies.count / 2]) ms,",
          "longest \(latencies.last ?? 0) ms")
        cancellable.cancel()
        signals.cancel()
      }
    }

    /// Returns when the transactions were committed.
    private func write(_ path: String, by count: Int, _ use: String) throws -> [UInt64] {
      let sql = "INSERT INTO book (title) VALUES ('Emma')"
      let peers = try (0..<count).map { _ in
        try PeerProcess(arguments: ["peer", path, use])
      }
      var commits: [UInt64] = []
      for _ in 0..<10 {
        for peer in peers {
          peer.send(sql)
          commits.append(try #require(peer.nextLine().flatMap(UInt64.init)))
        }
        usleep(5000)
      }
      // A large transaction, which writes its pages before it commits, is cut off.
      for peer in peers {
        peer.send(
          """
          WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 100000000) \
          INSERT INTO book (title) SELECT hex(randomblob(500)) FROM n
          """)
        usleep(50_000)
        peer.kill()
      }
      return commits
    }
  }
#endif
