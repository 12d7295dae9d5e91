// A program to kill: it uses a database, and reports on its standard output what is done.
// Tests/FaultCampaign/Kills kills it, and looks at what is left.
//
//     KillTarget <use> queue|walQueue|pool <path of the database> <name of the process>
//
// Uses: `migrations`, `transactions`, `batches`, `rebuilds`, `observers`. Another process on the
// same file goes on where a killed one has stopped. `KillTarget peer` is described in Peer.swift.

import Foundation
import Quarry

/// Written at once: each reported line is done, whatever happens next.
func tell(_ line: String) {
  FileHandle.standardOutput.write(Data("\(line)\n".utf8))
}

let arguments = CommandLine.arguments
if arguments.count > 3, arguments[1] == "peer" {
  try Peer.run(Array(arguments.dropFirst(2)))
  exit(0)
}
guard arguments.count == 5, let use = Use.named[arguments[1]] else {
  let uses = Use.named.keys.sorted().joined(separator: "|")
  FileHandle.standardError.write(
    Data("usage: KillTarget \(uses) queue|walQueue|pool <path> <name>\n".utf8))
  exit(2)
}
let books = try Books(connection: arguments[2], path: arguments[3], process: arguments[4])
try use(books)
tell("done")
exit(0)
