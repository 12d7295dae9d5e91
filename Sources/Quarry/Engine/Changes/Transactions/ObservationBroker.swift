/// Those who observe a connection, and all that they wait for.
///
/// Three kinds of notifications:
///
/// - changes, to observers of transactions, once they can only be undone with their transaction
///   (`PendingChanges`),
/// - the ends of transactions, to observers of transactions,
/// - commits that touched their region, to observers of regions (`RegionObserver`).
///
/// Observers of transactions are asked before each execution of a statement that writes. Observers
/// of regions are found by their tables (`RegionIndex`): statements that concern other tables cost
/// nothing. SQLite's hooks are installed as long as somebody needs them: those for rows while a
/// statement is stepped that somebody follows.
final class ObservationBroker {
  var registrations: [ObserverRegistration] = []
  var regions = RegionIndex()
  var pending = PendingChanges()
  /// The observers of regions that the transaction has touched.
  var touched: [RegionObserver] = []
  /// The observer of a region whose notification runs: the innermost one.
  var notified: RegionObserver?
  /// The observers of regions whose tables were dropped, or have got other names: they are notified
  /// once the tables exist again.
  var waitingForTables: [RegionObserver] = []
  /// The statements that are stepped and that somebody follows, the outermost one first.
  var followed: [FollowedStatement] = []
  /// The statements that seem to read, and may change tables while they run.
  var listened: [Statement] = []
  /// The number of changes of the connection that none of them has made.
  var listenedChangesCount = 0
  /// Whether a row was reported that one of them may have changed.
  var hasHeardRow = false
  /// What hid tables before the transaction changed the schema: see
  /// ``Database/willChangeSchema()``.
  var hidingTables: HidingTables?
  /// The statement whose failure is being handled.
  var failure: FailedStatement?
  /// True while observers are notified that can't use the connection.
  var isNotifyingChanges = false
  var end = TransactionEnd()
  /// The region of the statements that are executed, where somebody wants to know it.
  var recordedRegion: DatabaseRegion? { didSet { recordsRegion = recordedRegion != nil } }
  /// Whether there is a region that is recorded.
  private(set) var recordsRegion = false
  /// True while requests are prepared whose region is asked for.
  var preparesRegions = false
  /// Raised when a commit has returned: equal counts have nothing committed between them.
  let commitCount = AtomicWord()
  /// The version of the content of the database at the end of the last access.
  var dataVersion: CUnsignedInt = 0
  let preUpdateHook = PreUpdateHook()
  /// Whether SQLite reports rows before they change: not to the library while sessions record.
  var hasPreUpdateHook = PreUpdateHook.isAvailable
  /// See ``Database/following(_:_:)``.
  var rowFollower: (any RowFollower)?
  /// The number of writes to blobs.
  var blobWriteCount = 0
  /// The number of sessions that record.
  var sessionCount = 0
  /// Those who take part in transactions.
  var recorders: [any TransactionRecorder] = []
  /// Is shown which tables change.
  var witness: (any ChangeWitness)?
  /// Whether virtual tables were written to whose modules may write to any table.
  var hasOpaqueTables = false
  /// Whether the transaction has begun with a savepoint, whose release commits.
  var isTransactionSavepoint = false
  /// Whether the schema of a generation resolves a conflict by removing rows.
  var replacement: (generation: Int, isPossible: Bool)?
  private var lastNumber = 0
  private var sweepCount = 64

  func nextNumber() -> Int {
    lastNumber += 1
    return lastNumber
  }

  /// True if there is an observer.
  var isEmpty: Bool { registrations.isEmpty && regions.isEmpty }

  /// True if the ends of transactions are of interest.
  var watchesTransactions: Bool {
    !registrations.isEmpty || !touched.isEmpty || !pending.changes.isEmpty || !followed.isEmpty
      || !listened.isEmpty || hidingTables != nil || witness != nil
  }
  /// True while SQLite reports the ends of transactions.
  var hasTransactionHooks = false
}

