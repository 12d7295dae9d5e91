// How the cache learns that another connection, maybe of another process, changed the schema.
//
// SQLite compiles statements again after such a change, or they fail. Both comes too late: the request was planned with
// the old primary keys, and a table whose key is another column now would be asked for the wrong rows. (Besides,
// SQLite also compiles statements again after pragmas that change nothing of the schema, such as `foreign_keys`.) So the
// first look-up of each access and of each transaction asks for `PRAGMA schema_version`. Nothing cheaper reports it:
// `SQLITE_FCNTL_DATA_VERSION` only moves once the connection has begun to read.

extension DatabaseSchemaReader {
  /// Asks for the version of the schema, unless it is known to be the one of the cache.
  @inline(__always) func verifyOnce() throws {
    if !isVerified { try verify() }
  }

  func verify() throws {
    guard !isRefreshing, database.mayReadVersions else { return }
    try refresh()
    isVerified = true
  }

  /// Clears the cache, and the statements, when another connection has changed the schema since the last call. Returns
  /// whether it was cleared.
  ///
  /// See <https://www.sqlite.org/pragma.html#pragma_schema_version>.
  @discardableResult
  func refresh() throws -> Bool {
    // The statements that ask for the version may fail.
    guard isSharedWithOthers, !isRefreshing else { return false }
    isRefreshing = true
    defer { isRefreshing = false }
    let current = try readVersions()
    guard current != versions else { return false }
    database.schemaDidChange()
    versions = current
    return true
  }

  /// Clears the cache, and will do so again at the next occasion: until then it may learn what a transaction sees
  /// that is rolled back in the end.
  func restart() {
    clear()
    versions = [:]
  }

  /// False when only this connection can change what the cache knows.
  private var isSharedWithOthers: Bool {
    database.isSharedWithOthers
      || catalogs?.contains { $0.id != .main && $0.id != .temp } == true
  }

  private func readVersions() throws -> [DatabaseSchemaID: Int32] {
    var versions: [DatabaseSchemaID: Int32] = [:]
    for catalog in try allCatalogs() where catalog.id != .temp {
      versions[catalog.id] = try database.readSchemaVersion(catalog.id)
    }
    return versions
  }
}

extension Database {
  /// False at the beginning of a deferred transaction that may write: were its first statement a read, SQLite would
  /// not wait for other connections before the first write, but fail with `SQLITE_BUSY`.
  ///
  /// See <https://www.sqlite.org/lang_transaction.html>.
  fileprivate var mayReadVersions: Bool { !isInsideTransaction || isReadOnly || holdsLock }
}
