import Quarry

/// The migration of databases by several threads.
final class MigrationRun: Sendable {
  private struct State {
    var next = 0
    var failures: [String: any Error] = [:]
    var stop: (any Error)?
  }

  private let keys: [String]
  private let migrate:
    @Sendable (_ key: String, _ check: @escaping () throws -> Void) throws -> Void
  private let progress: @Sendable (DirectoryMigrationProgress) throws -> Void
  private let state = Locked(State())
  /// Also the turn of `progress`.
  private let completedCount = Locked(0)
  let workerCount: Int

  init(
    keys: [String], concurrency: Int,
    progress: @escaping @Sendable (DirectoryMigrationProgress) throws -> Void,
    migrate:
      @escaping @Sendable (_ key: String, _ check: @escaping () throws -> Void) throws -> Void
  ) {
    self.keys = keys
    self.progress = progress
    self.migrate = migrate
    workerCount = min(concurrency, keys.count)
  }

  /// Migrates databases until there are none left, or an error stops the run.
  func work() {
    while let key = nextKey() {
      do {
        try migrate(key, checkStop)
        report(key, nil)
      } catch {
        report(key, error)
      }
    }
  }

  private func nextKey() -> String? {
    state.withLock { state in
      guard state.stop == nil, state.next < keys.count else { return nil }
      defer { state.next += 1 }
      return keys[state.next]
    }
  }

  private func checkStop() throws { if let stop = state.withLock({ $0.stop }) { throw stop } }

  /// The first error is the one that is thrown.
  func stop(_ error: any Error) { state.withLock { $0.stop = $0.stop ?? error } }

  private func report(_ key: String, _ error: (any Error)?) {
    guard state.withLock({ $0.stop == nil }) || error == nil else { return }
    if let error { state.withLock { $0.failures[key] = error } }
    completedCount.withLock { completedCount in
      completedCount += 1
      let report = DirectoryMigrationProgress(
        key: key, error: error, completedCount: completedCount, count: keys.count)
      do { try progress(report) } catch { stop(error) }
    }
  }

  func result() throws -> Int {
    let state = state.withLock { $0 }
    if let stop = state.stop { throw stop }
    guard state.failures.isEmpty else { throw DirectoryError(state.failures, of: keys.count) }
    return keys.count
  }
}

extension DirectoryError {
  fileprivate init(_ failures: [String: any Error], of count: Int) {
    let lines = failures.sorted { $0.key < $1.key }.prefix(5).map {
      "\n\($0.debugDescription): \($1)"
    }
    let rest = failures.count > lines.count ? "\n… (`failures` has all of them)" : ""
    self.init(
      .migration,
      "\(failures.count) of \(count) databases are not migrated: correct the migration or their data, "
        + "then migrate these keys again" + lines.joined() + rest, failures: failures)
  }
}
