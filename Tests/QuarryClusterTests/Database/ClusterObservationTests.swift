// Nodes run on Linux.
#if os(Linux)
  import Foundation
  import NodeProcesses
  import Quarry
  import QuarryTestSupport
  import Testing

  @testable import QuarryCluster

  @Suite(
    "Observation of a cluster", .serialized,
    .enabled(if: TestCluster.program != nil, "Scripts/cluster test"))
  struct ClusterObservationTests {
    /// Waits until a log has so many elements.
    private func wait<T>(_ log: Log<T>, count: Int) {
      let deadline = ContinuousClock.now + .seconds(30)
      while log.elements.count < count, .now < deadline { Thread.sleep(forTimeInterval: 0.01) }
    }

    @Test func `Values are fetched after commits that concern them`() throws {
      try TestCluster.withDatabase { _, cluster throws in
        let counts = Log<Int>()
        let observation = ValueObservation.tracking { db in try Author.fetchCount(db) }
        let cancellable = observation.start(
          in: cluster, scheduling: .async(onQueue: .global()), onError: { Issue.record($0) },
          onChange: { counts.append($0) })
        wait(counts, count: 1)
        try cluster.write { db in try Author(id: 1, name: "a").insert(db) }
        wait(counts, count: 2)
        // Another table, and a rollback.
        try cluster.write { db in try Book(id: 1, title: "x").insert(db) }
        try cluster.writeWithoutTransaction { db throws in
          try db.inTransaction {
            try Author(id: 2, name: "b").insert(db)
            return .rollback
          }
        }
        // A cascade, a trigger, and rows that are returned.
        try cluster.writeWithoutTransaction { db throws in
          _ = try Int.fetchAll(db, sql: "DELETE FROM author RETURNING id")
        }
        wait(counts, count: 3)
        cancellable.cancel()
        #expect(counts.elements == [0, 1, 0])
      }
    }

    @Test func `Changes by triggers and foreign keys are noticed`() throws {
      try TestCluster.withDatabase { _, cluster throws in
        try cluster.write { db in
          try Author(id: 1, name: "a").insert(db)
          try Book(id: 1, title: "x", authorId: 1).insert(db)
        }
        let counts = Log<Int>()
        let cancellable = ValueObservation.tracking { db in try Book.fetchCount(db) }.start(
          in: cluster, scheduling: .async(onQueue: .global()), onError: { Issue.record($0) },
          onChange: { counts.append($0) })
        wait(counts, count: 1)
        try cluster.write { db in try db.execute(sql: "DELETE FROM author") }
        wait(counts, count: 2)
        cancellable.cancel()
        #expect(counts.elements == [1, 0])
      }
    }

    @Test func `Commits of other clients are found by looking`() throws {
      var options = ClusterOptions()
      options.pollInterval = .milliseconds(50)
      try TestCluster.withDatabase(options: options) { nodes, cluster throws in
        let other = try nodes.database()
        let counts = Log<Int>()
        let cancellable = ValueObservation.tracking { db in try Author.fetchCount(db) }.start(
          in: cluster, scheduling: .async(onQueue: .global()), onError: { Issue.record($0) },
          onChange: { counts.append($0) })
        wait(counts, count: 1)
        try other.write { db in try Author(id: 1, name: "a").insert(db) }
        // A look may find nothing new.
        let deadline = ContinuousClock.now + .seconds(30)
        while counts.elements.last != 1, .now < deadline { Thread.sleep(forTimeInterval: 0.01) }
        cancellable.cancel()
        #expect(counts.elements.last == 1)
      }
    }

    @Test func `An observation goes on without the cluster that it was started in`() throws {
      var options = ClusterOptions()
      options.pollInterval = .milliseconds(50)
      try TestCluster.with(nodes: 1) { nodes in
        let other = try nodes.database()
        try other.write { db in try db.execute(sql: "CREATE TABLE author (id INTEGER, name TEXT)") }
        let counts = Log<Int>()
        let cancellable = try ValueObservation.tracking { db in try Author.fetchCount(db) }.start(
          in: nodes.database(options: options), scheduling: .async(onQueue: .global()),
          onError: { Issue.record($0) }, onChange: { counts.append($0) })
        wait(counts, count: 1)
        try other.write { db in try db.execute(sql: "INSERT INTO author VALUES (1, 'a')") }
        let deadline = ContinuousClock.now + .seconds(30)
        while counts.elements.last != 1, .now < deadline { Thread.sleep(forTimeInterval: 0.01) }
        cancellable.cancel()
        #expect(counts.elements.last == 1)
      }
    }

    @Test func `Rows that no statement names are changes`() throws {
      try TestCluster.withDatabase { _, cluster throws in
        try cluster.write { db in
          for (id, name) in [(1, "a"), (2, "b"), (3, "c")] {
            try Author(id: Int64(id), name: name, country: "\(id)").insert(db)
          }
          try Book(id: 1, title: "x", authorId: 1).insert(db)
          try db.execute(
            sql: """
              ALTER TABLE author ADD COLUMN city TEXT;
              UPDATE author SET city = 'turin' WHERE id = 3;
              CREATE UNIQUE INDEX lowercaseCity ON author (lower(city)) WHERE city <> '';
              """)
        }
        let countries = Log<[String?]>()
        let books = Log<Int>()
        let tasks = [
          ValueObservation.tracking { db in
            try Author.select(Column("country"), as: String?.self).fetchAll(db)
          }.start(
            in: cluster, scheduling: .async(onQueue: .global()), onError: { Issue.record($0) },
            onChange: { countries.append($0) }),
          ValueObservation.trackingConstantRegion { db in try Book.fetchCount(db) }.start(
            in: cluster, scheduling: .async(onQueue: .global()), onError: { Issue.record($0) },
            onChange: { books.append($0) }),
        ]
        wait(countries, count: 1)
        wait(books, count: 1)
        // Removes the second author.
        try cluster.write { db in
          try db.execute(sql: "UPDATE OR REPLACE author SET name = 'b' WHERE id = 3")
        }
        wait(countries, count: 2)
        // Another order.
        try cluster.write { db in try db.execute(sql: "UPDATE author SET id = 9 WHERE id = 3") }
        wait(countries, count: 3)
        // Removes the author whose key is 9 now, by the index on an expression.
        try cluster.write { db in
          try db.execute(sql: "UPDATE OR REPLACE author SET city = 'Turin' WHERE id = 1")
        }
        wait(countries, count: 4)
        #expect(countries.elements == [["1", "2", "3"], ["1", "3"], ["1", "3"], ["1"]])
        tasks[0].cancel()
        // The book goes with its author.
        try cluster.write { db in try db.execute(sql: "DROP TABLE author") }
        let deadline = ContinuousClock.now + .seconds(30)
        while books.elements.last != 0, .now < deadline { Thread.sleep(forTimeInterval: 0.01) }
        #expect(books.elements.last == 0)
        tasks[1].cancel()
      }
    }

    final class Observer: TransactionObserver {
      let events = Log<String>()
      let refuses: Bool
      struct Refusal: Error {}

      init(refuses: Bool = false) {
        self.refuses = refuses
      }

      func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool {
        eventKind.tableName == "author"
      }
      func databaseDidChange() { events.append("change") }
      func databaseDidChange(with event: DatabaseEvent) { events.append("row") }
      func databaseWillCommit() throws {
        events.append("will commit")
        if refuses { throw Refusal() }
      }
      func databaseDidCommit(_ db: Database) { events.append("commit") }
      func databaseDidRollback(_ db: Database) { events.append("rollback") }
    }

    @Test func `Observers of transactions are notified that tables have changed`() throws {
      try TestCluster.withDatabase { _, cluster throws in
        let observer = Observer()
        cluster.add(transactionObserver: observer)
        try cluster.write { db in
          try Book(id: 1, title: "x").insert(db)
          try Author(id: 1, name: "a").insert(db)
        }
        #expect(observer.events.elements == ["change", "will commit", "commit"])
        try cluster.writeWithoutTransaction { db throws in try Author(id: 2, name: "b").insert(db) }
        #expect(observer.events.elements.dropFirst(3) == ["change", "will commit", "commit"])
        cluster.remove(transactionObserver: observer)
      }
    }

    @Test func `An observer that refuses a commit leaves nothing at the node`() throws {
      try TestCluster.withDatabase { _, cluster throws in
        let observer = Observer(refuses: true)
        cluster.add(transactionObserver: observer)
        #expect(throws: Observer.Refusal.self) {
          try cluster.write { db in try Author(id: 1, name: "a").insert(db) }
        }
        #expect(throws: Observer.Refusal.self) {
          try cluster.writeWithoutTransaction { db throws in try Author(id: 2, name: "b").insert(db)
          }
        }
        #expect(observer.events.elements.last == "rollback")
        cluster.remove(transactionObserver: observer)
        let count = try cluster.read { db in try Author.fetchCount(db) }
        #expect(count == 0)
        try cluster.write { db in try Author(id: 3, name: "c").insert(db) }
      }
    }
  }
#endif
