/// An observer that is notified of the end of a transaction.
struct TransactionWitness {
  /// The place among all observers.
  let number: Int
  let notify: (Database) -> Void
}

extension ObserverRegistration {
  /// Nil when the observer is gone. It stays until it is notified.
  fileprivate func witness(of completion: Database.TransactionCompletion) -> TransactionWitness? {
    guard let observer else { return nil }
    let isStopped = isStopped
    return TransactionWitness(number: number) { [self] db in
      func notify() {
        switch completion {
        case .commit: observer.databaseDidCommit(db)
        case .rollback: observer.databaseDidRollback(db)
        }
      }
      if isStopped { callStopped(notify) } else { notify() }
    }
  }
}

extension RegionObserver {
  /// Forgets that the region is touched, but by a change that a rollback does not undo.
  fileprivate func takeWitness(of completion: Database.TransactionCompletion) -> TransactionWitness
  {
    defer { forgetTouch(after: completion) }
    let (hasChangedRows, hasAlteredTables) = (isTouched, isTouchedByDefinition)
    return TransactionWitness(number: number) { [self] db in
      let hasTables = !hasAlteredTables || region.hasAllTables(db)
      if !hasTables, !isCancelled { db.broker.waitingForTables.append(self) }
      if hasChangedRows || hasTables { notify(db) }
    }
  }
}

extension ObservationBroker {
  /// Forgets the transaction, and returns those to notify.
  func endTransaction(_ completion: Database.TransactionCompletion) -> [TransactionWitness] {
    defer { end = TransactionEnd() }
    if end.concernsRegionsOnly { return takeTouchedRegions(after: completion) }
    pending.clear()
    hidingTables = nil
    var witnesses = registrations.compactMap { $0.witness(of: completion) }
    for registration in registrations where !registration.isNotified {
      registration.isStopped = false
    }
    registrations.removeAll { $0.extent == .nextTransaction || $0.observer == nil }
    let regions = takeTouchedRegions(after: completion)
    guard completion == .commit, !regions.isEmpty else { return witnesses }
    witnesses += regions
    witnesses.sort { $0.number < $1.number }
    return witnesses
  }

  /// Forgets which regions are touched, but those whose change a rollback does not undo.
  private func takeTouchedRegions(
    after completion: Database.TransactionCompletion
  ) -> [TransactionWitness] {
    defer { touched.removeAll { !$0.isTouched } }
    return touched.map { $0.takeWitness(of: completion) }
  }
}
