import Quarry

/// The commits of other connections and processes, as the versions of the data that the connection
/// which writes sees: one differs when another connection has committed meanwhile.
final class OtherCommits: Sendable {
  private let versions = Locked<[DatabaseSchemaID: Int]?>(nil)

  /// Notifies all observers if there are commits since the last call. The first time, nobody knows:
  /// an observation may have begun before.
  func notify(_ db: Database) throws {
    // In a transaction that was left open, the versions don't move.
    guard !db.isInsideTransaction else { return }
    let former = versions.withLock { $0 }
    let look = try DataVersionLook(db, after: former ?? [:])
    if look.versions != former {
      try db.inReadTransaction { try look.notify(db) }
      // Where that fails, the next look tries again.
      versions.withLock { $0 = look.versions }
    }
    if let error = look.error { throw error }
  }
}

/// The versions of the data of all databases that other connections may change.
private struct DataVersionLook {
  /// The former version for a database that can't be read: it is locked, or damaged.
  private(set) var versions: [DatabaseSchemaID: Int] = [:]
  /// Why one can't be read.
  private(set) var error: (any Error)?
  private var readable: [DatabaseSchemaID] = []

  init(_ db: Database, after former: [DatabaseSchemaID: Int]) throws {
    for id in try db.readSchemaIDs() where id != .temp {
      do {
        versions[id] = try Int.fetchOne(db, sql: "PRAGMA \(id.sqlName).data_version")
        readable.append(id)
      } catch {
        // The fetches of observations begin with it: they would end in its lock.
        if id == .main { throw error }
        versions[id] = former[id]
        self.error = self.error ?? error
      }
    }
  }

  /// Notifies the observers of all that could be read.
  func notify(_ db: Database) throws {
    if error == nil {
      try db.notifyChanges(in: .fullDatabase)
    } else {
      try db.notifyChanges(ofKinds: readable.flatMap(db.eventKinds(inSchema:)))
    }
  }
}
