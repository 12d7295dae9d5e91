public import ArgumentParser
import Foundation
public import Quarry
import QuarryMigrations

/// A command that migrates a database file, or rehearses its migrations on a copy.
///
/// Migrations are Swift code of a program, so that the program itself has the command:
///
/// ```swift
/// @main struct Migrate: MigrateCommand {
///   static var migrator: DatabaseMigrator { .bookshop }
///   @OptionGroup var options: MigrateOptions
/// }
/// ```
///
///     $ migrate --rehearse shop.sqlite
///     -- book pages (0.012 s)
///     ALTER TABLE "book" ADD COLUMN "pages" INTEGER;
public protocol MigrateCommand: ParsableCommand {
  /// The migrations of the program.
  static var migrator: DatabaseMigrator { get }

  /// The arguments of the command.
  var options: MigrateOptions { get }
}

/// The arguments of a ``MigrateCommand``.
public struct MigrateOptions: ParsableArguments {
  @Argument(help: "The database file.")
  var file: String

  @Flag(help: "Run the migrations on a copy, write their SQL, and leave the file alone.")
  var rehearse = false

  @Flag(help: "Compare the migrations, and the schema, with those of the file, and leave it alone.")
  var drift = false

  @Option(help: "The last migration to run.")
  var upTo: String?

  /// Creates arguments without values, which the parser sets.
  public init() {}
}

extension MigrateCommand {
  /// Migrates the file, rehearses it, or checks it for drift. A failed rehearsal, violated foreign
  /// keys in it, and drift end with the exit code 1.
  ///
  /// - throws: The error of a migration, a `DatabaseError` when the file can't be opened.
  public func run() throws {
    if options.rehearse, options.drift {
      throw ValidationError("give either --rehearse or --drift")
    }
    guard
      !(options.rehearse || options.drift) || FileManager.default.fileExists(atPath: options.file)
    else {
      throw ValidationError("\(options.file): no such file")
    }
    try options.drift ? checkDrift() : options.rehearse ? rehearse() : migrate()
  }

  private func openReadOnly() throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.readonly = true
    return try DatabaseQueue(path: options.file, configuration: configuration)
  }

  private func checkDrift() throws {
    let drift = try openReadOnly().read { try Self.migrator.drift($0) }
    print(drift)
    if !drift.isEmpty { throw ExitCode(1) }
  }

  private func rehearse() throws {
    let queue = try openReadOnly()
    let rehearsal = try Self.migrator.rehearse(queue, upTo: options.upTo)
    print(rehearsal.migrations.isEmpty ? "no migration to run" : "\(rehearsal)")
    let hasViolations = rehearsal.migrations.contains { !$0.violations.isEmpty }
    if !rehearsal.isSuccessful || hasViolations { throw ExitCode(1) }
  }

  private func migrate() throws {
    let queue = try DatabaseQueue(path: options.file)
    try Self.migrator.migrate(queue, upTo: options.upTo) { progress in
      guard progress.phase == .completed else { return }
      print("\(progress.index + 1)/\(progress.count) \(progress.identifier)")
    }
  }
}
