#if Node
  @preconcurrency import CDqlite
  import Foundation

  /// An error of dqlite.
  struct NodeError: Error, CustomStringConvertible {
    let description: String
  }

  /// A node of dqlite, which runs on threads of its own.
  ///
  /// See <https://documentation.ubuntu.com/dqlite/>.
  final class RunningNode {
    private let node: OpaquePointer

    /// Runs a node until the process is asked to end.
    static func run(_ options: NodeCommand) throws {
      let signals = EndSignals()
      let node = try RunningNode(options)
      try node.start()
      let version = String(cString: dqlite_version_string)
      print("node \(options.id) listens at \(options.bind ?? options.address) (dqlite \(version))")
      fflush(nil)
      signals.wait()
      node.stop()
    }

    private init(_ options: NodeCommand) throws {
      let directory = options.data ?? "node-\(options.id)"
      try FileManager.default.createDirectory(
        atPath: directory, withIntermediateDirectories: true)
      var node: OpaquePointer?
      let status = dqlite_node_create(options.id, options.address, directory, &node)
      guard let node else { throw NodeError(description: "the node can't be created: \(status)") }
      self.node = node
      let bind = options.bind ?? options.address
      try check(dqlite_node_set_bind_address(node, bind), "it can't listen at \(bind)")
      try check(dqlite_node_set_connect_func(node, connectToNode, nil), "connections")
      try check(dqlite_node_set_network_latency_ms(node, options.latency), "--latency")
      try check(dqlite_node_set_busy_timeout(node, options.busyTimeout), "--busy-timeout")
      let (threshold, trailing) = (options.snapshotThreshold, options.snapshotTrailing)
      try check(dqlite_node_set_snapshot_params(node, threshold, trailing), "--snapshot-…")
    }

    deinit { dqlite_node_destroy(node) }

    private func start() throws {
      try check(dqlite_node_start(node), "it can't start")
    }

    /// Hands the leadership to another node, if there is one, and ends.
    private func stop() {
      _ = dqlite_node_handover(node)
      _ = dqlite_node_stop(node)
    }

    private func check(_ status: CInt, _ purpose: String) throws {
      guard status != 0 else { return }
      throw NodeError(description: "\(purpose): \(String(cString: dqlite_node_errmsg(node)))")
    }
  }

  /// The signals that ask a process to end. They are blocked in all threads that start later.
  private struct EndSignals {
    private var set = sigset_t()

    init() {
      signal(SIGPIPE, SIG_IGN)
      sigemptyset(&set)
      sigaddset(&set, SIGTERM)
      sigaddset(&set, SIGINT)
      pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    func wait() {
      var (set, number) = (set, CInt(0))
      sigwait(&set, &number)
    }
  }
#endif
