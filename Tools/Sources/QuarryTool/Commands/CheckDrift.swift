import ArgumentParser
import Foundation
import Quarry
import QuarryMigrations

/// Compares the migrations of a folder with those that a database has.
struct CheckDrift: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "drift",
    abstract: "Compares the migrations of a folder with those that a database has.",
    discussion: """
      Reports migrations that have not run, unknown ones, those out of order, files that were edited since they ran, and \
      differences of the schema. The exit code is 1 if there is any.

      Example: quarry check drift shop.sqlite Migrations
      """)

  @OptionGroup var file: FileOptions
  @OptionGroup var folder: MigrationOptions

  func run() throws {
    let migrator = try folder.migrator()
    let drift = try file.database.read { try migrator.drift($0) }
    Output.line("\(drift)")
    if !drift.isEmpty { throw ExitCode(1) }
  }
}
