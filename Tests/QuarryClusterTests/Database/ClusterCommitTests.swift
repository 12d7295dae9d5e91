// Nodes run on Linux.
#if os(Linux)
  import Quarry
  import Testing

  @testable import QuarryCluster

  @Suite("Commits that a node does not answer, or refuses")
  struct ClusterCommitTests {
    /// Runs an access to a database whose leader answers a commit in one way, and returns its
    /// error.
    private func error(
      committingWith commit: [UInt8]?, _ access: (Database) throws -> Void
    ) throws -> ClusterError? {
      let leader = FakeLeader(commit: commit)
      let node = try FakeNode(answer: { request, address in
        leader.answer(request, of: address)
      })
      defer { withExtendedLifetime(node) {} }
      var options = ClusterOptions()
      options.pollInterval = nil
      let cluster = try DatabaseCluster(nodes: [node.address], name: "library", options: options)
      do {
        try cluster.writeWithoutTransaction(access)
        return nil
      } catch let error as ClusterError {
        return error
      }
    }

    private static let definitions = [
      "CREATE TABLE shelf (id INTEGER PRIMARY KEY)",
      "BEGIN IMMEDIATE; CREATE TABLE shelf (id INTEGER PRIMARY KEY); COMMIT",
    ]

    @Test(arguments: definitions)
    func `a change of the schema has an unknown outcome`(_ sql: String) throws {
      let error = try error(committingWith: nil) { db in try db.execute(sql: sql) }
      #expect(error?.code == .commitOutcomeUnknown)
      let failure = FakeLeader.failure(NodeFailure.leadershipLost, "leadership lost")
      let other = try self.error(committingWith: failure) { db in try db.execute(sql: sql) }
      #expect(other?.code == .commitOutcomeUnknown)
    }

    @Test(arguments: definitions)
    func `a change of the schema that a follower refuses is lost`(_ sql: String) throws {
      let failure = FakeLeader.failure(NodeFailure.notLeader, "not leader")
      let error = try error(committingWith: failure) { db in try db.execute(sql: sql) }
      #expect(error?.code == .connectionLost)
      #expect(error?.nodeCode == NodeFailure.notLeader)
    }

    @Test(arguments: definitions)
    func `a change of the schema that is committed is one`(_ sql: String) throws {
      let error = try error(committingWith: FakeLeader.result) { db in try db.execute(sql: sql) }
      #expect(error == nil)
    }

    @Test func `a transaction that only reads needs no answer`() throws {
      let error = try error(committingWith: nil) { db in
        try db.execute(sql: "BEGIN DEFERRED; COMMIT")
      }
      #expect(error == nil)
    }
  }
#endif
