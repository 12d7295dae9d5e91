public import Foundation

/// How far a run of migrations is.
///
/// ```swift
/// try migrator.migrate(dbQueue) { progress in
///   print("\(progress.index + 1)/\(progress.count): \(progress.identifier)")
///   if isCancelled { throw CancellationError() }
/// }
/// ```
public struct MigrationProgress: Hashable, Sendable {
  /// The phases of a migration.
  public enum Phase: Hashable, Sendable {
    /// It is about to start.
    case started

    /// It is running: reported many times, while SQLite works.
    case running

    /// It has been committed.
    case completed
  }

  /// The identifier of the migration.
  public let identifier: String

  /// The position of the migration among those to run, from zero.
  public let index: Int

  /// The number of migrations to run.
  public let count: Int

  /// The phase of the migration.
  public let phase: Phase

  /// The time since the migration has started, in seconds.
  public let duration: TimeInterval
}

extension DatabaseMigrator {
  /// Runs the migrations that the database lacks, and reports its progress.
  ///
  /// An error that `progress` throws stops the migrations: a migration that is running is rolled
  /// back, also if it ignores the error of its interrupted statement; those that have been
  /// committed stay, those to come don't run.
  ///
  /// ```swift
  /// try migrator.migrate(dbQueue) { progress in
  ///   if isCancelled { throw CancellationError() }
  /// }
  /// ```
  ///
  /// - parameter writer: A database.
  /// - parameter targetIdentifier: The last migration to run. Nil for all of them.
  /// - parameter progress: Is called before, during and after each migration that runs, in the
  ///   access to the database.
  /// - throws: The error of a migration, after its transaction was rolled back, the error of
  ///   `progress`, or a ``DatabaseMigrationError``.
  public func migrate(
    _ writer: any DatabaseWriter, upTo targetIdentifier: String? = nil,
    progress: @escaping (MigrationProgress) throws -> Void
  ) throws {
    try writer.barrierWriteWithoutTransaction { db throws -> Void in
      var runner = runner
      runner.progress = progress
      try runner.run(db, upTo: targetIdentifier)
    }
  }
}
