// Nodes run on Linux.
#if os(Linux)
  import Foundation
  import NodeProcesses
  import Quarry
  import QuarryTestSupport
  import Testing

  @testable import QuarryCluster

  @Suite(
    "Transactions on a cluster", .serialized,
    .enabled(if: TestCluster.program != nil, "Scripts/cluster test"))
  struct ClusterTransactionTests {
    private func ids(_ db: Database) throws -> [Int64] {
      try Int64.fetchAll(db, sql: "SELECT id FROM author ORDER BY id")
    }

    private func stored(_ cluster: DatabaseCluster) throws -> [Int64] {
      try cluster.read { db in try ids(db) }
    }

    private func insert(_ ids: Int64..., into db: Database) throws {
      for id in ids { try Author(id: id, name: "author \(id)").insert(db) }
    }

    @Test func `Savepoints, also the outermost one`() throws {
      try TestCluster.withDatabase { _, cluster throws in
        try cluster.writeWithoutTransaction { db throws in
          try db.execute(sql: "SAVEPOINT outer; INSERT INTO author (id, name) VALUES (1, 'a')")
          try db.execute(sql: "SAVEPOINT Inner; INSERT INTO author (id, name) VALUES (2, 'b')")
          try db.execute(sql: "ROLLBACK TO inner; INSERT INTO author (id, name) VALUES (3, 'c')")
          #expect(try ids(db) == [1, 3])
          try db.execute(sql: "RELEASE inner")
          #expect(db.isInsideTransaction)
          try db.execute(sql: "RELEASE outer")
          #expect(!db.isInsideTransaction)
          // Reading only.
          try db.execute(sql: "SAVEPOINT outer; SELECT * FROM author; RELEASE outer")
          try db.execute(sql: "SAVEPOINT outer; DELETE FROM author; ROLLBACK")
        }
        #expect(try stored(cluster) == [1, 3])
      }
    }

    @Test func `Mistakes with transactions are SQLite's errors`() throws {
      try TestCluster.withDatabase { _, cluster throws in
        try cluster.writeWithoutTransaction { db throws in
          for sql in ["COMMIT", "ROLLBACK", "RELEASE nowhere"] {
            #expect(throws: DatabaseError.self) { try db.execute(sql: sql) }
          }
          try db.execute(sql: "BEGIN")
          let nested = #expect(throws: DatabaseError.self) { try db.execute(sql: "BEGIN") }
          #expect(nested?.message == "cannot start a transaction within a transaction")
          try insert(1, into: db)
          try db.execute(sql: "COMMIT")
        }
        #expect(throws: DatabaseError.self) {
          try cluster.writeWithoutTransaction { db throws in
            try db.execute(sql: "BEGIN")
            try insert(2, into: db)
          }
        }
        #expect(try stored(cluster) == [1])
      }
    }

    @Test func `A conflict that rolls back ends the transaction on both sides`() throws {
      try TestCluster.withDatabase { _, cluster throws in
        var conflict: DatabaseError?
        let end = #expect(throws: DatabaseError.self) {
          try cluster.write { db throws in
            try insert(1, into: db)
            do {
              try db.execute(sql: "INSERT OR ROLLBACK INTO author (id, name) VALUES (1, 'x')")
            } catch let error as DatabaseError {
              conflict = error
            }
            try insert(2, into: db)
          }
        }
        #expect(conflict?.extendedResultCode == .SQLITE_CONSTRAINT_PRIMARYKEY)
        #expect(end?.resultCode == .SQLITE_ABORT)
        #expect(try stored(cluster) == [])
      }
    }

    @Test func `A deferred foreign key fails the commit`() throws {
      try TestCluster.withDatabase { _, cluster throws in
        let error = #expect(throws: DatabaseError.self) {
          try cluster.write { db in
            try db.execute(sql: "PRAGMA defer_foreign_keys = ON")
            try db.execute(sql: "INSERT INTO book (title, authorId) VALUES ('x', 7)")
          }
        }
        #expect(error?.extendedResultCode == .SQLITE_CONSTRAINT_FOREIGNKEY)
        let count = try cluster.read { db in try Book.fetchCount(db) }
        #expect(count == 0)
      }
    }

    @Test func `Statements that return rows, in and outside of transactions`() throws {
      try TestCluster.withDatabase { _, cluster throws in
        try cluster.writeWithoutTransaction { db throws in
          let author = try Author(id: 4, name: "a").insertAndFetch(db, as: Author.self)
          #expect(author.id == 4)
          #expect(!db.isInsideTransaction)
          #expect(db.lastInsertedRowID == 4)
          let names = try String.fetchAll(db, sql: "UPDATE author SET name = 'b' RETURNING name")
          #expect(names == ["b"])
          #expect(db.changesCount == 1)
          #expect(throws: DatabaseError.self) {
            _ = try Int.fetchAll(
              db, sql: "INSERT INTO author (id, name) VALUES (5, 'b') RETURNING id")
          }
          #expect(!db.isInsideTransaction)
        }
        try cluster.write { db in
          try insert(6, 7, into: db)
          let cursor = try Int64.fetchCursor(db, sql: "DELETE FROM author RETURNING id")
          _ = try cursor.next()
        }
        #expect(try stored(cluster) == [])
      }
    }

    @Test func `Only reads are possible where only reads are possible`() throws {
      try TestCluster.withDatabase { _, cluster throws in
        for sql in ["DELETE FROM author", "CREATE TABLE t (a)", "PRAGMA user_version = 3"] {
          let error = #expect(throws: DatabaseError.self) {
            try cluster.read { db in try db.execute(sql: sql) }
          }
          #expect(error?.resultCode == .SQLITE_READONLY, "\(sql)")
        }
        let version = try cluster.read { db in try Int.fetchOne(db, sql: "PRAGMA user_version") }
        #expect(version == 0)
      }
    }

    @Test func `Reads see the commits before them, and one state`() throws {
      try TestCluster.withDatabase { _, cluster throws in
        try cluster.write { db in try insert(1, into: db) }
        try cluster.read { db in
          #expect(try ids(db) == [1])
          try cluster.write { db in try insert(2, into: db) }
          #expect(try ids(db) == [1])
        }
        #expect(try stored(cluster) == [1, 2])
        try cluster.writeWithoutTransaction { db throws in
          let semaphore = DispatchSemaphore(value: 0)
          let found = Log<Int>()
          cluster.spawnConcurrentRead { result in
            found.append((try? Author.fetchCount(result.get())) ?? -1)
            semaphore.signal()
          }
          try insert(3, into: db)
          semaphore.wait()
          #expect(found.elements == [2])
        }
      }
    }

    @Test func `A client waits for another one that writes`() throws {
      try TestCluster.withDatabase { nodes, cluster throws in
        var impatient = Configuration()
        impatient.busyMode = .timeout(0.05)
        let other = try nodes.database(configuration: impatient)
        var patient = Configuration()
        patient.busyMode = .timeout(30)
        let third = try nodes.database(configuration: patient)
        let group = DispatchGroup()
        try cluster.write { db in
          try insert(1, into: db)
          let error = #expect(throws: DatabaseError.self) {
            try other.write { db in try insert(2, into: db) }
          }
          #expect(error?.resultCode == .SQLITE_BUSY)
          DispatchQueue.global().async(group: group) {
            do {
              try third.write { db in try insert(3, into: db) }
            } catch {
              Issue.record(error)
            }
          }
          Thread.sleep(forTimeInterval: 0.2)
        }
        group.wait()
        #expect(try stored(cluster) == [1, 3])
      }
    }

    @Test func `Rows of a cursor while other statements run`() throws {
      try TestCluster.withDatabase { _, cluster throws in
        try cluster.write { db in
          for id in 1...3_000 as ClosedRange<Int64> { try insert(id, into: db) }
        }
        try cluster.read { db in
          let cursor = try Int64.fetchCursor(db, sql: "SELECT id FROM author ORDER BY id")
          var count: Int64 = 0
          while let id = try cursor.next() {
            count += 1
            #expect(id == count)
            guard count.isMultiple(of: 500) else { continue }
            let name = try String.fetchOne(
              db, sql: "SELECT name FROM author WHERE id = ?", arguments: [id])
            #expect(name == "author \(id)")
          }
          #expect(count == 3_000)
        }
        let error = #expect(throws: DatabaseError.self) {
          try cluster.read { db in
            _ = try Int64?.fetchAll(
              db, sql: "SELECT abs(CASE id WHEN 2900 THEN -9223372036854775807 - 1 END) FROM author"
            )
          }
        }
        #expect(error?.message == "integer overflow")
      }
    }

    @Test func `All is removed, and copied`() throws {
      try TestCluster.withDatabase { _, cluster throws in
        try cluster.write { db in
          try insert(1, into: db)
          try db.execute(
            sql: """
              CREATE VIRTUAL TABLE page USING fts5(text); CREATE VIEW v AS SELECT * FROM author;
              CREATE TRIGGER t AFTER INSERT ON author BEGIN DELETE FROM book; END;
              """)
        }
        try withTemporaryDirectory { directory in
          try cluster.dump(to: directory + "/copy.sqlite")
          let copy = try DatabaseQueue(path: directory + "/copy.sqlite")
          let copied = try copy.read { db in try ids(db) }
          #expect(copied == [1])
        }
        try cluster.erase()
        let names = try cluster.read { db in
          try String.fetchAll(db, sql: "SELECT name FROM sqlite_master")
        }
        #expect(names == [])
        try cluster.close()
        #expect(throws: DatabaseError.self) { try cluster.read { db in try ids(db) } }
      }
    }
  }
#endif
