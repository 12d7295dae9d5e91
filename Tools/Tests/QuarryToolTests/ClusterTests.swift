import Foundation
import Testing

/// Command lines that need no node. `Scripts/cluster test` runs the others.
struct ClusterTests {
  @Test(arguments: [
    (["status", "--nodes", ""], "a cluster needs the address of one of its nodes at least"),
    (["status", "--nodes", "here"], "\"here\" is no address of a node: it has no port"),
    (["join", "--nodes", "127.0.0.1:1", "0", "127.0.0.1:2"], "the number of a node is above zero"),
    (["leave", "--nodes", "127.0.0.1:1", "2", "--timeout", "0"], "--timeout is above zero"),
    (["leave", "--nodes", "127.0.0.1:1", "2", "--timeout", "inf"], "--timeout is a year at most"),
  ])
  func `bad arguments are named`(_ arguments: [String], _ message: String) throws {
    let run = try Tool.run(Tool.url("quarry"), ["cluster"] + arguments)
    #expect(run.errors.hasPrefix("quarry: \(message)"))
    #expect(run.code == 2)
  }

  @Test func `a node that is not there is named`() throws {
    let run = try Tool.quarry("cluster", "status", "--nodes", "nowhere.invalid:9001")
    #expect(run.errors.hasPrefix("quarry: node nowhere.invalid:9001: the host is unknown"))
    #expect(run.code == 2)
  }

  @Test func `a role that is none is an error of the command line`() throws {
    let run = try Tool.quarry("cluster", "role", "--nodes", "127.0.0.1:1", "2", "boss")
    #expect(run.code == 64)
    #expect(run.errors.contains("standby"))
  }

  @Test(
    .enabled(
      if: ProcessInfo.processInfo.environment["QUARRY_NODE"] != nil, "Scripts/cluster test"))
  func `a cluster is started, listed, changed and dumped`() throws {
    let program = try #require(ProcessInfo.processInfo.environment["QUARRY_NODE"])
    try withScratch { scratch in
      let nodes = try (1...2).map { try node(program, $0, scratch) }
      defer { nodes.forEach { $0.process.terminate() } }
      let addresses = nodes.map(\.address)
      let leader = addresses[0]
      #expect(
        try Tool.quarry("cluster", "join", "--nodes", leader, "2", addresses[1], "--role", "spare")
          == Run(output: "", errors: "", code: 0))
      #expect(
        try Tool.quarry("cluster", "status", "--nodes", leader).output
          == "1 \(leader) voter, leader\n2 \(addresses[1]) spare\n")
      #expect(try Tool.quarry("cluster", "role", "--nodes", leader, "2", "voter").code == 0)
      #expect(try Tool.quarry("cluster", "leave", "--nodes", leader, "2").code == 0)
      let dump = try Tool.quarry(
        "cluster", "dump", "--nodes", leader, "library", scratch / "library.sqlite")
      #expect(dump.errors.hasPrefix("quarry: node \(leader): "))
      #expect(dump.code == 2)
    }
  }

  /// Starts a node at a port that is free.
  private func node(
    _ program: String, _ id: Int, _ scratch: Scratch
  ) throws -> (process: Process, address: String) {
    for _ in 0..<20 {
      let address = "127.0.0.1:\(Int.random(in: 20_000..<30_000))"
      let (process, output) = (Process(), Pipe())
      process.executableURL = URL(fileURLWithPath: program)
      process.arguments = ["--id", "\(id)", "--address", address, "--data", scratch / "node-\(id)"]
      process.standardOutput = output
      try process.run()
      // It prints a line when it listens, and ends without one where it can't.
      if !output.fileHandleForReading.availableData.isEmpty { return (process, address) }
    }
    Issue.record("node \(id) does not start")
    throw CancellationError()
  }
}
