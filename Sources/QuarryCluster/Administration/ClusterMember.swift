/// A node of a cluster.
public struct ClusterMember: Hashable, Sendable, Identifiable {
  /// What a node does for the others.
  public enum Role: UInt64, Sendable, CaseIterable, CustomStringConvertible {
    /// The node has the data, and votes: a transaction is committed when more than half of the
    /// voters have it.
    case voter = 0
    /// The node has the data, and does not vote.
    case standby = 1
    /// The node has no data.
    case spare = 2

    /// The name of the role.
    public var description: String {
      switch self {
      case .voter: "voter"
      case .standby: "standby"
      case .spare: "spare"
      }
    }
  }

  /// The number by which the cluster identifies the node. The first node of a cluster has 1.
  public let id: UInt64

  /// The address at which other nodes and clients reach it.
  public let address: NodeAddress

  /// What it does for the others.
  public let role: Role
}
