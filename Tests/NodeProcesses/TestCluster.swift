// Nodes run on Linux.
#if os(Linux)
  import Foundation
  package import QuarryCluster

  /// Nodes of a cluster on this machine: processes that can be killed, and started again.
  ///
  /// `Scripts/cluster` builds the program that they run, and names it in `QUARRY_NODE`.
  package final class TestCluster {
    package static var program: String? { ProcessInfo.processInfo.environment["QUARRY_NODE"] }

    private let directory: String
    private let latency: Int
    package private(set) var nodes: [UInt64: TestNode] = [:]

    /// Starts nodes with the numbers from 1 on: the first one is a cluster, the others join it.
    ///
    /// - parameter latency: The time of a message, in milliseconds: an election begins after 15
    ///   times as long.
    package init(in directory: String, nodeCount: Int, latency: Int = 15) throws {
      self.directory = directory
      self.latency = latency
      for id in 1...UInt64(nodeCount) { try add(id) }
    }

    deinit { nodes.values.forEach { $0.kill() } }

    /// Starts a node, which joins the cluster.
    package func add(_ id: UInt64, role: ClusterMember.Role = .voter) throws {
      try start(id)
      if id > 1, let address = nodes[id]?.address {
        try administration.add(id, at: NodeAddress(address), role: role)
      }
    }

    /// Starts a node.
    @discardableResult
    package func start(_ id: UInt64) throws -> TestNode {
      let address = try nodes[id]?.address ?? "127.0.0.1:\(TestNode.freePort())"
      let node = try TestNode(
        id, address: address, directory: "\(directory)/node-\(id)", latency: latency)
      nodes[id] = node
      return node
    }

    package var addresses: [String] { nodes.values.map(\.address).sorted() }

    package var administration: ClusterAdministration {
      get throws { try ClusterAdministration(nodes: addresses, electionTimeout: .seconds(60)) }
    }
  }

  /// A process that is a node.
  package final class TestNode {
    package let address: String
    private let process = Process()

    package struct Failure: Error {
      package let message: String

      package init(message: String) {
        self.message = message
      }
    }

    init(_ id: UInt64, address: String, directory: String, latency: Int) throws {
      guard let program = TestCluster.program else {
        throw Failure(message: "QUARRY_NODE is not set")
      }
      self.address = address
      let output = Pipe()
      process.executableURL = URL(fileURLWithPath: program)
      process.arguments = [
        "--id", "\(id)", "--address", address, "--data", directory, "--latency", "\(latency)",
      ]
      process.standardOutput = output
      try process.run()
      // It prints a line when it listens.
      let line = output.fileHandleForReading.availableData
      guard !line.isEmpty else { throw Failure(message: "node \(id) does not start at \(address)") }
    }

    package func kill() {
      Foundation.kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }

    /// Lets the process do nothing, until it is resumed. Its connections stay.
    ///
    /// The signal stops each thread on its own, so that a request could still be answered: waits
    /// for the last one.
    package func pause() {
      Foundation.kill(process.processIdentifier, SIGSTOP)
      var state = siginfo_t()
      while waitid(P_PID, id_t(process.processIdentifier), &state, WSTOPPED) != 0 && errno == EINTR
      {}
    }

    package func resume() { Foundation.kill(process.processIdentifier, SIGCONT) }

    /// Ends the process as an administrator does. Returns its status.
    package func stop() -> CInt {
      process.terminate()
      process.waitUntilExit()
      return process.terminationStatus
    }
  }
#endif