/// How a transaction ends, before the statement that ends it has ended as well.
struct TransactionEnd {
  /// The end that is not reported yet.
  var completion: Database.TransactionCompletion?
  /// The statement has no transaction that observers of transactions know of.
  var concernsRegionsOnly = false
  /// The observers know that a commit is on its way.
  var isAnnounced = false
  /// The error of the observer that has refused the commit.
  var veto: (any Error)?
}

extension ObservationBroker {
  func add(_ observer: any TransactionObserver, extent: Database.TransactionObservationExtent) {
    registrations.append(ObserverRegistration(observer, number: nextNumber(), extent: extent))
  }

  /// True if there is an observer of all changes.
  var observesAllChanges: Bool { registrations.contains(where: \.observesAllChanges) }

  /// Removes the first registration of an observer.
  func remove(_ observer: any TransactionObserver) {
    guard let index = registrations.firstIndex(where: { $0.observer === observer }) else { return }
    registrations.remove(at: index)
  }

  /// Forgets the observers of regions that were canceled, now and then: those of tables that nobody
  /// writes to.
  func sweepRegions() {
    guard regions.count > sweepCount else { return }
    for observer in regions.all where observer.isCancelled { regions.remove(observer) }
    sweepCount = max(64, regions.count * 2)
  }

  /// Returns whether an observer wants to know which rows of a table are deleted.
  func wantsDeletions(ofTable table: String) -> Bool {
    if isEmpty { return false }
    if !regions.observers(ofTables: [table.identifierKey]).isEmpty { return true }
    return registrations.contains {
      $0.observesAllChanges
        || $0.observer?.observes(eventsOfKind: .delete(tableName: table)) == true
    }
  }
}

extension ObservationBroker {
  /// Asks the observers about a statement that is about to be executed. Returns nil if nobody
  /// follows it.
  ///
  /// - parameter kinds: those of the statement, only evaluated if somebody may follow it.
  func follow(
    _ statement: Statement, _ kinds: @autoclosure () -> [DatabaseEventKind]
  ) -> FollowedStatement? {
    if registrations.isEmpty, statement.unfollowedVersion == regions.version { return nil }
    let effects = statement.effects
    let observers = observers(ofTables: effects.changedTables)
    let mayHide = effects.changesSchema && !regions.isEmpty
    let isUnobserved = registrations.isEmpty && observers.isEmpty && !mayHide
    let kinds = isUnobserved ? [] : kinds()
    let followers = registrations.compactMap { FollowedStatement.Follower($0, kinds) }
    guard !followers.isEmpty || !observers.isEmpty || mayHide else {
      statement.unfollowedVersion = regions.version
      return nil
    }
    return FollowedStatement(
      kinds: kinds, changedTables: effects.changedTables, alteredTables: effects.alteredTables,
      followers: followers, regions: observers)
  }

  /// Those among some observers who follow changes that no statement makes, and the observers of
  /// regions of the tables.
  func follow(
    _ kinds: [DatabaseEventKind], ofTables tables: Set<BinaryText>,
    by registrations: [ObserverRegistration]
  ) -> FollowedStatement {
    FollowedStatement(
      kinds: kinds, changedTables: tables,
      followers: registrations.compactMap { FollowedStatement.Follower($0, kinds) },
      regions: regions.observers(ofTables: tables))
  }

  /// Forgets the observers of some tables that were canceled, and returns the others.
  private func observers(ofTables keys: Set<BinaryText>) -> [RegionObserver] {
    let observers = regions.observers(ofTables: keys)
    let cancelled = observers.filter(\.isCancelled)
    if cancelled.isEmpty { return observers }
    for observer in cancelled { regions.remove(observer) }
    return regions.observers(ofTables: keys)
  }

  /// Called before a statement is stepped that is followed. A function of another one may execute
  /// it.
  func begin(_ statement: FollowedStatement) {
    for outer in followed { outer.hasInnerStatements = true }
    followed.append(statement)
  }

