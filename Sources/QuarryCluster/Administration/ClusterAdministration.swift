/// The nodes of a cluster: which ones there are, what they do, and which one leads.
///
/// ```swift
/// let administration = try ClusterAdministration(nodes: ["10.0.0.1:9001", "10.0.0.2:9001"])
/// try administration.add(3, at: NodeAddress("10.0.0.3:9001"), role: .voter)
/// for member in try administration.members() {
///   print(member.id, member.address, member.role)
/// }
/// ```
///
/// Each call opens a connection, and waits for the answer: not on the main thread, nor in a task.
///
/// The protocol of the nodes has neither authentication nor encryption: they belong into a private
/// network. See <https://documentation.ubuntu.com/dqlite/>.
public struct ClusterAdministration: Sendable {
  /// The nodes that are asked for the leader, one after the other.
  public let nodes: [NodeAddress]

  /// The longest time for one answer of a node.
  public let timeout: Duration

  /// The longest time for finding the leader: an election may be under way.
  public let electionTimeout: Duration

  /// Describes a cluster. Nothing is connected.
  ///
  /// - Parameters:
  ///   - nodes: The addresses of one or more of its nodes.
  ///   - timeout: The longest time for one answer of a node.
  ///   - electionTimeout: The longest time for finding the leader.
  /// - throws: ``ClusterError`` for no node, and for a text that is no address.
  public init(
    nodes: [String], timeout: Duration = .seconds(5), electionTimeout: Duration = .seconds(10)
  ) throws(ClusterError) {
    guard !nodes.isEmpty else {
      throw ClusterError(
        .invalidAddress, "a cluster needs the address of one of its nodes at least")
    }
    var addresses: [NodeAddress] = []
    for node in nodes { addresses.append(try NodeAddress(node)) }
    self.nodes = addresses
    self.timeout = timeout
    self.electionTimeout = electionTimeout
  }

  /// Sends requests to a node, or to the leader.
  func perform<Value>(
    _ purpose: String, on session: NodeSession? = nil, _ body: (NodeSession) throws -> Value
  ) throws(ClusterError) -> Value {
    let session = if let session { session } else { try leaderSession() }
    do {
      return try body(session)
    } catch let error as ClusterError {
      throw error
    } catch let failure as NodeFailure {
      throw ClusterError(
        failure.isLeadershipFailure ? .noLeader : .refused, "\(purpose): \(failure.message)",
        node: session.address, nodeCode: failure.code)
    } catch {
      throw ClusterError(.file, "\(purpose): \(error)", node: session.address)
    }
  }

  private func leaderSession() throws(ClusterError) -> NodeSession {
    try LeaderSearch(nodes: nodes, timeout: timeout).session(until: .now + electionTimeout)
  }
}

extension ClusterAdministration {
  /// The node that leads the cluster.
  ///
  /// - throws: ``ClusterError`` when none is elected in time.
  public func leader() throws(ClusterError) -> ClusterMember {
    try perform("the leader is unknown") { session in
      guard let member = try session.members().first(where: { $0.address == session.address })
      else {
        throw ClusterError(.noLeader, "the node is no member of its cluster", node: session.address)
      }
      return member
    }
  }

  /// The nodes of the cluster, as its leader knows them.
  public func members() throws(ClusterError) -> [ClusterMember] {
    try perform("the members are unknown") { try $0.members() }
  }

  /// Adds a node, which runs with this number and this address, and has no data yet.
  ///
  /// A voter or a standby gets the data first: this takes time for large databases.
  ///
  /// - Parameters:
  ///   - id: The number of the node, which no other one has had.
  ///   - address: The address at which the other nodes reach it.
  ///   - role: What it will do.
  /// - throws: ``ClusterError`` for a number or an address that a member has. If the role can't be
  ///   assigned, the node stays, as a spare one.
  public func add(
    _ id: UInt64, at address: NodeAddress, role: ClusterMember.Role
  ) throws(ClusterError) {
    guard id > 0 else { throw ClusterError(.invalidAddress, "the number of a node is above zero") }
    try perform("node \(id) can't be added") { try $0.order(.add(id, address)) }
    if role != .spare { try assign(role, to: id) }
  }

  /// Gives a node another role.
  ///
  /// - throws: ``ClusterError`` for a number that no member has.
  public func assign(_ role: ClusterMember.Role, to id: UInt64) throws(ClusterError) {
    try perform("node \(id) can't become a \(role)") { try $0.order(.assign(role, to: id)) }
  }

  /// Removes a node. It may still run: stop it then.
  ///
  /// - throws: ``ClusterError`` for a number that no member has.
  public func remove(_ id: UInt64) throws(ClusterError) {
    try perform("node \(id) can't be removed") { try $0.order(.remove(id)) }
  }

  /// Makes a voter the leader, as before an upgrade of the present one.
  ///
  /// Connections of clients to the present leader have to find the new one. A voter that lacks
  /// transactions, since it has just started, can't lead yet: try again.
  ///
  /// - throws: ``ClusterError`` for a number that no voter has, and for a voter that can't lead
  ///   yet.
  public func transferLeadership(to id: UInt64) throws(ClusterError) {
    try perform("node \(id) can't become the leader") { try $0.order(.transferLeadership(to: id)) }
  }
}
