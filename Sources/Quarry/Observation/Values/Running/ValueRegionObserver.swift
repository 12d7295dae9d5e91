/// The transaction observer of an observation that runs: reports the transactions that touch a region.
///
/// It is used where the database is written. After its first hit it hears no more of the transaction.
final class ValueRegionObserver: TransactionObserver, @unchecked Sendable {
  typealias Action = @Sendable (ValueRegionObserver, Database) -> Void

  let initialRegion: DatabaseRegion
  var region: DatabaseRegion
  /// Whether a rollback undoes what has been fetched.
  var isInDoubt = false
  private var isTouched = false
  private let databaseDidChange: Action

  init(region: DatabaseRegion, databaseDidChange: @escaping Action) {
    initialRegion = region
    self.region = region
    self.databaseDidChange = databaseDidChange
  }

  func observes(eventsOfKind kind: DatabaseEventKind) -> Bool {
    region.isModified(byEventsOfKind: kind)
  }

  func databaseDidChange(with event: DatabaseEvent) {
    if region.isModified(by: event) { touch() }
  }

  func databaseDidChange() {
    touch()
  }

  private func touch() {
    isTouched = true
    stopObservingDatabaseChangesUntilNextTransaction()
  }

  func databaseDidCommit(_ db: Database) {
    let isTouched = isTouched
    reset()
    if isTouched { databaseDidChange(self, db) }
  }

  func databaseDidRollback(_ db: Database) {
    let isInDoubt = isInDoubt
    reset()
    if isInDoubt { databaseDidChange(self, db) }
  }

  private func reset() {
    isTouched = false
    isInDoubt = false
  }
}
