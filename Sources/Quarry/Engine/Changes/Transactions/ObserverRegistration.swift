/// An observer that is registered on a connection.
final class ObserverRegistration {
  /// The place among all that are registered.
  let number: Int
  let extent: Database.TransactionObservationExtent
  private let retained: (any TransactionObserver)?
  private weak var released: (any TransactionObserver)?

  /// See ``TransactionObserver/observesAllDatabaseChanges``.
  let observesAllChanges: Bool

  /// No changes are notified until the end of the transaction.
  var isStopped = false
  /// The observer is notified of the end of a transaction in which it has stopped: it does not hear
  /// of what it writes meanwhile.
  private(set) var isNotified = false
  /// The observer does not implement `databaseWillChange(with:)`.
  var ignoresPreUpdates = false

  init(
    _ observer: any TransactionObserver, number: Int,
    extent: Database.TransactionObservationExtent
  ) {
    self.number = number
    self.extent = extent
    observesAllChanges = observer.observesAllDatabaseChanges
    retained = extent == .observerLifetime ? nil : observer
    released = extent == .observerLifetime ? observer : nil
  }

  /// The observer, unless it is gone.
  var observer: (any TransactionObserver)? { retained ?? released }
}

extension ObserverRegistration {
  private static let current = ThreadValue<Unretained<ObserverRegistration>?>(nil)

  /// The registration whose observer is notified of a change on the current thread.
  static var called: ObserverRegistration? { current.value?.object }

  /// Notifies the observer of a change.
  func call(_ notify: (any TransactionObserver) -> Void) {
    guard !isStopped, let observer else { return }
    withExtendedLifetime(self) { Self.current.with(Unretained(self)) { notify(observer) } }
  }

  /// Notifies the observer of the end of a transaction in which it has stopped. It may write
  /// meanwhile, and is notified of the ends of these transactions, too.
  func callStopped(_ notify: () -> Void) {
    if isNotified { return notify() }
    (isStopped, isNotified) = (true, true)
    defer { (isStopped, isNotified) = (false, false) }
    notify()
  }
}
