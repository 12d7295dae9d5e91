/// A type that is notified of the changes of a connection, and of the ends of its transactions.
///
/// ```swift
/// final class BookObserver: TransactionObserver {
///   func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool {
///     eventKind.tableName == "book"
///   }
///   func databaseDidChange(with event: DatabaseEvent) {
///     print("\(event.kind) \(event.rowID)")
///   }
///   func databaseDidCommit(_ db: Database) { print("commit") }
///   func databaseDidRollback(_ db: Database) { print("rollback") }
/// }
/// dbQueue.add(transactionObserver: observer)
/// ```
///
/// All methods are called where the database is written, in the order of the registrations. Changes
/// are reported once they can only be undone with the transaction: after their statement, and after
/// the outermost savepoint. Those of statements that fail, and of savepoints that are rolled back,
/// are not reported. Nor are changes by other connections, of the schema, of internal tables, of
/// tables `WITHOUT ROWID`, and of rows that `REPLACE` removes: ``Database/notifyChanges(in:)`` can
/// report those.
///
/// When a statement fails in a transaction, the changes of statements that its functions have
/// executed are reported: SQLite keeps them, unless it has a journal for the statement that has
/// failed, such as an insertion of several rows.
///
/// The connection can't be used before the end of the transaction: statements throw
/// `SQLITE_MISUSE`.
///
/// See <https://www.sqlite.org/c3ref/update_hook.html> and
/// <https://www.sqlite.org/c3ref/commit_hook.html>.
public protocol TransactionObserver: AnyObject, SendableMetatype {
  /// Whether the observer wants all changes of rows on the connection: ``observes(eventsOfKind:)``
  /// is not called then. False by default. Asked once, when the observer is added.
  ///
  /// ```swift
  /// var observesAllDatabaseChanges: Bool { true }
  /// ```
  ///
  /// Besides the changes that statements announce, these are changes of
  ///
  /// - functions in C that write while a statement calls them, such as `SELECT sync()`, which
  ///   SQLite takes for a read,
  /// - shadow tables, in which virtual tables such as full-text tables store their content,
  /// - rows that `DROP TABLE` deletes for foreign keys.
  ///
  /// Changes of functions are notified after their statement, in accesses that can write. If a
  /// function undoes its own changes, by a savepoint or a statement that fails, they are notified
  /// all the same; if it commits several times, the end is notified once.
  var observesAllDatabaseChanges: Bool { get }

  /// Returns whether the observer wants the changes of a kind. Called before each execution of a
  /// statement that may make them.
  func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool

  /// Called for unspecified changes: see ``Database/notifyChanges(in:)``.
  func databaseDidChange()

  /// Called for the change of a row.
  func databaseDidChange(with event: DatabaseEvent)

  /// Called before the ``databaseDidChange(with:)`` of the same row, with its values before and
  /// after the change, where SQLite is compiled with `SQLITE_ENABLE_PREUPDATE_HOOK`, and
  /// ``Configuration/usesPreUpdateHook`` is true.
  ///
  /// The values are those of SQLite's hook. In a row that is inserted, whole numbers of a column of
  /// type REAL are integers. As initial values, SQLite 3.40 has NULL for the default of a column
  /// that is newer than the row. In tables `WITHOUT ROWID` that declare other columns before those
  /// of their key, it has integers for whole numbers of type REAL, or doubles for integers.
  func databaseWillChange(with event: DatabasePreUpdateEvent)

  /// Called before each commit. If it throws, the transaction is rolled back, and the commit throws
  /// the same error.
  func databaseWillCommit() throws

  /// Called after a commit, outside of the transaction. The database can be used.
  func databaseDidCommit(_ db: Database)

  /// Called after a rollback, outside of the transaction. The database can be used.
  func databaseDidRollback(_ db: Database)
}

extension TransactionObserver {
  /// False: the observer is asked for the kinds of changes that it wants.
  public var observesAllDatabaseChanges: Bool { false }

  /// Does nothing.
  public func databaseWillCommit() throws {}

  /// Does nothing.
  public func databaseDidChange() {}

  /// Does nothing. SQLite's hook is not installed for observers that don't implement this method.
  public func databaseWillChange(with event: DatabasePreUpdateEvent) {
    event.interest?.isMissing = true
  }

  /// Ends the notifications of changes until the end of the transaction, which is still notified.
  ///
  /// This saves time if the observer only needs to know that a change occurred.
  ///
  /// - precondition: It is called from ``databaseDidChange()`` or ``databaseDidChange(with:)``, for
  ///   the observer that is called.
  public func stopObservingDatabaseChangesUntilNextTransaction() {
    guard let registration = ObserverRegistration.called else {
      preconditionFailure(
        """
        stopObservingDatabaseChangesUntilNextTransaction must be called from the \
        `databaseDidChange()` or `databaseDidChange(with:)` methods
        """)
    }
    registration.isStopped = true
  }
}
