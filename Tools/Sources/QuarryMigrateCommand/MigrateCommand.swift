public import ArgumentParser
public import Quarry

/// A command that migrates a database file, or rehearses its migrations on a copy.
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

  @Option(help: "The last migration to run.")
  var upTo: String?

  /// Creates arguments without values, which the parser sets.
  public init() {}
}
