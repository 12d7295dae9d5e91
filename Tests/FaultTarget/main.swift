// A program that runs flows of the library with faults, in a process of its own:
//
//     FaultTarget io [--connection queue|walQueue|pool] [--flow NAME] [--from N] [--count N]
//                    [--seed N]
//     FaultTarget memory   (the same options)
//     FaultTarget cuts   [--count N] [--seed N]
//     FaultTarget kills  [--count N] [--seed N] [--use NAME]
//     FaultTarget soak   [--seconds N] [--seed N]
//
// `io` has each call of SQLite to its file system fail once, `memory` each allocation: from a
// number on, or so many of each flow at random. `cuts` cuts the power, `kills` kills processes,
// `soak` uses a pool for long. Each line of the output counts, or is a problem: the status is 1
// then.

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

func kill(_ options: Options) throws -> Bool {
  var generator = try options.generator()
  let count = try options("--count") ?? 10_000
  let name: String? = try options("--use")
  let uses = KillUse.allCases.filter { name ?? $0.rawValue == $0.rawValue }
  guard !uses.isEmpty else {
    throw Options.Unknown(description: "--use is one of \(KillUse.allCases)")
  }
  var total = (kills: 0, acknowledged: 0, isRight: true)
  for use in uses {
    var campaign = try KillCampaign(Program("KillTarget"))
    try campaign.run(use, killCount: (count + uses.count - 1) / uses.count, &generator)
    print("\(use): \(campaign.summary)")
    for problem in campaign.problems { print(problem) }
    fflush(nil)
    total.kills += campaign.killCount
    total.acknowledged += campaign.acknowledgedCount
    if !campaign.problems.isEmpty { total.isRight = false }
  }
  print("in all: \(total.kills) killed processes, \(total.acknowledged) acknowledged")
  return total.isRight
}

func soak(_ options: Options) throws -> Bool {
  var generator = try options.generator()
  let soak = try Soak(Program("KillTarget"))
  try soak.run(seconds: options("--seconds") ?? 3600, &generator)
  print(soak.summary)
  for problem in soak.problems { print(problem) }
  return soak.problems.isEmpty
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
  case "kills":
    return try kill(
      Options(Array(arguments.dropFirst()), names: ["--count", "--seed", "--use"]))
  case "soak":
    return try soak(Options(Array(arguments.dropFirst()), names: ["--seconds", "--seed"]))
  default:
    throw Options.Unknown(description: "the command is one of io, memory, cuts, kills, soak")
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
