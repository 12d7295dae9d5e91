import Dispatch

/// The writer of a pool, once no reader is left, and as long as no reader is lent.
///
/// Reads wait from the moment when the barrier is asked for. While it waits for the readers that
/// are lent, other accesses to the writer still run: a read may be waiting for one of them. These
/// may take readers: so the barrier looks again when it has got the writer.
struct PoolBarrier: AccessSource {
  let writer: SerialConnection
  let readers: ReaderPool

  /// Runs an access, and waits for its end.
  func sync<T>(_ body: (Database) throws -> T) throws -> T {
    guard isOutside else { throw DatabaseError.reentrancy }
    while true {
      try readers.beginBarrier()
      defer { readers.endBarrier() }
      let result = try writer.sync { db in readers.isUnused ? try body(db) : nil }
      if let result { return result }
    }
  }

  /// Closes the readers, then the writer. Does nothing when they are closed.
  ///
  /// - Throws: ``DatabaseError`` with code `SQLITE_BUSY` while a statement is alive: the pool stays
  ///   open.
  func close() throws {
    guard isOutside else { throw DatabaseError.closeInsideAccess }
    while !readers.isClosed {
      // Another thread may have closed the pool meanwhile.
      guard (try? readers.beginBarrier()) != nil else { return }
      defer { readers.endBarrier() }
      try readers.closeConnections()
      try writer.close { readers.connections.isEmpty && readers.isUnused }
      if writer.db.isClosed { readers.becomeClosed() }
    }
  }

  /// Whether the thread is in no access to the same pool, which the barrier would have to wait for.
  private var isOutside: Bool { !writer.isInsideAccess && readers.currentReader == nil }

  func schedule(_ turn: AccessTurn) { schedule(turn, since: writer.observedTime) }

  private func schedule(_ turn: AccessTurn, since time: ContinuousClock.Instant?) {
    readers.beginBarrierLater(for: turn) {
      writer.queue.async {
        let isAlone = readers.isUnused
        if isAlone { turn.begin(with: writer, since: time) }
        readers.endBarrier()
        if !isAlone { schedule(turn, since: time) }
      }
    }
  }

  func turnWasCancelled() { readers.turnWasCancelled() }
}
