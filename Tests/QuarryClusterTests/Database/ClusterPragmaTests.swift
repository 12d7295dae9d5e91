// Nodes run on Linux.
#if os(Linux)
  import Quarry
  import Testing

  @testable import QuarryCluster

  @Suite("Pragmas of connections that are lost")
  struct ClusterPragmaTests {
    /// A node that leads, may be away, and notes the pragmas of foreign keys.
    private final class Leader: Sendable {
      let isAway = Locked(false)
      let pragmas = Locked<[String]>([])

      func answer(_ request: [UInt8], of address: String) -> [UInt8]? {
        guard !isAway.withLock({ $0 }) else { return nil }
        if request[4] == 4 {
          let text = FakeLeader.text(request)
          if text.hasPrefix("PRAGMA foreign_keys =") { pragmas.withLock { $0.append(text) } }
        }
        return FakeLeader(commit: FakeLeader.result).answer(request, of: address)
      }
    }

    /// The pragmas of a connection that is made after a former one was lost.
    private func pragmas(
      _ access: (Database) throws -> Void, whileAway body: (Database) throws -> Void
    ) throws -> [String] {
      let leader = Leader()
      let node = try FakeNode(answer: { request, address in
        leader.answer(request, of: address)
      })
      defer { withExtendedLifetime(node) {} }
      var options = ClusterOptions()
      options.pollInterval = nil
      options.electionTimeout = .seconds(1)
      let cluster = try DatabaseCluster(nodes: [node.address], name: "library", options: options)
      try cluster.writeWithoutTransaction { db in
        try access(db)
        leader.isAway.withLock { $0 = true }
        try body(db)
        leader.isAway.withLock { $0 = false }
        leader.pragmas.withLock { $0 = [] }
        // The first statement connects again.
        try db.execute(sql: "PRAGMA recursive_triggers = ON")
      }
      return leader.pragmas.withLock { $0 }
    }

    private static let off = "PRAGMA foreign_keys = OFF"

    @Test func `foreign keys that are enforced again during an outage are enforced after it`()
      throws
    {
      let pragmas = try pragmas { db in
        try db.execute(sql: Self.off)
      } whileAway: { db in
        _ = #expect(throws: ClusterError.self) { try db.execute(sql: "PRAGMA foreign_keys = ON") }
      }
      #expect(pragmas.last == "PRAGMA foreign_keys = ON")
    }

    @Test func `foreign keys that can't be switched off are enforced`() throws {
      let pragmas = try pragmas { _ in
      } whileAway: { db in
        _ = #expect(throws: ClusterError.self) { try db.withoutForeignKeys {} }
      }
      #expect(pragmas.last == "PRAGMA foreign_keys = ON")
    }

    @Test func `a pragma stays that of the next connection`() throws {
      let pragmas = try pragmas { db in
        try db.execute(sql: Self.off)
      } whileAway: { db in
        _ = #expect(throws: ClusterError.self) { try db.execute(sql: "BEGIN") }
      }
      #expect(pragmas.last == Self.off)
    }

    /// SQLite ignores it there.
    @Test func `foreign keys stay enforced where a transaction has switched them off`() throws {
      let pragmas = try pragmas { db in
        try db.inTransaction {
          try db.execute(sql: Self.off)
          return .commit
        }
      } whileAway: { db in
        _ = #expect(throws: ClusterError.self) { try db.execute(sql: "BEGIN") }
      }
      #expect(!pragmas.contains(Self.off))
    }
  }
#endif
