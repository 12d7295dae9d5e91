// How the cache learns that another connection, maybe of another process, changed the schema.
//
// SQLite compiles statements again after such a change, or they fail. Both comes too late: the
// request was planned with the old primary keys, and a table whose key is another column now would
// be asked for the wrong rows. (Besides, SQLite also compiles statements again after pragmas that
// change nothing of the schema, such as `foreign_keys`.) So the first look-up of each access and of
// each transaction asks for `PRAGMA schema_version`. Nothing cheaper reports it:
// `SQLITE_FCNTL_DATA_VERSION` only moves once the connection has begun to read, which takes a
// statement; and a read of a pool executes this one anyway, as the one that opens its snapshot.
//
// A transaction that may write can't ask for the version of a schema that it has no lock of: that
// would be a read before the first write (`mayReadVersions`). So a deferred transaction asks before
// it begins, where it can, and again once it has locked a schema: by the next look-up, or before
// the next statement, which may be the commit. If the version is another one then, the first
// statement may have been planned with an old key, and the transaction must not be committed.
// Schemas that it never locks stay doubtful: nothing that was planned for them has run.
// Definitions are the exception: those that depend on keys ask before, and others are counted.
//
// An attached database may be locked or damaged, which is no reason for requests that don't need it
// to fail. A look-up that comes to it throws its error: of a table there, or of a name that no
// schema before has. Only look-ups wait for its lock: a transaction may never come to it.

/// The versions of the schemas of a connection. The temporary one has none: nobody else can change
/// it.
struct SchemaVersions: Equatable {
  private var main: Int32?
  private var attached: [DatabaseSchemaID: Int32] = [:]

  /// Nil until it has been asked for.
  subscript(id: DatabaseSchemaID) -> Int32? {
    get { id == .main ? main : attached[id] }
    set { if id == .main { main = newValue } else { attached[id] = newValue } }
  }

  /// The versions of some schemas.
  fileprivate func only(_ ids: [DatabaseSchemaID]) -> SchemaVersions {
    ids.reduce(into: SchemaVersions()) { $0[$1] = self[$1] }
  }

  /// The schemas that have got another version.
  fileprivate func changed(since former: SchemaVersions) -> [DatabaseSchemaID] {
    if former == SchemaVersions() { return [] }
    let attached = attached.filter { id, version in former.attached[id] != version }.map(\.key)
    return main == former.main || former.main == nil ? attached : [.main] + attached
  }

  /// Throws when another connection has changed a schema that a deferred transaction was planned
  /// with. One that could not be read has not served for that.
  fileprivate func check(_ ids: [DatabaseSchemaID], planned former: SchemaVersions) throws {
    guard ids.allSatisfy({ former[$0] == nil || self[$0] == former[$0] }) else {
      throw DatabaseError.schemaOfDeferredTransaction
    }
  }
}

extension DatabaseSchemaReader {
  /// Asks for the version of the schema, unless it is known to be the one of the cache.
  @inline(__always) func verifyOnce() throws { if !isVerified { try verify() } }

  func verify() throws {
    guard !isRefreshing else { return }
    guard isSharedWithOthers, database.isInsideTransaction, !database.isReadOnly else {
      try refresh()
      // An attached database that could not be read has not been asked.
      if isDoubtful {
        doubts.removeAll { !database.isInsideTransaction || database.holdsLock(of: $0) }
      }
      isVerified = true
      return
    }
    _ = try allCatalogs()
    let ids = [.main] + attachedIDs
    let locked = ids.filter(database.holdsLock)
    if !locked.isEmpty { _ = try refresh(locked) }
    doubts = ids.filter { !locked.contains($0) }
    // Where nothing is known of the main schema, the look-up itself is a read.
    isVerified = versions[.main] != nil
  }

  /// Clears the cache, and the statements, when another connection has changed the schema since the
  /// last call. Returns whether it was cleared.
  ///
  /// See <https://www.sqlite.org/pragma.html#pragma_schema_version>.
  ///
  /// - Throws: ``DatabaseError`` with code `SQLITE_SCHEMA` in a deferred transaction that may have
  ///   been planned with the former schema, until its end.
  @discardableResult
  package func refresh() throws -> Bool { try refresh(nil) }

