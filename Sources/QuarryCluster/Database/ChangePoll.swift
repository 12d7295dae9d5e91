import Dispatch
import Quarry

/// Looks for commits of other clients, for the observations of this one.
///
/// The version of the content is that of a connection: its own commits don't change it, so that of
/// the connection that writes is asked for.
final class ChangePoll: Sendable {
  private let timer: Locked<any DispatchSourceTimer>

  /// A year, in seconds: timers have nanoseconds in 64 bits.
  private static let longestInterval: Double = 31_536_000

  init(_ pool: DatabasePool, every interval: Duration) {
    let seconds = min(interval / .seconds(1), Self.longestInterval)
    let timer = DispatchSource.makeTimerSource(queue: .global(qos: .utility))
    timer.schedule(
      deadline: .now() + seconds, repeating: seconds,
      leeway: .milliseconds(Int(min(seconds, 1) * 100)))
    let version = Locked<[Int64]>([])
    // What is committed before an observation begins is seen by its first fetch.
    pool.asyncWriteWithoutTransaction { db in
      let present = Self.version(db)
      version.withLock { $0 = present ?? [] }
    }
    let isWaiting = Locked(false)
    let lockedTimer = Locked<any DispatchSourceTimer>(timer)
    // It lives as long as the connections: observations keep these, and not the cluster.
    timer.setEventHandler { [weak pool] in
      guard let pool else { return lockedTimer.withLock { $0.cancel() } }
      // One look at a time waits while the application writes.
      let isFirst = isWaiting.withLock { isWaiting in
        defer { isWaiting = true }
        return !isWaiting
      }
      guard isFirst else { return }
      pool.asyncWriteWithoutTransaction { db in
        isWaiting.withLock { $0 = false }
        Self.look(db, version)
      }
    }
    timer.activate()
    self.timer = lockedTimer
  }

  func stop() { timer.withLock { $0.cancel() } }

  /// An error is left to the accesses of the application, and the next look finds the change.
  static func look(_ db: Database, _ version: Locked<[Int64]>) {
    guard db.isObserved, !db.isInsideTransaction, let present = self.version(db),
      version.withLock({ $0 != present })
    else { return }
    do {
      try db.inTransaction(.deferred) {
        try db.notifyChanges(in: .fullDatabase)
        return .commit
      }
      version.withLock { $0 = present }
    } catch {}
  }

  /// The number of the connection to the leader, and the version that it sees. Another connection
  /// may have the same version.
  private static func version(_ db: Database) -> [Int64]? {
    guard let version = try? Int64.fetchOne(db, sql: "PRAGMA data_version") else { return nil }
    return [Int64((db.engine as? ClusterEngine)?.connection.number ?? 0), version]
  }
}
