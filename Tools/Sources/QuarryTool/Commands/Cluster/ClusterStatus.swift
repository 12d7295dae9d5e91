import ArgumentParser
import QuarryCluster

/// Lists the nodes of a cluster.
struct ClusterStatus: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Lists the nodes: their numbers, addresses, roles, and the leader.",
    discussion: """
      The exit code is 1 if a node does not answer, or none leads.

      Example: quarry cluster status --nodes 10.0.0.1:9001
      """)

  @OptionGroup var cluster: ClusterOptions

  func run() throws {
    var isHealthy = false
    try cluster.perform { administration in
      let nodes = try administration.status()
      for node in nodes {
        let member = node.member
        Output.line("\(member.id) \(member.address) \(member.role)\(state(node))")
      }
      isHealthy = nodes.contains(where: \.isLeader) && nodes.allSatisfy { $0.error == nil }
    }
    if !isHealthy { throw ExitCode(1) }
  }

  private func state(_ node: NodeStatus) -> String {
    if let error = node.error { return ": \(error.message)" }
    return node.isLeader ? ", leader" : ""
  }
}
