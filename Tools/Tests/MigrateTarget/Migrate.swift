import ArgumentParser
import Quarry
import QuarryMigrateCommand

/// The command of a program that sells books, as the tests of the tool run it.
@main
struct Migrate: MigrateCommand {
  static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("authors") { db in
      try db.create(table: "author") { t in
        t.autoIncrementedPrimaryKey("id")
        t.column("name", .text).notNull()
      }
    }
    migrator.registerMigration("unique names") { db in
      try db.create(indexOn: "author", columns: ["name"], options: .unique)
    }
    return migrator
  }

  @OptionGroup var options: MigrateOptions
}
