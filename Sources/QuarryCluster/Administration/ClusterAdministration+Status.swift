/// A node, as one that asks it from outside sees it.
public struct NodeStatus: Sendable {
  /// The node, as the others know it.
  public let member: ClusterMember

  /// The number of the node that leads, as this one knows it. Nil while it knows of none.
  public let leader: UInt64?

  /// The reason for which the node can't be asked. Nil if it answers.
  public let error: ClusterError?

  /// Whether the node leads the cluster.
  public var isLeader: Bool { leader == member.id }
}

extension ClusterAdministration {
  /// Asks each node of the cluster, also when none leads it.
  ///
  /// ```swift
  /// for status in try administration.status() where status.error != nil {
  ///   print("node \(status.member.id) does not answer")
  /// }
  /// ```
  ///
  /// - returns: The nodes by their numbers.
  /// - throws: ``ClusterError`` when none of the nodes that this value knows answers.
  public func status() throws(ClusterError) -> [NodeStatus] {
    var failure: ClusterError?
    for node in nodes {
      do throws(ClusterError) {
        let session = try NodeSession(to: node, timeout: timeout)
        let members = try perform("the members are unknown", on: session) { try $0.members() }
        return members.sorted { $0.id < $1.id }.map(status)
      } catch {
        failure = error
      }
    }
    throw failure ?? ClusterError(.unreachable, "no node answers")
  }

  private func status(_ member: ClusterMember) -> NodeStatus {
    do throws(ClusterError) {
      let session = try NodeSession(to: member.address, timeout: timeout)
      let leader = try perform("the leader is unknown", on: session) { try $0.leader()?.id }
      return NodeStatus(member: member, leader: leader, error: nil)
    } catch {
      return NodeStatus(member: member, leader: nil, error: error)
    }
  }
}
