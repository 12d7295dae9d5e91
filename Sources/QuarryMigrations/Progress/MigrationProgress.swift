public import Foundation
public import Quarry

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
  ///   `progress`, or a `DatabaseMigrationError`.
  public func migrate(
    _ writer: any DatabaseWriter, upTo targetIdentifier: String? = nil,
    progress: @escaping (MigrationProgress) throws -> Void
  ) throws {
    try writer.barrierWriteWithoutTransaction { db throws -> Void in
      let reports = MigrationReports(db, progress)
      var runner = runner
      runner.around = reports.run
      runner.willEndMigration = { _ in try reports.checkStop() }
      try runner.run(db, upTo: targetIdentifier)
    }
  }
}

/// Reports how migrations run, and stops at an error of the callback.
private final class MigrationReports {
  private let db: Database
  private let progress: (MigrationProgress) throws -> Void
  private var stop: (any Error)?

  init(_ db: Database, _ progress: @escaping (MigrationProgress) throws -> Void) {
    (self.db, self.progress) = (db, progress)
  }

  func run(
    _ identifier: String, _ place: (index: Int, count: Int), _ run: () throws -> Void
  ) throws {
    let start = Date()
    func report(_ phase: MigrationProgress.Phase) throws {
      try progress(
        MigrationProgress(
          identifier: identifier, index: place.index, count: place.count, phase: phase,
          duration: Date().timeIntervalSince(start)))
    }
    try report(.started)
    try stoppable({ try report(.running) }, run)
    try report(.completed)
  }

  /// Throws the error of the callback: a migration may ignore that a statement was interrupted.
  func checkStop() throws { if let stop { throw stop } }

  /// Runs `body`, and interrupts it when `report` throws.
  private func stoppable(_ report: @escaping () throws -> Void, _ body: () throws -> Void) throws {
    do {
      try db.checkingProgress {
        // The statements that undo the migration must run.
        guard self.stop == nil else { return false }
        do { try report() } catch { self.stop = error }
        return self.stop != nil
      } during: {
        try body()
      }
    } catch {
      throw stop ?? error
    }
    // The end of the transaction may have passed over the interruption.
    try checkStop()
  }
}
