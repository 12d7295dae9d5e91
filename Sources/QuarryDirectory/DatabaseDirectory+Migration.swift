import Dispatch
import Foundation
public import Quarry
import QuarryMigrations

extension DatabaseDirectory {
  /// Migrates all databases, and waits. Each is opened if it is not, and may be closed afterwards.
  ///
  /// ```swift
  /// try directory.migrate(with: migrator) { progress in
  ///   if isCancelled { throw CancellationError() }
  /// }
  /// ```
  ///
  /// A database whose migration fails does not stop the others. An error that `progress` throws
  /// does: a migration that is running is rolled back, those that have been committed stay.
  /// Databases made meanwhile are not migrated: give the migrator to the directory, which migrates
  /// what it opens.
  ///
  /// - Parameters:
  ///   - migrator: The migrations.
  ///   - keys: The keys of the databases. All by default.
  ///   - concurrency: How many databases are migrated at once, at most: the number of processors by
  ///     default.
  ///   - progress: Is called after each database, by one thread at a time.
  /// - returns: The number of databases, all of which have all migrations.
  /// - throws: ``DirectoryError`` with ``DirectoryError/failures`` by keys, after all databases
  ///   have been tried; the error of `progress`.
  @_disfavoredOverload
  @discardableResult
  public func migrate(
    with migrator: DatabaseMigrator, keys: [String]? = nil,
    concurrency: Int? = nil,
    progress: @escaping @Sendable (DirectoryMigrationProgress) throws -> Void = { _ in }
  ) throws -> Int {
    let run = try makeRun(migrator, keys, concurrency, progress)
    DispatchQueue.concurrentPerform(iterations: run.workerCount) { _ in run.work() }
    return try run.result()
  }

  /// Migrates all databases. See `migrate(with:keys:concurrency:progress:)`.
  ///
  /// - Parameters:
  ///   - migrator: The migrations.
  ///   - keys: The keys of the databases. All by default.
  ///   - concurrency: How many databases are migrated at once, at most.
  ///   - progress: Is called after each database, by one thread at a time.
  /// - returns: The number of databases, all of which have all migrations.
  /// - throws: Also `CancellationError` when the task is canceled, which stops the migrations as an
  ///   error of `progress` does.
  @discardableResult
  public func migrate(
    with migrator: DatabaseMigrator, keys: [String]? = nil,
    concurrency: Int? = nil,
    progress: @escaping @Sendable (DirectoryMigrationProgress) throws -> Void = { _ in }
  ) async throws -> Int {
    let run = try await onQueue { try self.makeRun(migrator, keys, concurrency, progress) }
    await withTaskCancellationHandler {
      await withTaskGroup { group in
        for _ in 0..<run.workerCount { group.addTask { try? await self.onQueue { run.work() } } }
      }
    } onCancel: {
      run.stop(CancellationError())
    }
    return try run.result()
  }

  private func makeRun(
    _ migrator: DatabaseMigrator, _ keys: [String]?, _ concurrency: Int?,
    _ progress: @escaping @Sendable (DirectoryMigrationProgress) throws -> Void
  ) throws -> MigrationRun {
    let concurrency = concurrency ?? ProcessInfo.processInfo.activeProcessorCount
    guard concurrency >= 1 else {
      throw DirectoryError(
        .invalidOption, "`concurrency` is \(concurrency): one database at least is migrated at once"
      )
    }
    var seen: Set<String> = []
    let keys = try keys ?? self.keys()
    return MigrationRun(
      keys: keys.filter { seen.insert($0).inserted }, concurrency: min(concurrency, options.limit),
      progress: progress
    ) { key, check in
      let lease = try self.acquire(key)
      defer { lease.release() }
      try migrator.migrate(lease.database) { _ in try check() }
    }
  }
}
