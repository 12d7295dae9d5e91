import ArgumentParser
import QuarryCluster

/// Administrates the nodes of a cluster, each of which runs quarry-node.
struct Cluster: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Administrates a cluster: status, join, role, transfer, leave, dump.",
    discussion: """
      --nodes names one or more of the nodes: the leader is found from there.

      Example: quarry cluster join --nodes 10.0.0.1:9001 2 10.0.0.2:9001
               quarry cluster status --nodes 10.0.0.1:9001,10.0.0.2:9001
      """,
    subcommands: [
      ClusterStatus.self, ClusterJoin.self, ClusterRole.self, ClusterTransfer.self,
      ClusterLeave.self, ClusterDump.self,
    ])
}

struct ClusterOptions: ParsableArguments {
  @Option(help: "The addresses of one or more nodes, host:port, with commas between them.")
  var nodes: String

  @Option(help: "The longest time for one answer of a node, in seconds.")
  var timeout: Double = 5

  /// Runs a command. The sentence of an error is that of the library.
  func perform(_ body: (ClusterAdministration) throws -> Void) throws {
    guard timeout > 0 else { throw ToolError("--timeout is above zero") }
    // Durations and clocks have no infinity.
    guard timeout <= 31_536_000 else { throw ToolError("--timeout is a year at most") }
    do {
      let nodes = nodes.split(separator: ",").map(String.init)
      let timeout = Duration.seconds(timeout)
      try body(ClusterAdministration(nodes: nodes, timeout: timeout, electionTimeout: timeout * 2))
    } catch let error as ClusterError {
      throw ToolError("\(error)")
    }
  }
}

extension ClusterMember.Role {
  /// The role of an argument.
  static func named(_ name: String) throws -> Self {
    guard let role = allCases.first(where: { "\($0)" == name }) else {
      throw ValidationError("the role \(name) is none of voter, standby and spare")
    }
    return role
  }
}
