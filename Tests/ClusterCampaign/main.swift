// Kills nodes of a cluster while clients write, and looks at what is left. Scripts/cluster runs it.
//
//     ClusterCampaign kills any|leader|two <number of rows> [<number of kills>]
//     ClusterCampaign demo
//     ClusterCampaign with <number of nodes> <command>...
//
// `with` runs a command while nodes run, whose addresses it finds in QUARRY_NODES. `kills` ends
// when so many rows were acknowledged, and after so many kills at least. The seed of its random
// numbers is printed: QUARRY_RANDOM_SEED=<seed> gives the same ones.

import Foundation

#if os(Linux)
  import NodeProcesses
  import TemporaryDirectories

  // Set where nodes may still run: they end before the program does.
  var status: Int32 = 0
  do {
    let arguments = CommandLine.arguments.dropFirst()
    switch Array(arguments) {
    case ["demo"]:
      try withTemporaryDirectory { try Demonstration(in: $0).run() }
    case let words where words.count >= 3 && words[0] == "kills":
      let kills = words.count > 3 ? Int(words[3]) ?? 0 : 0
      try withTemporaryDirectory { directory in
        let campaign = try Campaign(
          in: directory, victims: Victims(rawValue: words[1]) ?? .any,
          rowCount: Int(words[2]) ?? 1000,
          killCount: kills)
        if try !campaign.run() { status = 1 }
      }
    case let words where words.count >= 3 && words[0] == "with":
      try withTemporaryDirectory { directory in
        // No election in the middle of tests that keep the machine busy.
        let nodes = try TestCluster(in: directory, nodeCount: Int(words[1]) ?? 1, latency: 200)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = Array(words[2...])
        process.environment = ProcessInfo.processInfo.environment.merging(
          ["QUARRY_NODES": nodes.addresses.joined(separator: ",")]
        ) { $1 }
        try process.run()
        process.waitUntilExit()
        status = process.terminationStatus
        withExtendedLifetime(nodes) {}
      }
    default:
      FileHandle.standardError.write(
        Data(
          "usage: ClusterCampaign kills any|leader|two <rows> [<kills>] | demo | with <nodes> <command>\n"
            .utf8))
      exit(64)
    }
  } catch {
    FileHandle.standardError.write(Data("\(error)\n".utf8))
    exit(1)
  }
  exit(status)
#else
  FileHandle.standardError.write(Data("nodes run on Linux\n".utf8))
  exit(3)
#endif
