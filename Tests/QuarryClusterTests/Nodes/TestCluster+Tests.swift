// Nodes run on Linux.
#if os(Linux)
  import NodeProcesses
  import QuarryTestSupport

  extension TestCluster {
    /// Runs tests with a cluster, in a folder of its own.
    static func with(nodes count: Int, _ body: (TestCluster) throws -> Void) throws {
      try withTemporaryDirectory { directory in
        let cluster = try TestCluster(in: directory, nodeCount: count)
        try body(cluster)
      }
    }
  }
#endif
