// Nodes run on Linux.
#if os(Linux)
  import Foundation
  import NodeProcesses
  import QuarryCluster
  import QuarryTestSupport
  import Testing

  /// What needs no node that runs.
  @Suite("Nodes that can't be reached")
  struct UnreachableNodeTests {
    @Test func `a cluster has a node`() throws {
      let error = try #require(throws: ClusterError.self) { try ClusterAdministration(nodes: []) }
      #expect(error.code == .invalidAddress)
    }

    @Test func `a port where nothing listens is named`() throws {
      let port = try TestNode.freePort()
      let administration = try ClusterAdministration(
        nodes: ["127.0.0.1:\(port)"], electionTimeout: .milliseconds(50))
      let error = try #require(throws: ClusterError.self) { try administration.members() }
      #expect(error.code == .noLeader)
      #expect(error.message.contains("no node leads the cluster of 127.0.0.1:\(port)"))
      #expect(error.message.contains("node 127.0.0.1:\(port): no connection"))
    }

    @Test func `a host that is unknown is named`() throws {
      let administration = try ClusterAdministration(
        nodes: ["nowhere.invalid:9001"], electionTimeout: .milliseconds(50))
      let error = try #require(throws: ClusterError.self) { try administration.leader() }
      #expect(error.message.contains("node nowhere.invalid:9001: the host is unknown"))
    }

    @Test(arguments: ["", "lib\0rary"])
    func `a name that is none of a database is refused before a node is asked`(
      _ name: String
    ) throws {
      let administration = try ClusterAdministration(nodes: ["127.0.0.1:1"])
      try withTemporaryDirectory { directory in
        let error = try #require(throws: ClusterError.self) {
          try administration.dump(name, to: directory + "/library.sqlite")
        }
        #expect(error.code == .refused)
        #expect(error.message.hasPrefix("\(name.debugDescription) is no name of a database"))
      }
    }

    @Test func `a number of a node is above zero`() throws {
      let administration = try ClusterAdministration(nodes: ["127.0.0.1:1"])
      let error = try #require(throws: ClusterError.self) {
        try administration.add(0, at: NodeAddress("127.0.0.1:2"), role: .voter)
      }
      #expect(error.code == .invalidAddress)
    }
  }
#endif
