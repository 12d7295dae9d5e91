// Nodes run on Linux.
#if os(Linux)
  import Foundation
  import NodeProcesses
  import Quarry
  import QuarryTestSupport
  import Testing

  @testable import QuarryCluster

  /// Nodes that end, stop, or lose the leadership.
  @Suite(
    "A cluster whose nodes fail", .serialized,
    .enabled(if: TestCluster.program != nil, "Scripts/cluster test"))
  struct ClusterFailureTests {
    private func ids(_ cluster: DatabaseCluster) throws -> [Int64] {
      try cluster.read { db in try Int64.fetchAll(db, sql: "SELECT id FROM author ORDER BY id") }
    }

    private func restart(_ id: UInt64, of nodes: TestCluster) throws {
      nodes.nodes[id]?.kill()
      try nodes.start(id)
    }

    @Test func `A transaction that is lost before its commit runs again`() throws {
      try TestCluster.withDatabase { nodes, cluster throws in
        var runs = 0
        try cluster.write { db in
          runs += 1
          try Author(id: 1, name: "Franz Kafka").insert(db)
          if runs == 1 { try restart(1, of: nodes) }
          try Author(id: 2, name: "Max Brod").insert(db)
        }
        #expect(runs == 2)
        #expect(try ids(cluster) == [1, 2])
      }
    }

    @Test func `A read that is lost runs again`() throws {
      try TestCluster.withDatabase { nodes, cluster throws in
        try cluster.write { db in try Author(id: 1, name: "Franz Kafka").insert(db) }
        var runs = 0
        let count = try cluster.read { db in
          runs += 1
          if runs == 1 { try restart(1, of: nodes) }
          return try Author.fetchCount(db)
        }
        #expect(count == 1)
        #expect(runs == 2)
      }
    }

    @Test func `A transaction is not repeated where that is forbidden`() throws {
      var options = ClusterOptions()
      options.repeatsTransactions = false
      try TestCluster.withDatabase(options: options) { nodes, cluster throws in
        let error = #expect(throws: ClusterError.self) {
          try cluster.write { db in
            try Author(id: 1, name: "Franz Kafka").insert(db)
            try restart(1, of: nodes)
            try Author(id: 2, name: "Max Brod").insert(db)
          }
        }
        #expect(error?.code == .connectionLost)
        // Nothing is left, and the next transaction finds the node.
        #expect(try ids(cluster) == [])
        try cluster.write { db in try Author(id: 3, name: "Milena Jesenská").insert(db) }
        #expect(try ids(cluster) == [3])
      }
    }

    @Test func `An error that is caught does not hide that the transaction is lost`() throws {
      var options = ClusterOptions()
      options.repeatsTransactions = false
      try TestCluster.withDatabase(options: options) { nodes, cluster throws in
        #expect(throws: (any Error).self) {
          try cluster.write { db throws in
            try Author(id: 1, name: "Franz Kafka").insert(db)
            try restart(1, of: nodes)
            try? Author(id: 2, name: "Max Brod").insert(db)
            try Author(id: 3, name: "Milena Jesenská").insert(db)
          }
        }
        #expect(try ids(cluster) == [])
      }
    }

    @Test func `A commit without answer has an unknown outcome`() throws {
      var options = ClusterOptions()
      options.answerTimeout = .seconds(1)
      try TestCluster.withDatabase(options: options) { nodes, cluster throws in
        let node = try #require(nodes.nodes[1])
        let error = #expect(throws: ClusterError.self) {
          try cluster.write { db in
            try Author(id: 1, name: "Franz Kafka").insert(db)
            node.pause()
          }
        }
        node.resume()
        #expect(error?.code == .commitOutcomeUnknown)
        // The node may have received the request, or not.
        let stored = try ids(cluster)
        #expect(stored == [] || stored == [1])
      }
    }

    @Test func `A statement without answer is an error, and nothing is committed`() throws {
      var options = ClusterOptions()
      options.answerTimeout = .seconds(1)
      try TestCluster.withDatabase(options: options) { nodes, cluster throws in
        let node = try #require(nodes.nodes[1])
        let error = #expect(throws: ClusterError.self) {
          try cluster.write { db in
            node.pause()
            try Author(id: 1, name: "Franz Kafka").insert(db)
          }
        }
        node.resume()
        #expect(error?.code == .timeout)
        #expect(try ids(cluster) == [])
      }
    }

    @Test func `A new leader is found when the leader ends`() throws {
      try TestCluster.withDatabase(nodes: 3) { nodes, cluster throws in
        for id in 1...20 as ClosedRange<Int64> {
          if id == 7 {
            let leader = try nodes.administration.leader()
            nodes.nodes[leader.id]?.kill()
          }
          try cluster.write { db in try Author(id: id, name: "author \(id)").insert(db) }
        }
        #expect(try ids(cluster) == Array(1...20))
      }
    }

    @Test func `The leadership moves in the middle of a transaction`() throws {
      try TestCluster.withDatabase(nodes: 3) { nodes, cluster throws in
        var runs = 0
        try cluster.write { db in
          runs += 1
          try Author(id: 1, name: "Franz Kafka").insert(db)
          if runs == 1 {
            let administration = try nodes.administration
            let leader = try administration.leader().id
            let next: UInt64 = leader == 1 ? 2 : 1
            try administration.transferLeadership(to: next)
          }
          try Author(id: 2, name: "Max Brod").insert(db)
        }
        #expect(try ids(cluster) == [1, 2])
      }
    }

    @Test func `Without a majority, an error says so in time`() throws {
      var options = ClusterOptions()
      options.electionTimeout = .seconds(2)
      options.answerTimeout = .seconds(2)
      try TestCluster.withDatabase(nodes: 3, options: options) { nodes, cluster throws in
        let leader = try nodes.administration.leader().id
        for id in nodes.nodes.keys where id != leader { nodes.nodes[id]?.kill() }
        let error = #expect(throws: ClusterError.self) {
          try cluster.write { db in try Author(id: 1, name: "Franz Kafka").insert(db) }
        }
        #expect(error != nil)
        for id in nodes.nodes.keys where id != leader { try nodes.start(id) }
        _ = try nodes.administration.leader()
        try cluster.write { db in try Author(id: 2, name: "Max Brod").insert(db) }
        #expect(try ids(cluster).contains(2))
      }
    }

    @Test func `The connection is prepared again after a loss`() throws {
      var configuration = Configuration()
      configuration.prepareDatabase { db in
        try db.execute(sql: "CREATE TEMP TABLE IF NOT EXISTS note (text)")
      }
      try TestCluster.withDatabase(configuration: configuration) { nodes, cluster throws in
        try cluster.writeWithoutTransaction { db in
          try db.execute(sql: "PRAGMA recursive_triggers = ON; INSERT INTO note VALUES ('x')")
        }
        try restart(1, of: nodes)
        try cluster.writeWithoutTransaction { db throws in
          #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM note") == 0)
          #expect(try Bool.fetchOne(db, sql: "PRAGMA foreign_keys") == true)
          #expect(try Bool.fetchOne(db, sql: "PRAGMA recursive_triggers") == true)
        }
      }
    }

    @Test func `Interruptions lose no row that was acknowledged, and leave no other`() throws {
      try TestCluster.withDatabase { _, cluster throws in
        let isOver = Locked(false)
        let group = DispatchGroup()
        DispatchQueue.global().async(group: group) {
          while !isOver.withLock({ $0 }) {
            Thread.sleep(forTimeInterval: Double.random(in: 0...0.02))
            cluster.interrupt()
          }
        }
        var acknowledged: [Int64] = []
        for id in 1...300 as ClosedRange<Int64> {
          do {
            try cluster.write { db in
              try Author(id: id, name: "author \(id)").insert(db)
              _ = try Author.fetchCount(db)
            }
            acknowledged.append(id)
          } catch DatabaseError.SQLITE_INTERRUPT {}
        }
        isOver.withLock { $0 = true }
        group.wait()
        // Nothing of the interruptions is left.
        try cluster.write { db in try Author(id: 301, name: "author 301").insert(db) }
        #expect(try ids(cluster) == acknowledged + [301])
      }
    }

    @Test func `A canceled task ends its statement`() async throws {
      let directory = try TemporaryDirectory()
      defer { directory.remove() }
      let nodes = try TestCluster(in: directory.path, nodeCount: 1)
      let cluster = try nodes.database()
      try await cluster.write { db in try db.execute(sql: "CREATE TABLE author (id INTEGER)") }
      let endless = """
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n
        """
      let task = Task {
        try await cluster.write { db in
          try db.execute(sql: "INSERT INTO author VALUES (1)")
          _ = try Int.fetchOne(db, sql: endless)
        }
      }
      try await Task.sleep(for: .milliseconds(500))
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      let error = #expect(throws: DatabaseError.self) {
        try cluster.read(deadline: .now + .milliseconds(300)) { db in
          _ = try Int.fetchOne(db, sql: endless)
        }
      }
      #expect(error?.accessLimit == .deadline)
      let count = try await cluster.read { db in
        try Int.fetchOne(db, sql: "SELECT count(*) FROM author")
      }
      #expect(count == 0)
      withExtendedLifetime(nodes) {}
    }
  }
#endif
