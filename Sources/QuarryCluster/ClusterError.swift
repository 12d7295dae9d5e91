/// An error of a cluster: of its nodes, of the network, or of what a cluster can't do. Errors of
/// SQL are thrown as `DatabaseError`, as those of a database on this machine.
///
/// ```swift
/// do {
///   try administration.transferLeadership(to: 2)
/// } catch let error where error.code == .noLeader {
///   // No node of the cluster leads: less than half of the voters can be reached …
///   print(error)
/// }
/// ```
public struct ClusterError: Error, Sendable {
  /// The kinds of errors.
  public enum Code: Sendable {
    /// A text is no address of a node, or a number no identifier.
    case invalidAddress
    /// A node can't be reached, or the connection to it was lost.
    case unreachable
    /// No node that can be reached leads the cluster, or knows who does.
    case noLeader
    /// A node does not answer in time.
    case timeout
    /// The connection was interrupted by this process.
    case interrupted
    /// A node is too old.
    case unsupportedNode
    /// An answer is not one of the protocol.
    case malformedAnswer
    /// A node refuses what it is asked for.
    case refused
    /// A file can't be written.
    case file
    /// The connection to the leader was lost, and with it the transaction: nothing is committed,
    /// and it can be run again.
    case connectionLost
    /// The connection was lost between a commit and its answer: the transaction is committed, or
    /// not.
    case commitOutcomeUnknown
    /// A cluster can't do what a database on this machine can.
    case unsupported
    /// The schema of the nodes can't be compiled on this machine.
    case schema
  }

  /// The kind of error.
  public let code: Code

  /// A sentence that names the cause, and the way out.
  public let message: String

  /// The address of the node, for errors that concern one.
  public let node: NodeAddress?

  /// The result code of the node, for ``Code-swift.enum/refused``.
  public let nodeCode: Int?

  init(_ code: Code, _ message: String, node: NodeAddress? = nil, nodeCode: Int? = nil) {
    self.code = code
    self.message = message
    self.node = node
    self.nodeCode = nodeCode
  }
}

extension ClusterError: CustomStringConvertible {
  /// The message, after the address of the node.
  public var description: String { (node.map { "node \($0): " } ?? "") + message }
}
