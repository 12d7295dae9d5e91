import Quarry

extension ChangeLog {
  /// Notes that another database has received the log up to a position, or, with 0, that there is
  /// one: the log is not compacted further than all have acknowledged.
  ///
  /// An earlier position than before changes nothing.
  ///
  /// - throws: ``ChangesetError`` for a position that the log does not have; `DatabaseError`.
  public func acknowledge(_ position: Int64, by peer: String) throws {
    try writingUnrecorded { db, _ in
      try self.check(position, self.tables.lastPosition(db), dropped: 0)
      try self.tables.raise(.acknowledged, of: peer, to: position, db)
    }
  }

  /// Waits for another database no longer.
  ///
  /// - throws: A `DatabaseError`.
  public func forget(_ peer: String) throws {
    try writingUnrecorded { db, _ in try self.tables.forgetAcknowledgment(of: peer, db) }
  }

  /// Removes the transactions that all databases have acknowledged from the log.
  ///
  /// - parameter byteLimit: How many bytes of changes the log may have afterwards. Older ones are
  ///   removed even where a database lacks them, which gets an error with the code `compacted`
  ///   then. Nil for any number.
  /// - throws: A `DatabaseError`.
  public func compact(byteLimit: Int? = nil) throws {
    try writingUnrecorded { db, _ in
      let acknowledged = try self.tables.acknowledged(db).values.min() ?? 0
      let excess = try byteLimit.flatMap { try self.tables.position(leaving: $0, db) } ?? 0
      let position = max(acknowledged, excess)
      if position > 0 { try self.tables.drop(through: position, db) }
    }
  }

  /// Makes the database another one among the others: a copy of a file has the identity of the
  /// original, and an older copy that replaces a file has one that others know from later.
  ///
  /// What it has received, and its position in the logs of others, stay. In that of the original, a
  /// copy is after the last transaction of the original that it has. Others have acknowledged
  /// nothing yet. Renew a copy before it receives or compacts: positions that it has removed count
  /// as those of the original.
  ///
  /// After ``compact(byteLimit:)``, the log begins with a transaction without changes: a database
  /// that lacks one of those that are gone gets an error with the code `order`, and begins with a
  /// copy.
  ///
  /// - parameter identity: The new one, by default a random one.
  /// - throws: ``ChangesetError`` for one that is known already; `DatabaseError`.
  public func renewIdentity(_ identity: String? = nil) throws {
    let identity = identity ?? Self.randomIdentity
    try writingUnrecorded { db, _ in
      let state = try self.tables.state(db)
      let known = try self.tables.received(db)
      guard !identity.hasSameBytes(as: state.identity), known[identity] == nil else {
        throw ChangesetError(
          .identity, "the identity \(identity) is known already: choose another one")
      }
      if state.sequence > 0 {
        try self.tables.raise(.received, of: state.identity, to: state.sequence, db)
      }
      // What came later from others has other positions in the log of the original.
      let shared = try max(self.tables.lastPosition(of: state.identity, db), state.dropped)
      try self.tables.raise(.cursor, of: state.identity, to: shared, db)
      try self.tables.setIdentity(identity, db)
      if state.dropped > 0 { try self.appendBeginning(of: identity, after: state.time, db) }
    }
  }

  /// Adds a transaction in place of those that are dropped: it names all of them in its context, so
  /// that a database that lacks one of them can't receive it.
  private func appendBeginning(of identity: String, after time: Int64, _ db: Database) throws {
    let beginning = LoggedChanges(
      origin: identity, sequence: 1, time: clock.time(after: time),
      context: try tables.received(db), changes: Changeset(), columns: nil)
    try tables.append(beginning, db)
    try tables.setSequence(beginning.sequence, db)
    try tables.setClock(beginning.time, db)
  }
}
