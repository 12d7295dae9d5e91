import ArgumentParser

@main
struct NodeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "quarry-node",
    abstract: "Runs a node of a cluster, until SIGTERM or SIGINT.",
    discussion: """
      Nodes trust each other and all clients: let only a private network reach the address.

      The first node has the number 1, and is a cluster of one. Another one starts empty, and is added \
      by: quarry cluster join --nodes ADDRESS-OF-A-MEMBER NUMBER ADDRESS
      """)

  @Option(help: "The number of the node. The first one of a cluster has 1.")
  var id: UInt64

  @Option(help: "The address at which other nodes and clients reach it: host:port.")
  var address: String

  @Option(help: "The folder of its data, which is created. By default, node-NUMBER.")
  var data: String?

  @Option(help: "The address at which it listens, if it is another one: host:port.")
  var bind: String?

  @Option(help: "The time of a message between two nodes, in milliseconds: elections depend on it.")
  var latency: UInt32 = 15

  @Option(
    help: "The time for which a transaction waits for another one that writes, in milliseconds.")
  var busyTimeout: UInt32 = 0

  @Option(help: "The number of log entries after which the node takes a snapshot of its data.")
  var snapshotThreshold: UInt32 = 1024

  @Option(help: "The number of log entries that it keeps when it takes a snapshot.")
  var snapshotTrailing: UInt32 = 8192

  func validate() throws {
    guard id > 0 else { throw ValidationError("--id is above zero") }
    guard latency > 0 else { throw ValidationError("--latency is above zero") }
  }

  func run() throws {
    #if Node
      try RunningNode.run(self)
    #else
      throw ValidationError(
        "this quarry-node was built without dqlite: build it by Scripts/dqlite node")
    #endif
  }
}
