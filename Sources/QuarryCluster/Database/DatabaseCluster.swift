import Dispatch
import Foundation
public import Quarry

/// A database that several machines have: the same records, requests, associations, migrations and
/// observations as with a `DatabasePool`, on nodes of dqlite.
///
/// ```swift
/// let cluster = try DatabaseCluster(
///   nodes: ["10.0.0.1:9001", "10.0.0.2:9001", "10.0.0.3:9001"], name: "library")
/// try cluster.write { db in
///   try Author(id: 1, name: "Franz Kafka").insert(db)
/// }
/// let count = try cluster.read { db in try Author.fetchCount(db) }
/// ```
///
/// All statements are executed by the node that leads. A transaction is committed when more than
/// half of the voters have it on their disks: one of three nodes may fail. A new leader is found,
/// and a transaction that was lost with the former one before its commit is run again, so that
/// closures of `read` and `write` may run several times. When the connection is lost between a
/// commit and its answer, nobody knows the outcome: ``ClusterError`` with the code
/// ``ClusterError/Code-swift.enum/commitOutcomeUnknown`` is thrown, and nothing is run again.
///
/// What nodes can't do throws a ``ClusterError`` with the code
/// ``ClusterError/Code-swift.enum/unsupported`` before anything is sent: see ``capabilities``.
///
/// The protocol of the nodes has neither authentication nor encryption: they belong into a private
/// network. See <https://documentation.ubuntu.com/dqlite/>.
public final class DatabaseCluster: _ForwardingWriter {
  /// The connections.
  public let _base: any DatabaseWriter

  /// The options.
  public let options: ClusterOptions

  private let nodes: KnownNodes
  private let poll: ChangePoll?

  /// Connects to the leader of a cluster, and opens a database there: one that does not exist is
  /// created. Readers are connected on demand.
  ///
  /// - Parameters:
  ///   - nodes: The addresses of one or more nodes, as `host:port`. The others are learned from
  ///     them.
  ///   - name: The name of the database in the cluster.
  ///   - configuration: The configuration of the connections.
  ///   - options: The times and the behavior that only clusters have.
  /// - throws: ``ClusterError`` for an address or a name that is none, for a configuration that a
  ///   cluster can't have, when no leader is found in time, and for nodes before dqlite 1.18.
  public init(
    nodes: [String], name: String, configuration: Configuration = Configuration(),
    options: ClusterOptions = ClusterOptions()
  ) throws {
    let administration = try ClusterAdministration(nodes: nodes)
    guard !name.isEmpty, !name.utf8.contains(0), name != ":memory:", !name.hasPrefix("file:"),
      !["-wal", "-journal", "-shm"].contains(where: name.hasSuffix)
    else { throw ClusterError(.refused, "\(name.debugDescription) is no name of a database") }
    guard configuration.loadableExtensions.isEmpty else {
      throw ClusterError(
        .unsupported, "nodes load no extensions: remove those of the configuration")
    }
    guard !configuration.isUntrusted else {
      throw ClusterError(
        .unsupported,
        "the checks of `Configuration.untrusted` are for files, and nodes do none of them")
    }
    if let interval = options.pollInterval, interval < .milliseconds(1) {
      throw ClusterError(
        .refused,
        "a poll interval of \(interval) would ask without end: a millisecond at least, or nil")
    }
    let known = KnownNodes(administration.nodes)
    self.nodes = known
    self.options = options
    var configuration = configuration
    configuration.makeEngine = { ClusterEngine(known, name, options) }
    let pool = try DatabasePool(path: name, configuration: configuration)
    _base = pool
    poll = options.pollInterval.map { ChangePoll(pool, every: $0) }
  }

  /// The nodes that are known, the one that has led last first.
  public var knownNodes: [NodeAddress] { nodes.all }

  /// What the database can do.
  public var capabilities: DatabaseCapabilities { .cluster }

  /// Closes the connections. Later accesses throw.
  ///
  /// - throws: `DatabaseError` with code `SQLITE_BUSY` when statements are still in use.
  public func close() throws {
    try _base.close()
    poll?.stop()
  }

  /// Writes a copy of the database to a file, which SQLite and `DatabaseQueue` open as any other.
  ///
  /// See ``ClusterAdministration/dump(_:to:from:)``.
  ///
  /// - Parameter path: The path of the file, which must not exist.
  /// - throws: ``ClusterError`` if there is a file at the path, and if the node or the file system
  ///   fails. `DatabaseError` for a copy that is corrupt.
  public func dump(to path: String) throws {
    try ClusterAdministration(
      nodes: knownNodes.map(\.description), timeout: options.answerTimeout,
      electionTimeout: options.electionTimeout
    ).dump(_base.path, to: path)
  }
}
