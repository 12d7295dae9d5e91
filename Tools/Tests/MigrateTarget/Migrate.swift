import ArgumentParser
import Quarry
import QuarryMigrateCommand

/// The command of a program that sells books, as Tests/QuarryToolTests/MigrateTests.swift runs it.
@main
struct Migrate: MigrateCommand {
  static var migrator: DatabaseMigrator { DatabaseMigrator() }

  @OptionGroup var options: MigrateOptions
}
