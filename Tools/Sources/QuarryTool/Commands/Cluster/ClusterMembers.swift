import ArgumentParser
import QuarryCluster

/// Adds a node to a cluster.
struct ClusterJoin: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "join",
    abstract: "Adds a node that runs, and has no data yet.",
    discussion: """
      Example: quarry cluster join --nodes 10.0.0.1:9001 2 10.0.0.2:9001
      """)

  @OptionGroup var cluster: ClusterOptions
  @Argument(help: "The number of the node.") var id: UInt64
  @Argument(help: "The address of the node, host:port.") var address: String
  @Option(help: "What it does: voter, standby or spare.", transform: ClusterMember.Role.named)
  var role = ClusterMember.Role.voter

  func run() throws {
    try cluster.perform { try $0.add(id, at: NodeAddress(address), role: role) }
  }
}

/// Gives a node another role.
struct ClusterRole: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "role",
    abstract: "Makes a node a voter, a standby or a spare.",
    discussion: """
      Example: quarry cluster role --nodes 10.0.0.1:9001 3 standby
      """)

  @OptionGroup var cluster: ClusterOptions
  @Argument(help: "The number of the node.") var id: UInt64
  @Argument(help: "The role: voter, standby or spare.", transform: ClusterMember.Role.named)
  var role: ClusterMember.Role

  func run() throws {
    try cluster.perform { try $0.assign(role, to: id) }
  }
}

/// Makes a node the leader.
struct ClusterTransfer: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "transfer",
    abstract: "Makes a voter the leader.",
    discussion: """
      Example: quarry cluster transfer --nodes 10.0.0.1:9001 2
      """)

  @OptionGroup var cluster: ClusterOptions
  @Argument(help: "The number of the node.") var id: UInt64

  func run() throws {
    try cluster.perform { try $0.transferLeadership(to: id) }
  }
}

/// Removes a node.
struct ClusterLeave: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "leave",
    abstract: "Removes a node from the cluster. Stop it afterwards.",
    discussion: """
      Example: quarry cluster leave --nodes 10.0.0.1:9001 3
      """)

  @OptionGroup var cluster: ClusterOptions
  @Argument(help: "The number of the node.") var id: UInt64

  func run() throws {
    try cluster.perform { try $0.remove(id) }
  }
}

/// Copies a database of a cluster to a file.
struct ClusterDump: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "dump",
    abstract: "Copies a database to a file, which SQLite opens as any other.",
    discussion: """
      Example: quarry cluster dump --nodes 10.0.0.1:9001 library library.sqlite
      """)

  @OptionGroup var cluster: ClusterOptions
  @Argument(help: "The name of the database in the cluster.") var database: String
  @Argument(help: "The file, which must not exist.") var file: String
  @Option(help: "The node that is asked, host:port. By default, the leader.") var from: String?

  func run() throws {
    try cluster.perform { administration in
      do {
        try administration.dump(database, to: file, from: from.map(NodeAddress.init))
      } catch let error as ClusterError {
        throw error
      } catch {
        throw ToolError(error, path: file)
      }
    }
  }
}
