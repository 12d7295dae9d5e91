import Dispatch
import Quarry

/// Looks for commits of other clients, for the observations of this one.
///
/// The version of the content is that of a connection: its own commits don't change it, so that of
/// the connection that writes is asked for.
final class ChangePoll: Sendable {
  private let timer: Locked<any DispatchSourceTimer>

  init(_ pool: DatabasePool, every interval: Duration) {
    let seconds = interval / .seconds(1)
    let timer = DispatchSource.makeTimerSource(queue: .global(qos: .utility))
    timer.schedule(
      deadline: .now() + seconds, repeating: seconds,
      leeway: .milliseconds(Int(min(seconds, 1) * 100)))
    let version = Locked<[Int64]>([])
    timer.setEventHandler { [weak pool] in
      pool?.asyncWriteWithoutTransaction { db in Self.look(db, version) }
    }
    timer.activate()
    self.timer = Locked(timer)
  }

  deinit { stop() }

  func stop() {
    timer.withLock { $0.cancel() }
  }

  /// An error is left to the accesses of the application, and the next look finds the change.
  private static func look(_ db: Database, _ version: Locked<[Int64]>) {
    guard db.isObserved, let number = try? Int64.fetchOne(db, sql: "PRAGMA data_version") else {
      return
    }
    // The numbers of another connection may be the same ones.
    let connection = (db.engine as? ClusterEngine)?.connection.number ?? 0
    let present = [Int64(connection), number]
    let former = version.withLock { version in
      defer { version = present }
      return version
    }
    guard former != present else { return }
    try? db.inTransaction(.deferred) {
      try db.notifyChanges(in: .fullDatabase)
      return .commit
    }
  }
}
