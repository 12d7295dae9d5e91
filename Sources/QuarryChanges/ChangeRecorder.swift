public import Quarry

/// Records what each transaction of a database changes.
///
/// ```swift
/// let recorder = try ChangeRecorder(dbQueue, tables: ["book"]) { changeset, _ in
///   for change in changeset.changes { print(change) }
/// }
/// try dbQueue.write { db in
///   try db.execute(sql: "UPDATE book SET price = 12 WHERE id = 1")
/// }
/// // update book [1]
/// recorder.stop()
/// ```
///
/// The changeset is that of ``Quarry/Database/recordChanges(in:schema:_:)``: the difference between
/// the rows at the beginning and at the end of the transaction. A transaction that is rolled back,
/// or changes nothing, has none, nor has what a savepoint undoes.
///
/// Changes are recorded before the commit. So tables that are recorded can't be changed without a
/// transaction: such statements throw a ``ChangesetError``, and so do streams of blobs. A commit by
/// the C API is refused. Other connections, and other processes, are not recorded.
///
/// While it exists, the session of the recorder has the preupdate hook of the connection in
/// transactions, as during a recording.
public final class ChangeRecorder: Sendable {
  private let writer: any DatabaseWriter
  private let recording: TransactionRecording

  /// Begins to record.
  ///
  /// - parameter writer: The database, whose connection that writes is recorded.
  /// - parameter tables: The tables, nil for all, also those of a ``ChangeLog``, or of an
  ///   ``UndoStack`` that is stored. See ``Quarry/Database/recordChanges(in:schema:_:)`` for those
  ///   that can't be recorded: one that is not listed throws when the transaction that changes it
  ///   is committed.
  /// - parameter onCommit: Called after each commit that changes rows, in the order of the commits,
  ///   on the thread of the connection, which it may use.
  /// - throws: ``ChangesetError`` for a listed table that can't be recorded, for a connection that
  ///   only reads, inside of a transaction, and where SQLite has no sessions.
  public init(
    _ writer: some DatabaseWriter, tables: [String]? = nil,
    onCommit: @escaping @Sendable (Changeset, Database) -> Void
  ) throws {
    self.writer = writer
    recording = TransactionRecording(
      tables: tables, .init(didCommit: { onCommit($0, $1) }))
    try writer.unsafeReentrantWrite { [recording] db throws -> Void in try recording.start(db) }
  }

  deinit { recording.deactivate() }

  /// Stops. The transaction that is open, if any, is not recorded.
  ///
  /// A recorder that is released stops, too.
  public func stop() {
    recording.deactivate()
    writer.unsafeReentrantWrite { [recording] db -> Void in recording.stop(db) }
  }
}
