// Nodes run on Linux.
#if os(Linux)
  import Foundation
  import NodeProcesses
  import Quarry
  import QuarryTestSupport
  import Testing

  @testable import QuarryCluster

  /// Tests with nodes of dqlite: `Scripts/cluster test` runs them.
  @Suite(
    "Administration of a cluster", .serialized,
    .enabled(if: TestCluster.program != nil, "Scripts/cluster test"))
  struct AdministrationTests {
    private func run(_ sql: String, _ administration: ClusterAdministration) throws {
      try administration.perform("a statement fails") { session in
        let database = try session.open("library")
        let statement = try session.prepare(sql, in: database).statement
        _ = try session.execute(statement, [])
      }
    }

    @Test func `the first node is a cluster, and others join it`() throws {
      try TestCluster.with(nodes: 3) { cluster in
        let administration = try cluster.administration
        let members = try administration.members().sorted { $0.id < $1.id }
        #expect(members.map(\.id) == [1, 2, 3])
        #expect(members.map(\.role) == [.voter, .voter, .voter])
        #expect(members.map(\.address.description) == [1, 2, 3].map { cluster.nodes[$0]?.address })
        #expect(try administration.leader().id == 1)
      }
    }

    @Test func `roles change, and nodes leave`() throws {
      try TestCluster.with(nodes: 3) { cluster in
        let administration = try cluster.administration
        try administration.assign(.standby, to: 3)
        try administration.assign(.spare, to: 2)
        let roles = Dictionary(
          uniqueKeysWithValues: try administration.members().map { ($0.id, $0.role) })
        #expect(roles == [1: .voter, 2: .spare, 3: .standby])
        try administration.remove(2)
        #expect(try administration.members().map(\.id).sorted() == [1, 3])
        let error = try #require(throws: ClusterError.self) { try administration.remove(2) }
        #expect(error.code == .refused)
        #expect(error.message.hasPrefix("node 2 can't be removed: "))
        #expect(error.nodeCode != nil)
        #expect(throws: ClusterError.self) { try administration.assign(.voter, to: 9) }
        #expect(throws: ClusterError.self) {
          try administration.add(3, at: NodeAddress("127.0.0.1:1"), role: .spare)
        }
      }
    }

    @Test func `the status names nodes that do not answer`() throws {
      try TestCluster.with(nodes: 3) { cluster in
        let administration = try cluster.administration
        let healthy = try administration.status()
        #expect(healthy.map(\.member.id) == [1, 2, 3])
        #expect(healthy.allSatisfy { $0.error == nil })
        #expect(healthy.filter(\.isLeader).map(\.member.id) == [1])
        cluster.nodes[2]?.kill()
        cluster.nodes[3]?.kill()
        let status = try administration.status()
        #expect(status.map { $0.error?.code } == [nil, .unreachable, .unreachable])
        cluster.nodes[1]?.kill()
        let error = try #require(throws: ClusterError.self) { _ = try administration.status() }
        #expect(error.code == .unreachable)
      }
    }

    @Test func `leadership is transferred`() throws {
      try TestCluster.with(nodes: 3) { cluster in
        let administration = try cluster.administration
        try administration.transferLeadership(to: 2)
        #expect(try administration.leader().id == 2)
        #expect(throws: ClusterError.self) { try administration.transferLeadership(to: 9) }
      }
    }

    @Test func `a node that ends hands the leadership over, and comes back with its data`() throws {
      try TestCluster.with(nodes: 3) { cluster in
        let administration = try cluster.administration
        try run("CREATE TABLE book (id INTEGER PRIMARY KEY)", administration)
        #expect(cluster.nodes[1]?.stop() == 0)
        let leader = try administration.leader()
        #expect(leader.id != 1)
        try run("INSERT INTO book VALUES (1)", administration)
        try cluster.start(1)
        // It can't lead before it has all transactions.
        let deadline = ContinuousClock.now + .seconds(60)
        while (try? administration.transferLeadership(to: 1)) == nil, .now < deadline {
          Thread.sleep(forTimeInterval: 0.01)
        }
        try run("INSERT INTO book VALUES (2)", administration)
        #expect(try administration.leader().id == 1)
      }
    }

    @Test func `a leader that is killed is followed by another`() throws {
      try TestCluster.with(nodes: 3) { cluster in
        let administration = try cluster.administration
        try run("CREATE TABLE book (id INTEGER PRIMARY KEY)", administration)
        cluster.nodes[1]?.kill()
        #expect(try [2, 3].contains(administration.leader().id))
        try run("INSERT INTO book VALUES (1)", administration)
        // One of three is no majority.
        let other: UInt64 = try administration.leader().id == 2 ? 3 : 2
        cluster.nodes[other]?.kill()
        let impatient = try ClusterAdministration(
          nodes: cluster.addresses, electionTimeout: .seconds(1))
        let error = try #require(throws: ClusterError.self) {
          try run("INSERT INTO book VALUES (2)", impatient)
        }
        #expect(error.code == .noLeader)
        try cluster.start(1)
        try run("INSERT INTO book VALUES (3)", administration)
      }
    }

    @Test func `a dump is a database`() throws {
      try TestCluster.with(nodes: 3) { cluster in
        let administration = try cluster.administration
        try run("CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT)", administration)
        try run("INSERT INTO book VALUES (1, 'Dune'), (2, NULL)", administration)
        try withTemporaryDirectory { directory in
          let path = directory + "/library.sqlite"
          try administration.dump("library", to: path)
          let rows = try DatabaseQueue(path: path).read { db in
            try Row.fetchAll(db, sql: "SELECT * FROM book")
          }
          #expect(rows == [["id": 1, "title": "Dune"], ["id": 2, "title": nil]])
          #expect(
            try FileManager.default.contentsOfDirectory(atPath: directory) == ["library.sqlite"])
          let exists = try #require(throws: ClusterError.self) {
            try administration.dump("library", to: path)
          }
          #expect(exists.message.hasPrefix("there is a file at \(path) already"))
          for name in ["other", ""] {
            #expect(throws: ClusterError.self) {
              try administration.dump(name, to: directory + "/other.sqlite")
            }
          }
          let nowhere = try #require(throws: ClusterError.self) {
            try administration.dump("library", to: directory + "/none/library.sqlite")
          }
          #expect(nowhere.code == .file)
          #expect(
            try FileManager.default.contentsOfDirectory(atPath: directory) == ["library.sqlite"])
        }
      }
    }

    @Test func `a node that doesn't lead has the data, too`() throws {
      try TestCluster.with(nodes: 3) { cluster in
        let administration = try cluster.administration
        try run("CREATE TABLE book (id INTEGER PRIMARY KEY)", administration)
        let follower = try NodeAddress(#require(cluster.nodes[3]?.address))
        try withTemporaryDirectory { directory in
          // It gets the last transactions a bit later.
          var number = 0
          var count: Int?
          repeat {
            number += 1
            let path = "\(directory)/\(number).sqlite"
            try? administration.dump("library", to: path, from: follower)
            guard FileManager.default.fileExists(atPath: path) else { continue }
            count = try DatabaseQueue(path: path).read { db in
              try db.tableExists("book") ? Int.fetchOne(db, sql: "SELECT count(*) FROM book") : nil
            }
          } while count == nil && number < 1000
          #expect(count == 0)
        }
      }
    }
  }
#endif
