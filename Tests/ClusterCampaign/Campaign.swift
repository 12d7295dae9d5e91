#if os(Linux)
  import Foundation
  import NodeProcesses
  import Quarry
  import QuarryCluster
  import RandomNumbers

  /// The nodes that are killed at once.
  enum Victims: String {
    /// One by chance.
    case any
    /// The one that leads.
    case leader
    /// Two of three: nothing can be committed until one of them is back.
    case two
  }

  /// Clients write rows, and note which ones were acknowledged, while nodes are killed. In the end
  /// each acknowledged row is there once, and no row whose transaction surely did not commit.
  final class Campaign {
    private let nodes: TestCluster
    private let victims: Victims
    private let rowCount: Int
    private let killCount: Int
    private let seed: UInt64
    private let directory: String

    init(in directory: String, victims: Victims, rowCount: Int, killCount: Int) throws {
      self.directory = directory
      self.victims = victims
      self.rowCount = rowCount
      self.killCount = killCount
      let text = ProcessInfo.processInfo.environment["QUARRY_RANDOM_SEED"]
      seed = text.flatMap(UInt64.init) ?? UInt64.random(in: 1...UInt64(UInt32.max))
      nodes = try TestCluster(in: directory, nodeCount: 3)
    }

    /// Returns whether nothing was lost or written twice.
    func run() throws -> Bool {
      say("QUARRY_RANDOM_SEED=\(seed)")
      let addresses = nodes.addresses
      let cluster = try DatabaseCluster(nodes: addresses, name: "library", options: .campaign)
      try cluster.write { db in
        try db.execute(
          sql: """
            CREATE TABLE loan (
              client INTEGER NOT NULL, number INTEGER NOT NULL, part INTEGER NOT NULL,
              book TEXT NOT NULL)
            """)
      }
      let ledger = Ledger()
      let group = DispatchGroup()
      for client in 0..<4 {
        let seed = seed &+ UInt64(client) + 1
        Thread.start(in: group) {
          Client(client, seed, ledger, rowCount: self.rowCount).run(addresses)
        }
      }
      try killUntilDone(ledger)
      ledger.stop()
      group.wait()
      return try report(ledger, cluster)
    }

    private func killUntilDone(_ ledger: Ledger) throws {
      var random = SplitMix64(seed: seed)
      while ledger.rowCount < rowCount || ledger.killCount < killCount {
        Thread.sleep(forTimeInterval: Double.random(in: 0.3...1.2, using: &random))
        let ids = try chooseVictims(&random)
        if ids.isEmpty { continue }
        for id in ids { nodes.nodes[id]?.kill() }
        ledger.noteKill()
        Thread.sleep(forTimeInterval: Double.random(in: 0.1...0.8, using: &random))
        for id in ids { try nodes.start(id) }
        // The next majority must not depend on a node that has not caught up.
        try awaitWrite(ledger)
      }
    }

    private func chooseVictims(_ random: inout SplitMix64) throws -> [UInt64] {
      let all = nodes.nodes.keys.sorted()
      switch victims {
      case .any: return [random.pick(all)]
      case .leader: return [try nodes.administration.leader().id]
      case .two: return Array(all.shuffled(using: &random).prefix(2))
      }
    }

    private func awaitWrite(_ ledger: Ledger) throws {
      let count = ledger.rowCount
      let deadline = ContinuousClock.now + .seconds(60)
      while ledger.rowCount == count {
        guard .now < deadline else { throw Stall(seconds: 60) }
        Thread.sleep(forTimeInterval: 0.005)
      }
    }

    struct Stall: Error {
      let seconds: Int
    }

    private func report(_ ledger: Ledger, _ cluster: DatabaseCluster) throws -> Bool {
      let stored = try cluster.read { db in
        try Row.fetchAll(
          db, sql: "SELECT client, number, count(*), count(DISTINCT part) FROM loan GROUP BY 1, 2"
        ).map { row in
          (Transaction(client: row[0], number: row[1]), rows: row[2] as Int, parts: row[3] as Int)
        }
      }
      let present = try cluster.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM loan")
      }
      let copies = try dumps(awaiting: present ?? 0) + [present ?? 0]
      let verdict = ledger.verdict(stored.map { ($0.0, $0.rows, $0.parts) })
      say(verdict.text)
      say("rows in the copies of the nodes, and by a request: \(copies)")
      say(ledger.outages(victims))
      return verdict.isGood && Set(copies).count == 1
    }

    /// The numbers of rows in a copy of each node, once it has caught up.
    private func dumps(awaiting expected: Int) throws -> [Int] {
      let administration = try nodes.administration
      return try nodes.nodes.keys.sorted().map { id in
        var count = 0
        for attempt in 0..<300 where count != expected {
          if attempt > 0 { Thread.sleep(forTimeInterval: 0.1) }
          let path = "\(directory)/copy-\(id)-\(attempt).sqlite"
          // A node that has just started has no database yet.
          guard let address = try nodes.nodes[id].map({ try NodeAddress($0.address) }),
            (try? administration.dump("library", to: path, from: address)) != nil
          else { continue }
          count = try DatabaseQueue(path: path).read { db in
            try Int.fetchOne(db, sql: "SELECT count(*) FROM loan") ?? 0
          }
        }
        return count
      }
    }
  }

  /// Prints a line at once.
  func say(_ line: String) {
    FileHandle.standardOutput.write(Data("\(line)\n".utf8))
  }

  extension ClusterOptions {
    static var campaign: ClusterOptions {
      var options = ClusterOptions()
      options.electionTimeout = .seconds(60)
      options.pollInterval = nil
      return options
    }
  }

  extension Thread {
    static func start(in group: DispatchGroup, _ body: @escaping () -> Void) {
      group.enter()
      nonisolated(unsafe) let body = body
      detachNewThread {
        body()
        group.leave()
      }
    }
  }
#endif
