/// An observer that is notified of the end of a transaction.
enum TransactionWitness {
  case observer(any TransactionObserver, ObserverRegistration, isStopped: Bool)
  /// - isDefinite: Whether its rows have changed. Else it is notified if its tables exist.
  /// - isAltered: Whether its tables were altered, dropped, or made again.
  case region(RegionObserver, isDefinite: Bool, isAltered: Bool)

  var number: Int {
    switch self {
    case .observer(_, let registration, _): registration.number
    case .region(let observer, _, _): observer.number
    }
  }

  func notify(_ completion: Database.TransactionCompletion, _ db: Database) {
    switch self {
    case .observer(let observer, let registration, let isStopped):
      if isStopped {
        registration.callStopped { observer.transactionDidEnd(completion, db) }
      } else {
        observer.transactionDidEnd(completion, db)
      }
    case .region(let observer, let isDefinite, let isAltered):
      let hasTables = !isAltered || observer.region.hasAllTables(db)
      if !hasTables, !observer.isCancelled { db.broker.waitingForTables.append(observer) }
      if isDefinite || hasTables { observer.notify(db) }
    }
  }
}

extension TransactionObserver {
  fileprivate func transactionDidEnd(
    _ completion: Database.TransactionCompletion, _ db: Database
  ) {
    switch completion {
    case .commit: databaseDidCommit(db)
    case .rollback: databaseDidRollback(db)
    }
  }
}

extension ObservationBroker {
  /// Forgets the transaction, and returns those to notify.
  func endTransaction(_ completion: Database.TransactionCompletion) -> [TransactionWitness] {
    defer { end = TransactionEnd() }
    if end.concernsRegionsOnly { return takeTouchedRegions(after: completion) }
    log.clear()
    hidingTables = nil
    var witnesses = registrations.compactMap { registration in
      registration.observer.map {
        TransactionWitness.observer($0, registration, isStopped: registration.isStopped)
      }
    }
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
    return touched.map { observer in
      defer { observer.forgetTouch(after: completion) }
      return .region(
        observer, isDefinite: observer.isTouched, isAltered: observer.isTouchedByDefinition)
    }
  }
}