  /// Records a change of a row, which the update hook has reported, or the preupdate hook: with its
  /// values.
  func record(
    _ event: DatabaseEvent, _ values: (() -> DatabasePreUpdateEvent)?,
    of statement: FollowedStatement
  ) {
    if let values {
      if statement.wantsPreUpdates { pending.append(.willChange(values(), statement)) }
    } else if !statement.followers.isEmpty {
      pending.append(.row(event, statement))
    }
    guard values != nil || !hasPreUpdateHook, statement.hasRegions else { return }
    // For the update hook, any column may be a name of the rowid, and nothing says which rowid the
    // row had.
    let mayTouchOtherRows = values == nil && event.kind == .update
    statement.touchRegions(event, &pending, mayTouchOtherRows: mayTouchOtherRows)
  }

  /// Whether a statement commits a transaction that is open: a savepoint may have begun it.
  func commits(_ effects: StatementEffects) -> Bool {
    guard effects.transaction == .releaseSavepoint else { return effects.transaction == .commit }
    return isTransactionSavepoint && effects.savepointName.map(pending.isFirstSavepoint) == true
  }

  /// Notifies all pending changes.
  func notifyChanges() {
    guard !pending.changes.isEmpty else { return }
    let wasNotifying = isNotifyingChanges
    isNotifyingChanges = true
    defer { isNotifyingChanges = wasNotifying }
    for change in pending.changes { notify(change) }
    pending.removeChanges()
  }

  private func notify(_ change: PendingChanges.Change) {
    switch change {
    case .row(let event, let statement):
      for follower in statement.followers
      where statement.wants(event.kind, event.tableName, follower) {
        follower.registration.call { $0.databaseDidChange(with: event) }
      }
    case .willChange(let event, let statement):
      for follower in statement.followers { notify(event, statement, follower) }
    case .unspecified(let statement):
      for follower in statement.followers { follower.registration.call { $0.databaseDidChange() } }
    case .region(let observer): observer.touch(&touched)
    case .definition(let observer): observer.touchDefinition(&touched)
    }
  }

  private func notify(
    _ event: DatabasePreUpdateEvent, _ statement: FollowedStatement,
    _ follower: FollowedStatement.Follower
  ) {
    guard !follower.registration.ignoresPreUpdates,
      statement.wants(event.kind, event.tableName, follower)
    else { return }
    let interest = PreUpdateInterest()
    var event = event
    event.interest = interest
    follower.registration.call { $0.databaseWillChange(with: event) }
    if interest.isMissing { follower.registration.ignoresPreUpdates = true }
  }

  /// Notes that the transaction touches a region, in rows that are not known.
  func touch(_ observer: RegionObserver) {
    observer.rows?.forget()
    observer.touch(&touched)
  }

  /// Called when a transaction has changed the schema: tables that were missing may exist again.
  /// An observer that does not hear of it, since its own notification runs, goes on waiting.
  func touchRegionsOfMissingTables() {
    for observer in waitingForTables where !observer.isNotified {
      observer.touchDefinition(&touched)
    }
    waitingForTables.removeAll { !$0.isNotified }
  }

  /// Called when the rows of a request may be others without a change of them.
  func forgetFollowedRows() { for observer in regions.all { observer.rows?.forget() } }

  /// Notifies unspecified changes.
  ///
  /// - parameter areLasting: Whether the rollback of a transaction does not undo them.
  func notifyChanges(ofKinds kinds: [[DatabaseEventKind]], areLasting: Bool) {
    let wasNotifying = isNotifyingChanges
    isNotifyingChanges = true
    defer { isNotifyingChanges = wasNotifying }
    for registration in registrations where !registration.isStopped {
      guard let observer = registration.observer,
        kinds.joined().contains(where: { observer.observes(eventsOfKind: $0) })
      else { continue }
      registration.call { $0.databaseDidChange() }
    }
    for observer in regions.observers(ofTables: Set(kinds.map { $0[0].tableName.identifierKey }))
    where kinds.joined().contains(where: observer.region.isModified(byEventsOfKind:)) {
      touch(observer)
      if areLasting { observer.keepTouch() }
    }
  }

  /// Announces a commit. Throws the error of the first observer that refuses.
  func notifyWillCommit() throws {
    let wasNotifying = isNotifyingChanges
    isNotifyingChanges = true
    defer { isNotifyingChanges = wasNotifying }
    end.isAnnounced = true
    for registration in registrations { try registration.observer?.databaseWillCommit() }
  }
}
