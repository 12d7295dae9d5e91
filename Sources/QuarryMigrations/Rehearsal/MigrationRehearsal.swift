public import Foundation
public import Quarry

/// The effects of migrations, found out on a copy of a database.
///
/// ```swift
/// let rehearsal = try migrator.rehearse(dbQueue)
/// print(rehearsal)
/// // -- Book pages (0.012 s)
/// // ALTER TABLE "book" ADD COLUMN "pages" INTEGER;
/// guard rehearsal.isSuccessful else { return }
/// ```
public struct MigrationRehearsal: Sendable {
  /// The migrations that ran on the copy. The last one may have failed.
  public let migrations: [RehearsedMigration]

  /// True if no migration failed.
  public var isSuccessful: Bool { migrations.allSatisfy { $0.error == nil } }

  /// The statements of all migrations, each migration under its identifier.
  public var sql: String {
    migrations.map { migration in
      (["-- \(migration.identifier)"] + migration.statements.map(\.terminated))
        .joined(separator: "\n")
    }.joined(separator: "\n\n")
  }
}

/// The effects of a migration on a copy of a database.
public struct RehearsedMigration: Sendable {
  /// The identifier of the migration.
  public let identifier: String

  /// The statements that changed the copy, with their arguments. Doubles of records have 15 digits,
  /// and their texts end at a NUL character. Those that failed, and those that a savepoint has
  /// undone, are left out.
  public let statements: [String]

  /// How long the migration took, in seconds.
  public let duration: TimeInterval

  /// The rows that reference a missing row after the migration.
  public let violations: [ForeignKeyViolation]

  /// The violations with their tables, their columns, and the content of the row.
  public let violationDescriptions: [String]

  /// Why the migration failed.
  public let error: (any Error)?
}

extension MigrationRehearsal: CustomStringConvertible {
  /// The identifiers, times, statements, violations and errors of the migrations.
  public var description: String {
    migrations.map { migration in
      let time = String(format: "%.3f s", migration.duration)
      var lines = ["-- \(migration.identifier) (\(time))"]
      lines += migration.statements.map(\.terminated)
      lines += migration.violationDescriptions.map { "-- \($0)" }
      if let error = migration.error {
        lines.append("-- failed: " + "\(error)".replacing("\n", with: "\n-- "))
      }
      return lines.joined(separator: "\n")
    }.joined(separator: "\n\n")
  }
}

extension DatabaseMigrator {
  /// Runs the migrations that a database lacks on a copy of it, which goes afterwards.
  ///
  /// It lists the statements, the time, all violated foreign keys, and the error of the migrations,
  /// and leaves the database alone. Databases that `Configuration.prepareDatabase` attaches
  /// are copied, too.
  ///
  /// - parameter reader: A database.
  /// - parameter targetIdentifier: The last migration to run. Nil for all of them.
  /// - throws: A `DatabaseError` when the database can't be copied, or a
  ///   `DatabaseMigrationError`. Errors of migrations are in the result.
  public func rehearse(
    _ reader: any DatabaseReader, upTo targetIdentifier: String? = nil
  ) throws -> MigrationRehearsal {
    let isFile = try reader.unsafeRead { db in db.isFile }
    return try reader.configuration.withTemporaryDatabase(isFile: isFile, .copied) { copy in
      try reader.backup(to: copy)
      return try rehearse(on: copy, upTo: targetIdentifier)
    }
  }

  private func rehearse(
    on copy: DatabaseQueue, upTo targetIdentifier: String?
  ) throws -> MigrationRehearsal {
    let recorder = MigrationRecorder()
    try copy.writeWithoutTransaction { db throws -> Void in
      var runner = runner
      runner.around = { identifier, _, run in
        recorder.start(identifier, db)
        try run()
        recorder.end(error: nil, db)
      }
      runner.willEndMigration = { try recorder.recordViolations($0) }
      do {
        try runner.run(db, upTo: targetIdentifier)
      } catch let error as DatabaseMigrationError {
        throw error
      } catch {
        guard recorder.isRunning else { throw error }
        recorder.end(error: error, db)
      }
    }
    return MigrationRehearsal(migrations: recorder.migrations)
  }

  /// The SQL of the migrations that a database lacks, found out on a copy of it.
  ///
  /// ```swift
  /// print(try migrator.dryRun(dbQueue))
  /// // -- Book pages
  /// // ALTER TABLE "book" ADD COLUMN "pages" INTEGER;
  /// ```
  ///
  /// - parameter reader: A database.
  /// - parameter targetIdentifier: The last migration to run. Nil for all of them.
  /// - throws: The error of a migration, a `DatabaseError` when the database can't be copied, or
  ///   a `DatabaseMigrationError`.
  public func dryRun(
    _ reader: any DatabaseReader, upTo targetIdentifier: String? = nil
  ) throws -> String {
    let rehearsal = try rehearse(reader, upTo: targetIdentifier)
    if let error = rehearsal.migrations.lazy.compactMap(\.error).first { throw error }
    return rehearsal.sql
  }
}
