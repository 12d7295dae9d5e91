/// Is notified of the commits that may have modified a region: an observation inside of the
/// library.
///
/// It costs nothing as long as statements concern other tables: see ``RegionIndex``.
final class RegionObserver: @unchecked Sendable {
  typealias Notification = (Database) -> Void

  private struct Handler {
    let notify: Notification
  }

  /// Released when the observer is canceled. Any thread may do that.
  private let handler: Locked<Handler?>
  /// Not zero once the observer is canceled: each statement that concerns its tables looks at it.
  private let cancellation = AtomicWord()

  // The properties below are used in accesses to the connection only.

  /// The region, with tables that exist: see ``DatabaseRegion/observed(in:)``.
  fileprivate(set) var region: DatabaseRegion
  /// The place among all that are registered.
  fileprivate(set) var number = 0
  /// A change that will be committed with the transaction has touched the region.
  private(set) var isTouched = false
  /// The change was reported outside of transactions: no rollback undoes it.
  private var isTouchedForGood = false
  /// A statement has touched what the schema says of a table of the region.
  private(set) var isTouchedByDefinition = false
  /// The position of a change that touches the region, among those that may still be undone.
  var pendingChange: Int?
  /// The observer does not hear of the changes that its own notification makes. False while others
  /// are notified of these.
  fileprivate(set) var isNotified = false
  /// The notification runs.
  private var isRunning = false
  /// While the notification runs, others have committed changes that touch the region.
  private var isMissed = false
  /// Is notified of the rows that change, where they are of interest.
  let rows: (any RowFollower)?

  /// - parameter onCommit: called after each commit that may have modified the region, outside of
  ///   the transaction, before any other access can write.
  init(
    _ region: DatabaseRegion, following rows: (any RowFollower)? = nil,
    onCommit: @escaping Notification
  ) {
    self.region = region
    self.rows = rows
    handler = Locked(Handler(notify: onCommit))
  }

  /// No call starts after this. The connection forgets the observer, and the rows that were noted
  /// for it, before the next statement that concerns its tables.
  func cancel() {
    cancellation.value = 1
    // Released after the lock: it may be the last reference to anything.
    _ = handler.withLock { $0.take() }
  }

  var isCancelled: Bool { cancellation.value != 0 }

  /// Whether a change has been noted that touches the region, or none is to be noted.
  var isNoted: Bool { isTouched || pendingChange != nil || isNotified }

  /// Notes that the transaction touches the region.
  func touch(_ touched: inout [RegionObserver]) {
    if isTouched || isNotified { return }
    if !isTouchedByDefinition { touched.append(self) }
    isTouched = true
  }

  /// Notes that the transaction has altered or dropped tables of the region, or made them again.
  func touchDefinition(_ touched: inout [RegionObserver]) {
    if !isTouched, !isTouchedByDefinition { touched.append(self) }
    isTouchedByDefinition = true
  }

  /// Notes that no rollback undoes the change that has touched the region, if there is one.
  func keepTouch() { isTouchedForGood = isTouched }

  /// Forgets at the end of a transaction that the region is touched.
  func forgetTouch(after completion: Database.TransactionCompletion) {
    isTouchedByDefinition = false
    if completion == .rollback, isTouchedForGood { return }
    isTouched = false
    isTouchedForGood = false
  }

  /// Notifies the observer: once more if others have touched the region meanwhile. Not each time,
  /// since two observers that write for each other would never end: what they touch then is
  /// notified after the next commit.
  func notify(_ db: Database) {
    guard !isRunning else {
      isMissed = true
      return
    }
    isRunning = true
    defer { isRunning = false }
    for _ in 1...2 {
      isMissed = false
      guard let handler = handler.withLock({ $0 }) else { return }
      db.broker.notifying(self) { handler.notify(db) }
      if !isMissed { return }
    }
    db.broker.touch(self)
    keepTouch()
    db.updateTransactionHooks()
  }
}

extension ObservationBroker {
  /// Calls the notification of an observer, which does not hear of its own changes. The observer in
  /// whose notification that happens does.
  ///
  /// - parameter observer: Nil where several observers are notified, each in its turn.
  func notifying(_ observer: RegionObserver?, _ body: () -> Void) {
    let outer = notified
    outer?.isNotified = false
    observer?.isNotified = true
    notified = observer
    defer {
      observer?.isNotified = false
      outer?.isNotified = true
      notified = outer
    }
    body()
  }
}

extension Database {
  /// Adds an observer, until it is canceled. Read-only connections have no commits to notify.
  func add(_ observer: RegionObserver) {
    if configuration.readonly { return }
    observer.number = broker.nextNumber()
    broker.regions.add(observer)
    observersDidChange()
  }

  /// Replaces the region of an observer that was added.
  func setRegion(_ region: DatabaseRegion, of observer: RegionObserver) {
    if observer.region == region { return }
    broker.regions.remove(observer)
    observer.region = region
    broker.regions.add(observer)
  }
}
