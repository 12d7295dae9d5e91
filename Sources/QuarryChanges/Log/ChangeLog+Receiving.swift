import Quarry

extension ChangeLog {
  /// Writes what another database has sent, in one transaction: all of it, or nothing.
  ///
  /// What was received before is left out. The changes are made where the versions of the rows say
  /// so: triggers and foreign key actions don't run, since the changes have theirs. Observers are
  /// notified.
  ///
  /// - parameter batch: What ``changes(after:for:limit:byteLimit:)`` of the other one has returned.
  /// - throws: ``ChangesetError`` with the code `order` where batches before it are missing, with
  ///   the code `schema` for other tables and columns, with the code `identity` where this database
  ///   was replaced by an older copy, with the code `clock` for a date in the future, and with the
  ///   code `conflict` where a row violates a constraint; the error of the policy; `DatabaseError`.
  public func receive(_ batch: ChangeBatch) throws {
    try writingUnrecorded { db, schema in
      var receiving = try Receiving(self, batch, schema, db)
      for changes in batch.transactions { try receiving.receive(changes) }
      try receiving.finish(batch)
    }
  }
}

/// The reception of a batch.
private struct Receiving {
  private let log: ChangeLog
  private let db: Database
  private let schema: LogSchema
  private let state: LogTables.State
  private let formerlyReceived: [String: Int64]
  private var received: [String: Int64]
  private var versions: [RowKey: [LogVersion]] = [:]
  private var time: Int64 = 0

  init(_ log: ChangeLog, _ batch: ChangeBatch, _ schema: LogSchema, _ db: Database) throws {
    self.log = log
    self.db = db
    self.schema = schema
    state = try log.tables.state(db)
    received = try log.tables.received(db)
    formerlyReceived = received
    guard !batch.sender.hasSameBytes(as: state.identity) else {
      throw ChangesetError(
        .identity,
        "the batch was sent by \(batch.sender), which is this database, or a copy of it: give the copy "
          + "another identity with `renewIdentity`")
    }
    let cursor = try log.tables.cursor(batch.sender, db)
    guard batch.start <= cursor else {
      throw ChangesetError(
        .order,
        "the batch begins after the position \(batch.start) of \(batch.sender), and only those up to "
          + "\(cursor) are received: ask for those after `cursor(of:)`")
    }
  }

  mutating func receive(_ changes: LoggedChanges) throws {
    let last = known(changes.origin)
    if changes.origin.hasSameBytes(as: state.identity) {
      guard changes.sequence <= last else { throw replaced(changes.sequence) }
      return
    }
    if changes.sequence <= last { return }
    try checkOrder(changes, last)
    try log.clock.check(changes)
    for table in changes.changes.readTables() { try check(table, changes) }
    try changes.changes.forEach { change in
      guard let table = schema[change.table] else { return }
      let key = RowKey(table, change.key, isKey: true)
      var others = try versions[key] ?? stored(key, table)
      others.removeAll(where: changes.covers)
      versions[key] = log.policy.relevant(others + [LogVersion(changes, change)])
    }
    try log.tables.append(changes, db)
    received[changes.origin] = changes.sequence
    time = max(time, changes.time)
  }

  func finish(_ batch: ChangeBatch) throws {
    if !versions.isEmpty {
      var rows = VisibleRows(db, log.tables, schema, log.policy)
      try rows.update(versions)
    }
    for (origin, sequence) in received where formerlyReceived[origin] != sequence {
      try log.tables.raise(.received, of: origin, to: sequence, db)
    }
    try log.tables.setClock(time, db)
    try log.tables.raise(.cursor, of: batch.sender, to: batch.position, db)
  }

  private func stored(_ key: RowKey, _ table: LogTable) throws -> [LogVersion] {
    let found = try log.tables.versions(key, db)
    let needsRow = found.contains { $0.isInTable }
    return try log.tables.fullVersions(
      key, needsRow ? db.row(key.values(table), of: table) : nil, db)
  }

  private func known(_ origin: String) -> Int64 {
    origin.hasSameBytes(as: state.identity) ? state.sequence : received[origin] ?? 0
  }

  /// What an origin had seen before is here before, so that versions that it replaces are known.
  private func checkOrder(_ changes: LoggedChanges, _ last: Int64) throws {
    var required = changes.context
    required[changes.origin] = changes.sequence - 1
    for (origin, sequence) in required where known(origin) < sequence {
      if origin.hasSameBytes(as: state.identity) { throw replaced(sequence) }
      throw ChangesetError(
        .order,
        "the transaction \(changes.sequence) of \(changes.origin) comes after \(sequence) of \(origin), of "
          + "which only \(known(origin)) are received: ask for what comes before")
    }
  }

  private func replaced(_ sequence: Int64) -> ChangesetError {
    ChangesetError(
      .identity,
      "another database knows the transaction \(sequence) of this one, \(state.identity), which has only "
        + "\(state.sequence): it was replaced by an older copy. Give it another identity with "
        + "`renewIdentity`, and receive the batch then")
  }

  private func check(_ table: ChangesetTable, _ changes: LoggedChanges) throws {
    guard !table.isPatchset else {
      throw ChangesetError(
        .patchset, "a transaction of \(changes.origin) is a patchset, which has no whole rows",
        table: table.name)
    }
    guard schema[table.name] != nil else {
      throw ChangesetError(
        .schema,
        "a transaction of \(changes.origin) changes \(table.name), which the log \(log.name) does not "
          + "have: list it, in all databases", table: table.name)
    }
    try table.check(db, recorded: changes.columns?[table.name])
  }
}

extension ConflictPolicy {
  /// The versions that the policy needs, the newest one last. Older ones than the last writer's
  /// never win again.
  func relevant(_ versions: [LogVersion]) -> [LogVersion] {
    let sorted = versions.sorted { $1.isNewer(than: $0) }
    return resolve == nil ? Array(sorted.suffix(1)) : sorted
  }
}
