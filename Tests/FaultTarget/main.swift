// A program that runs flows of the library with faults, in a process of its own:
//
//     FaultTarget io [--connection queue|walQueue|pool] [--flow NAME] [--from N] [--count N]
//                    [--seed N]
//     FaultTarget memory   (the same options)
//     FaultTarget cuts   [--count N] [--seed N]
//
// `io` has each call of SQLite to its file system fail once, `memory` each allocation: from a
// number on, or so many of each flow at random. `cuts` cuts the power. Each line of the output
// counts, or is a problem: the status is 1 then.

import FaultCampaign
import Foundation

func inject(_ faults: [Fault], _ options: Options) throws -> Bool {
  var generator = try options.generator()
  let limit: Int? = try options("--count")
  let connections = Connection.allCases.map(\.rawValue)
  let chosen: String? = try options("--connection")
  let flow: String? = try options("--flow")
  let parts = Connection.allCases.filter { chosen ?? $0.rawValue == $0.rawValue }.flatMap {
    connection in
    Flow.all.filter { flow ?? $0.description == $0.description && $0.runs(on: connection) }
      .map { (connection, $0) }
  }
  guard !parts.isEmpty else {
    throw Options.Unknown(
      description: "--connection is one of \(connections), --flow of \(Flow.all)")
  }
  var total = FaultCampaign()
  for (connection, flow) in parts {
    var campaign = FaultCampaign()
    try campaign.run(
      flow, connection, faults, from: options("--from") ?? 0, atMost: limit, &generator)
    print("\(connection.rawValue), \(flow): \(campaign.summary)")
    if !campaign.report.isEmpty { print(campaign.report) }
    fflush(nil)
    total.add(campaign)
  }
  print("in all: \(total.summary)")
  return total.problems.isEmpty
}

func cutPower(_ options: Options) throws -> Bool {
  var generator = try options.generator()
  let count = try options("--count") ?? 10_000
  var isRight = true
  for durability in Durability.allCases {
    var cuts = PowerCuts()
    while cuts.cutCount < count / Durability.allCases.count {
      try cuts.run(durability, cutCount: 50, &generator)
    }
    print("\(durability): \(cuts.summary)")
    for problem in cuts.problems { print(problem) }
    fflush(nil)
    if !cuts.problems.isEmpty { isRight = false }
  }
  return isRight
}

func run(_ arguments: [String]) throws -> Bool {
  let injection: Set = ["--connection", "--flow", "--from", "--count", "--seed"]
  switch arguments.first {
  case "io":
    return try inject(
      Fault.once + Fault.lasting, Options(Array(arguments.dropFirst()), names: injection))
  case "memory":
    Fault.installAllocator()
    return try inject(Fault.memory, Options(Array(arguments.dropFirst()), names: injection))
  case "cuts":
    return try cutPower(
      Options(Array(arguments.dropFirst()), names: ["--count", "--seed"]))
  default:
    throw Options.Unknown(description: "the command is one of io, memory, cuts")
  }
}

Crash.report()
do {
  let isRight = try run(Array(CommandLine.arguments.dropFirst()))
  exit(isRight ? 0 : 1)
} catch {
  FileHandle.standardError.write(Data("FaultTarget: \(error)\n".utf8))
  exit(2)
}
