import Foundation

/// Finds the node that leads a cluster.
struct LeaderSearch {
  /// Some nodes of the cluster.
  let nodes: [NodeAddress]
  /// The longest time for one answer of a node.
  let timeout: Duration

  /// Pauses between two rounds, while the cluster elects a leader.
  private static let pauses: [Duration] = [10, 20, 50, 100, 200].map { .milliseconds($0) }

  /// The longest time for one node: a machine that is gone must not take the time of the others.
  private static let longestAttempt = Duration.seconds(2)

  /// Returns a connection to the leader.
  ///
  /// - throws: ``ClusterError`` if there is none before the deadline.
  func session(until deadline: ContinuousClock.Instant) throws(ClusterError) -> NodeSession {
    var pauses = Self.pauses[...]
    while true {
      var failures: [ClusterError] = []
      for node in nodes {
        if let session = leader(knownTo: node, until: deadline, &failures) { return session }
      }
      let pause = pauses.count > 1 ? pauses.removeFirst() : Self.pauses[Self.pauses.count - 1]
      guard .now + pause < deadline else { throw noLeader(failures) }
      Thread.sleep(forTimeInterval: pause / .seconds(1))
    }
  }

  private func leader(
    knownTo node: NodeAddress, until deadline: ContinuousClock.Instant,
    _ failures: inout [ClusterError]
  ) -> NodeSession? {
    do {
      let session = try session(node, until: deadline)
      guard let leader = try session.leader()?.address else { return nil }
      if leader == node { return session }
      // A node may name one that leads no more: that one knows.
      let other = try self.session(leader, until: deadline)
      return try other.leader()?.address == leader ? other : nil
    } catch let error as ClusterError {
      failures.append(error)
    } catch {
      failures.append(ClusterError(.refused, "\(error)", node: node))
    }
    return nil
  }

  private func session(
    _ node: NodeAddress, until deadline: ContinuousClock.Instant
  ) throws(ClusterError) -> NodeSession {
    let rest: Duration = max(.zero, deadline - .now)
    let session = try NodeSession(to: node, timeout: min(timeout, rest, Self.longestAttempt))
    session.timeout = timeout
    return session
  }

  private func noLeader(_ failures: [ClusterError]) -> ClusterError {
    let names = nodes.map(\.description).joined(separator: ", ")
    let reasons = failures.map { " \($0)." }.joined()
    return ClusterError(
      .noLeader,
      "no node leads the cluster of \(names): more than half of its voters have to run, and to reach "
        + "each other.\(reasons)")
  }
}