  private func refresh(_ ids: [DatabaseSchemaID]?, waits: Bool = true) throws -> Bool {
    guard isSharedWithOthers, !isRefreshing else { return false }
    let current = try readVersions(of: ids, waits: waits)
    guard current != versions else { return false }
    try current.check(doubts, planned: versions)
    // The statements that load the schemas may fail.
    isRefreshing = true
    defer { isRefreshing = false }
    let changed = current.changed(since: versions)
    database.schemaMayHaveChanged()
    versions = current
    try database.unrecorded { try database.loadSchemas(changed) }
    return true
  }

  /// Called before a statement changes tables that may be observed: triggers and foreign key
  /// actions that others have made change other tables. Outside of transactions, the statement is
  /// one of its own.
  ///
  /// - Throws: the interruption of a query. Other errors are those of the statement.
  func verifyBeforeChange() throws {
    let isInsideTransaction = database.isInsideTransaction
    if isInsideTransaction, isVerified || !database.mayReadVersions { return }
    let isUnknown = hasUnknownVersion
    do {
      if isInsideTransaction { try verify() } else { _ = try refresh(nil, waits: false) }
      if isUnknown { try database.unrecorded(loadUnknownSchemas) }
    } catch let error as DatabaseError where error.resultCode != .SQLITE_INTERRUPT {
    }
  }

  /// Has SQLite read the schemas whose changes no version shows. A transaction that has no lock of
  /// an attached database may still have to wait for it.
  private func loadUnknownSchemas() throws {
    try database.loadSchemas([.main])
    let ids = attachedIDs.filter { !database.isInsideTransaction || database.holdsLock(of: $0) }
    if ids.isEmpty { return }
    try database.withoutWaitingForLocks { try database.loadSchemas(ids) }
  }

  /// Called before a deferred transaction that may write: see ``refresh()``. What is known of a
  /// schema without its version could become outdated without notice.
  func deferredTransactionWillBegin() throws {
    guard isSharedWithOthers, catalogs != nil || versions != SchemaVersions() else { return }
    _ = try refresh(nil, waits: false)
    if hasUnknownVersion { database.schemaMayHaveChanged() }
  }

  /// Called before a statement of a transaction that has planned without asking for the versions:
  /// once it has locked a schema, it has the version that its first statement has met.
  ///
  /// - Throws: See ``refresh()``.
  func resolveDoubt() throws {
    let locked = doubts.filter(database.holdsLock)
    guard !isRefreshing, !locked.isEmpty else { return }
    let current = try readVersions(of: locked, waits: false)
    try current.check(doubts, planned: versions)
    versions = current
    doubts.removeAll(where: database.holdsLock)
  }

  /// Called before a definition, whose own change of the schema would hide another one. One with a
  /// query, statements or a foreign key depends on keys. A temporary one outlives the transaction,
  /// and may be of tables of all schemas: it asks those whose tables it names. A virtual table may
  /// create others, and changes the version more than once.
  func resolveDoubt(beforeDefinition sql: String, in schemas: Set<BinaryText>) throws {
    let items = SQLTokens.items(sql)
    let dependsOnKeys = items.contains { item in
      ["SELECT", "TRIGGER", "REFERENCES"].contains(where: item.isKeyword)
    }
    let isVirtual = items.dropFirst().first?.isKeyword("VIRTUAL") == true
    if dependsOnKeys || isVirtual, !isRefreshing {
      let isTemporary = schemas.contains(BinaryText(DatabaseSchemaID.temp.name))
      let names =
        isTemporary && dependsOnKeys ? Set(items.compactMap { $0.name?.identifierKey }) : []
      for id in doubts where schemas.contains(BinaryText(id.name)) || isNamed(id, by: names) {
        _ = try id == .main ? database.readMainSchemaVersion() : database.readSchemaVersion(id)
      }
    }
    try resolveDoubt()
  }

