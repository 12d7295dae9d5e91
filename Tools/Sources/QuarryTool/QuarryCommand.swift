import ArgumentParser
import Foundation
import Quarry

/// Parses the command line, runs a command, and ends with its exit code, which the help of
/// `QuarryCommand` lists.
@main
enum Main {
  static func main() {
    do {
      var command = try QuarryCommand.parseAsRoot()
      try command.run()
      try Output.end()
    } catch {
      end(with: error)
    }
  }

  private static func end(with error: any Error) -> Never {
    guard error is ToolError || error is DatabaseError else {
      _ = fflush(nil)
      QuarryCommand.exit(withError: error)
    }
    _ = fflush(nil)
    Output.note("\(error)")
    exit(2)
  }
}

/// `quarry`, whose commands are the files of `Commands`.
struct QuarryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "quarry",
    abstract: "Looks into SQLite databases, moves rows in and out, and writes Swift for them.",
    discussion: """
      Commands that only read open the file read-only, and never create one.

      Exit codes: 0 for success; 1 for findings of check, nodes of a cluster that do not answer, differences of diff and of records --check, rehearsals of \
      migrate that fail, and rows that import --skip-rejected has passed over; 2 for an error; 64 for wrong arguments.
      """,
    subcommands: [
      Inspect.self, Dump.self, Query.self, Explain.self, Check.self, Diff.self, Records.self,
      Import.self, Export.self, Migrate.self, Cluster.self,
    ])
}
