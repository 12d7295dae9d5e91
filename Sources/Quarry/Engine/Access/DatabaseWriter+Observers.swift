extension DatabaseWriter {
  /// Adds an observer of the transactions of the connection that writes, and waits for its turn.
  ///
  /// ```swift
  /// dbQueue.add(transactionObserver: observer)
  /// ```
  ///
  /// See ``Database/add(transactionObserver:extent:)``.
  public func add(
    transactionObserver: some TransactionObserver,
    extent: Database.TransactionObservationExtent = .observerLifetime
  ) {
    writeWithoutTransaction { db in
      db.add(transactionObserver: transactionObserver, extent: extent)
    }
  }

  /// Removes an observer, and waits for the turn of the connection that writes. See
  /// ``Database/remove(transactionObserver:)``.
  public func remove(transactionObserver: some TransactionObserver) {
    writeWithoutTransaction { db in db.remove(transactionObserver: transactionObserver) }
  }
}