  /// Called after a definition that did not ask before, as it waits for the lock: SQLite counts one
  /// change. Where the version says that another connection has changed the schema, too, it is
  /// still in doubt, and the next statement throws: what was planned may not have run yet.
  func resolveDoubt(afterDefinitionIn schemas: Set<BinaryText>) {
    let written = doubts.filter(database.writes)
    guard !written.isEmpty else { return }
    let current = try? readVersions(of: written, waits: false)
    doubts.removeAll { id in
      // `PRAGMA schema_version` is of no schema. A function may have written to others.
      guard written.contains(id), !schemas.isEmpty else { return written.contains(id) }
      return schemas.contains(BinaryText(id.name)) && current?[id] == versions[id].map { $0 &+ 1 }
    }
  }

  /// Clears the cache, and will do so again at the next occasion: until then it may learn what a
  /// transaction sees that is rolled back in the end.
  ///
  /// What was planned is still in doubt, but for schemas that are detached.
  func restart() {
    clear()
    doubts.removeAll { !database.isInsideTransaction || !database.isAttached($0) }
    versions = versions.only(doubts)
  }

  /// True when a schema may change, and nothing would show it.
  var hasUnknownVersion: Bool {
    isSharedWithOthers && ([.main] + attachedIDs).contains { versions[$0] == nil }
  }

  /// False when only this connection can change what the cache knows.
  private var isSharedWithOthers: Bool { database.isSharedWithOthers || !attachedIDs.isEmpty }

  /// - parameter ids: The schemas to ask. The others keep the version that is known. Nil for all.
  /// - parameter waits: Whether to wait for locks of attached databases, to note which can't be
  ///   read, and to throw for the main one. Else those that can't be read keep their versions.
  private func readVersions(of ids: [DatabaseSchemaID]?, waits: Bool) throws -> SchemaVersions {
    // The statements that ask for the versions may fail.
    isRefreshing = true
    defer { isRefreshing = false }
    _ = try allCatalogs()
    var current = versions
    if ids?.contains(.main) != false { current[.main] = try readVersion(of: .main, waits) }
    guard !attachedIDs.isEmpty else { return current }
    let readAttached = {
      for id in self.attachedIDs where ids?.contains(id) != false {
        current[id] = try self.readVersion(of: id, waits)
      }
    }
    try waits ? readAttached() : database.withoutWaitingForLocks(readAttached)
    return current
  }

  /// The former version, if the database can't be read.
  private func readVersion(of id: DatabaseSchemaID, _ waits: Bool) throws -> Int32? {
    do {
      if id == .main { return try database.readMainSchemaVersion() }
      let version = try database.readSchemaVersion(id)
      note(nil, of: id)
      return version
    } catch let error as DatabaseError where error.isLockOrDamage && !(waits && id == .main) {
      if waits { note(error, of: id) }
      return versions[id]
    }
  }
}

extension Database {
  /// False in a transaction that may write, and has no lock of the main schema yet: were its first
  /// statement there a read, SQLite would not wait for other connections before the first write,
  /// but fail with `SQLITE_BUSY`.
  ///
  /// See <https://www.sqlite.org/lang_transaction.html>.
  var mayReadVersions: Bool { !isInsideTransaction || isReadOnly || holdsLock(of: .main) }
}

extension DatabaseError {
  fileprivate static var schemaOfDeferredTransaction: DatabaseError {
    DatabaseError(
      resultCode: .SQLITE_SCHEMA,
      message: "another connection has changed the schema since the deferred transaction has begun"
    ).detailed("run the transaction again, or begin it as `.immediate`")
  }

  /// False for a lock whose wait the deadline has ended, and for errors of input and output, after
  /// which SQLite ends the transaction.
  fileprivate var isLockOrDamage: Bool {
    let codes: [ResultCode] = [
      .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_PROTOCOL, .SQLITE_CANTOPEN, .SQLITE_NOTADB,
      .SQLITE_CORRUPT,
    ]
    return accessLimit == nil && codes.contains(resultCode)
  }
}
