import ArgumentParser
import Foundation
import Quarry
import QuarryMigrations

/// Writes migrations, runs those of a folder, and undoes them.
struct Migrate: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Drafts a migration from two schemas; runs and undoes the SQL files of a folder.",
    subcommands: [Draft.self, Up.self, Down.self])

  /// Writes the difference between two schemas as a migration.
  struct Draft: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Writes a migration from the schema of a database to another one.",
      discussion: """
        ALTER TABLE is used where it can do the change; other tables are made anew with their rows. A name that is gone \
        is dropped, which needs --allow-data-loss, unless --rename gives its new one. The exit code of --rehearse is 1 \
        if the migration does not make the new schema, or violates a foreign key.

        Example: quarry migrate draft shop.sqlite schema.sql --rename book.name=title --rehearse
        """)

    @Argument(help: "The database file with the present schema.", completion: .file())
    var old: String

    @Argument(
      help: "The new schema: a database file, or a file of SQL with the extension .sql.",
      completion: .file())
    var new: String

    @Option(help: "A new name: player=person for a table, player.name=fullName for a column.")
    var rename: [String] = []

    @Option(
      help: "SQL for the values of a column: book.pages='coalesce(pages, 0)', by its new name.")
    var value: [String] = []

    @Flag(help: "Allow the migration to drop tables and columns, and to convert values.")
    var allowDataLoss = false

    @Flag(help: "Write SQL, such as for a folder of migrations, and not Swift.")
    var sql = false

    @Option(help: "The identifier of the migration in Swift.")
    var identifier = "draft"

    @Flag(help: "Run the migration on a copy, and write what it does to standard error.")
    var rehearse = false

    @Option(help: "How many seconds to wait for a locked file.")
    var timeout: Double = 5

    func run() throws {
      let renaming = try pairs(rename, "--rename")
      let values = try pairs(value, "--value")
      let permissions: MigrationDraft.Permissions = allowDataLoss ? .dataLoss : []
      try DatabaseFile(path: old, timeout: timeout).open(readonly: true) { queue in
        let draft = try withNewSchema { new in
          try MigrationDraft(
            from: queue, to: new, renaming: renaming, values: values, allowing: permissions)
        }
        let text = sql ? draft.sql : draft.isEmpty ? "" : draft.swift(identifier: identifier)
        print(text, terminator: "")
        if draft.isEmpty { Output.note("the schemas are the same") }
        for loss in draft.losses { Output.note("lost: \(loss)") }
        if rehearse, try !isSuccessful(draft, queue) { throw ExitCode(1) }
      }
    }

    private func withNewSchema<T>(_ body: (DatabaseQueue) throws -> T) throws -> T {
      let file = DatabaseFile(path: new, timeout: timeout)
      guard new.lowercased().hasSuffix(".sql") else { return try file.open(readonly: true, body) }
      try file.checkExists()
      guard let sql = try? String(contentsOfFile: new, encoding: .utf8) else {
        throw ToolError("\(new): can't be read, or is not UTF-8")
      }
      let queue = try DatabaseQueue()
      do {
        try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
      } catch {
        throw ToolError(error, path: new)
      }
      return try body(queue)
    }

    private func isSuccessful(_ draft: MigrationDraft, _ queue: DatabaseQueue) throws -> Bool {
      let rehearsal = try draft.rehearse(queue)
      Output.note("rehearsal: \(rehearsal)")
      return rehearsal.isSuccessful
    }

    private func pairs(_ texts: [String], _ option: String) throws -> [String: String] {
      try texts.reduce(into: [:]) { pairs, text in
        let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
        guard parts.count == 2 else {
          throw ValidationError("\(option) \(text): write NAME=…")
        }
        guard pairs.updateValue(parts[1], forKey: parts[0]) == nil else {
          throw ValidationError("\(option) \(text): \(parts[0]) is given twice")
        }
      }
    }
  }

  /// Runs the migrations that a database lacks.
  struct Up: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Runs the migrations of a folder that a database lacks.",
      discussion: """
        The names of the files begin with a number, and end with .sql. The database is created if it does not exist.

        Example: quarry migrate up shop.sqlite Migrations
        """)

    @OptionGroup var file: FileOptions
    @OptionGroup var folder: MigrationOptions

    @Flag(help: "Run the migrations on a copy, write their SQL, and leave the file alone.")
    var rehearse = false

    func run() throws {
      let migrator = try folder.migrator()
      guard !rehearse else { return try rehearse(migrator) }
      try file.database.open(readonly: false, creating: true) { queue in
        try migrator.migrate(queue) { progress in
          if progress.phase == .completed { Output.line(progress.identifier) }
        }
      }
    }

    private func rehearse(_ migrator: DatabaseMigrator) throws {
      try file.database.open(readonly: true) { queue in
        let rehearsal = try migrator.rehearse(queue)
        Output.line(rehearsal.migrations.isEmpty ? "no migration to run" : "\(rehearsal)")
        let hasViolations = rehearsal.migrations.contains { !$0.violations.isEmpty }
        if !rehearsal.isSuccessful || hasViolations { throw ExitCode(1) }
      }
    }
  }

  /// Undoes migrations.
  struct Down: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Undoes migrations of a folder by their files NAME.down.sql.",
      discussion: """
        Example: quarry migrate down shop.sqlite Migrations --to 1-authors
        """)

    @OptionGroup var file: FileOptions
    @OptionGroup var folder: MigrationOptions

    @Option(help: "The last migration that stays.")
    var to: String?

    @Flag(help: "Undo all migrations.")
    var all = false

    func validate() throws {
      guard (to == nil) == all else { throw ValidationError("give either --to or --all") }
    }

    func run() throws {
      let migrator = try folder.migrator()
      try file.database.open(readonly: false) { queue in
        for identifier in try migrator.migrateDown(queue, to: to) { Output.line(identifier) }
      }
    }
  }
}

/// The folder of the migrations.
struct MigrationOptions: ParsableArguments {
  @Argument(help: "The folder of the SQL files.", completion: .directory)
  var folder: String

  func migrator() throws -> DatabaseMigrator {
    var migrator = DatabaseMigrator()
    do {
      try migrator.registerMigrations(in: URL(fileURLWithPath: folder, isDirectory: true))
    } catch {
      throw ToolError("\(error)")
    }
    return migrator
  }
}
