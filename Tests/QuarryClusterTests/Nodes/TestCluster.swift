// Nodes run on Linux.
#if os(Linux)
  import Foundation
  import Quarry
  import QuarryTestSupport

  @testable import QuarryCluster

  #if canImport(Musl)
    import Musl
  #else
    import Glibc
  #endif

  /// Nodes of a cluster on this machine: processes that can be killed, and started again.
  ///
  /// `Scripts/cluster test` builds the program that they run, and names it in `QUARRY_NODE`.
  final class TestCluster {
    static var program: String? { ProcessInfo.processInfo.environment["QUARRY_NODE"] }

    private let directory: String
    private(set) var nodes: [UInt64: TestNode] = [:]

    /// Starts nodes with the numbers from 1 on: the first one is a cluster, the others join it.
    init(in directory: String, nodeCount: Int) throws {
      self.directory = directory
      for id in 1...UInt64(nodeCount) { try add(id) }
    }

    deinit { nodes.values.forEach { $0.kill() } }

    /// Starts a node, which joins the cluster.
    func add(_ id: UInt64, role: ClusterMember.Role = .voter) throws {
      try start(id)
      if id > 1, let address = nodes[id]?.address {
        try administration.add(id, at: NodeAddress(address), role: role)
      }
    }

    /// Starts a node.
    @discardableResult
    func start(_ id: UInt64) throws -> TestNode {
      let address = try nodes[id]?.address ?? "127.0.0.1:\(TestNode.freePort())"
      let node = try TestNode(id, address: address, directory: "\(directory)/node-\(id)")
      nodes[id] = node
      return node
    }

    var addresses: [String] { nodes.values.map(\.address).sorted() }

    var administration: ClusterAdministration {
      get throws { try ClusterAdministration(nodes: addresses, electionTimeout: .seconds(60)) }
    }

    /// Runs tests with a cluster, in a folder of its own.
    static func with(nodes count: Int, _ body: (TestCluster) throws -> Void) throws {
      try withTemporaryDirectory { directory in
        let cluster = try TestCluster(in: directory, nodeCount: count)
        try body(cluster)
      }
    }
  }

  /// A process that is a node.
  final class TestNode {
    let address: String
    private let process = Process()

    struct Failure: Error {
      let message: String
    }

    init(_ id: UInt64, address: String, directory: String) throws {
      guard let program = TestCluster.program else {
        throw Failure(message: "QUARRY_NODE is not set")
      }
      self.address = address
      let output = Pipe()
      process.executableURL = URL(fileURLWithPath: program)
      process.arguments = ["--id", "\(id)", "--address", address, "--data", directory]
      process.standardOutput = output
      try process.run()
      // It prints a line when it listens.
      let line = output.fileHandleForReading.availableData
      guard !line.isEmpty else { throw Failure(message: "node \(id) does not start at \(address)") }
    }

    func kill() {
      Foundation.kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }

    /// Ends the process as an administrator does. Returns its status.
    func stop() -> CInt {
      process.terminate()
      process.waitUntilExit()
      return process.terminationStatus
    }

    /// A port that was free a moment ago.
    static func freePort() throws -> UInt16 {
      let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
      defer { close(descriptor) }
      return try FakeNode.bindToFreePort(descriptor)
    }
  }
#endif
