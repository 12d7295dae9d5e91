// Nodes run on Linux.
#if os(Linux)
  import Foundation
  import QuarryTestSupport
  import Testing

  @testable import QuarryCluster

  private func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

  @Suite("Servers that are no nodes, or not as they should be")
  struct FakeNodeTests {
    private static let database: [UInt8] = [1, 0, 0, 0, 4, 0, 0, 0] + zeros(8)

    /// Runs a test with a connection to a server, which lasts as long as the test.
    private func withSession(
      _ answers: [[UInt8]], isSilentAfterwards: Bool = false, timeout: Duration = .seconds(60),
      _ body: (NodeSession) throws -> Void
    ) throws {
      let node = try FakeNode(answers: answers, isSilentAfterwards: isSilentAfterwards)
      try withExtendedLifetime(node) {
        try body(NodeSession(to: NodeAddress(node.address), timeout: timeout))
      }
    }

    @Test func `a node before 1.18 is refused`() throws {
      // The statement comes in the form 0, without the length of its text.
      let statement: [UInt8] = [2, 0, 0, 0, 5, 0, 0, 0] + zeros(16)
      try withSession([Self.database, statement]) { session in
        let error = try #require(throws: ClusterError.self) { _ = try session.open("library") }
        #expect(error.code == .unsupportedNode)
        #expect(error.node == session.address)
        #expect(error.message.contains("dqlite before 1.18"))
      }
    }

    @Test func `an answer of another protocol is malformed, and ends the connection`() throws {
      try withSession([Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8)]) { session in
        for _ in 0..<2 {
          let error = try #require(throws: ClusterError.self) { _ = try session.members() }
          #expect(error.code == .malformedAnswer)
          #expect(
            error.description.hasPrefix(
              "node \(session.address): the answer is malformed: its type"))
        }
        #expect(!session.isUsable)
      }
    }

    @Test func `an answer to another request is malformed`() throws {
      try withSession([Self.database]) { session in
        let error = try #require(throws: ClusterError.self) { _ = try session.members() }
        #expect(error.code == .malformedAnswer)
        #expect(error.message.contains("the members is answered by \"database\""))
      }
    }

    @Test func `a node that closes the connection is unreachable`() throws {
      try withSession([[9, 0, 0, 0, 3, 0, 0, 0] + zeros(8)]) { session in
        let error = try #require(throws: ClusterError.self) { _ = try session.members() }
        #expect(error.code == .unreachable)
        #expect(error.message == "the connection was closed by the node")
      }
    }

    @Test func `a node that is silent is waited for until the timeout`() throws {
      try withSession([], isSilentAfterwards: true, timeout: .milliseconds(20)) { session in
        let error = try #require(throws: ClusterError.self) { _ = try session.members() }
        #expect(error.code == .timeout)
        #expect(error.description == "node \(session.address): the node does not answer in time")
      }
    }

    @Test func `a wait is interrupted by another thread`() throws {
      try withSession([], isSilentAfterwards: true, timeout: .seconds(3600)) { session in
        let interruption = session.interruption
        Thread.detachNewThread { interruption() }
        let error = try #require(throws: ClusterError.self) { _ = try session.members() }
        #expect(error.code == .unreachable)
      }
    }

    @Test func `a dump with another file writes nothing`() throws {
      // One file, whose name leads elsewhere.
      let dump: [UInt8] =
        [5, 0, 0, 0, 9, 0, 0, 0, 1] + zeros(7) + Array("library/../x".utf8) + zeros(4)
        + [1] + zeros(7) + [65] + zeros(7)
      let node = try FakeNode(answers: [dump])
      try withTemporaryDirectory { directory in
        let administration = try ClusterAdministration(nodes: [node.address])
        let error = try #require(throws: ClusterError.self) {
          try administration.dump(
            "library", to: directory + "/library.sqlite", from: NodeAddress(node.address))
        }
        #expect(error.code == .malformedAnswer)
        #expect(error.message == "a dump of library has the unknown file \"library/../x\"")
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == [])
      }
    }

    @Test func `a member with an unknown role is malformed`() throws {
      let members: [UInt8] =
        [5, 0, 0, 0, 3, 0, 0, 0, 1] + zeros(7) + [1] + zeros(7) + Array("h:1".utf8) + zeros(5)
        + [9] + zeros(7) + zeros(8)
      try withSession([members]) { session in
        let error = try #require(throws: ClusterError.self) { _ = try session.members() }
        #expect(error.message.contains("a node has the unknown role 9"))
      }
    }
  }
#endif
