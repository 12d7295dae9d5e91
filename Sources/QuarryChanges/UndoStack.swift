public import Quarry

/// Undoes and redoes changes of a database, step by step.
///
/// ```swift
/// let undo = try UndoStack(dbQueue)
/// try undo.record("Change of price") { db in
///   try db.execute(sql: "UPDATE book SET price = 12 WHERE id = 1")
/// }
/// try undo.undo()  // "Change of price"
/// try undo.redo()  // "Change of price"
/// ```
///
/// A step is a changeset: it has the changes of triggers and foreign keys, which don't run again
/// when it is undone. Steps are stored with the changes that they have, in one transaction: a
/// rollback, also that of a savepoint, takes both back.
///
/// Changes that are not recorded stay as they are. Where they concern the rows of a step, undoing
/// it throws the conflict, and changes nothing.
///
/// The stack lives as long as the application needs it. Several stacks of one database have tables
/// of their own.
public final class UndoStack: Sendable {
  private let writer: any DatabaseWriter
  private let tables: [String]?
  private let steps: UndoSteps
  private let states: UndoStates

  /// Creates a stack.
  ///
  /// - parameter writer: The database.
  /// - parameter tables: The tables that are recorded, nil for all: see
  ///   ``Quarry/Database/recordChanges(in:schema:_:)``. List the tables too that their triggers and
  ///   foreign key actions change: neither run when a step is undone, and what they have done to
  ///   other tables stays.
  /// - parameter storage: Where the steps are kept.
  /// - parameter limit: How many of them: the oldest ones go first. A step that is larger than the
  ///   limit of bytes is not kept, nor are those before it.
  /// - throws: ``ChangesetError`` where SQLite has no sessions; `DatabaseError` where the table
  ///   can't be created.
  public init(
    _ writer: some DatabaseWriter, tables: [String]? = nil, storage: UndoStorage = .memory,
    limit: UndoLimit = UndoLimit()
  ) throws {
    try Session.checkAvailability()
    self.writer = writer
    self.tables = tables
    let steps = UndoSteps(storage, limit)
    self.steps = steps
    states = UndoStates(
      try writer.writeWithoutTransaction { db in
        try steps.create(db)
        return try steps.state(db)
      })
  }

  /// What can be undone and made again, after the last commit of this stack.
  public var state: UndoState { states.current }

  /// The states from now on, the current one first: one after each commit that changes it.
  ///
  /// ```swift
  /// for await state in undo.stateUpdates {
  ///   undoButton.title = state.undoName.map { "Undo \($0)" } ?? "Undo"
  /// }
  /// ```
  public var stateUpdates: AsyncStream<UndoState> { states.stream() }

  /// Writes in a transaction, and adds a step for what it changes. Steps that were undone can't be
  /// made again then. A transaction without changes adds none.
  ///
  /// - throws: the error of the closure, after a rollback; ``ChangesetError`` for tables that can't
  ///   be recorded.
  public func record<T>(_ name: String, _ updates: (Database) throws -> T) throws -> T {
    try writer.write { db in try record(name, db) { try updates(db) } }
  }

  /// Adds a step for the changes of a closure, in a transaction that may have others.
  ///
  /// A recording inside of another one belongs to the step of that: so steps are grouped.
  ///
  /// ```swift
  /// try dbQueue.write { db in
  ///   try undo.record("Import", db) {
  ///     for book in books { try undo.record("Book", db) { try book.insert(db) } }
  ///   }
  /// }
  /// ```
  ///
  /// - parameter name: The name of the step.
  /// - parameter db: The connection of the database that writes.
  /// - parameter extendsLast: Whether the changes are added to the last step, if it has the same
  ///   name, such as those of each key while a text is typed. They are a step of their own if the
  ///   rows of the last step were changed meanwhile without a recording, or their tables by a
  ///   migration.
  /// - parameter updates: Changes the database.
  /// - throws: the error of the closure, after a rollback to its beginning; ``ChangesetError`` for
  ///   tables that can't be recorded.
  public func record<T>(
    _ name: String, _ db: Database, extendsLast: Bool = false, _ updates: () throws -> T
  ) throws -> T {
    var result: T?
    try db.inSavepoint {
      result =
        try steps.isRecording(db)
        ? updates() : recordStep(name, db, extendsLast: extendsLast, updates)
      return .commit
    }
    guard let result else {
      throw DatabaseError(resultCode: .SQLITE_ABORT, message: "Transaction was aborted")
    }
    return result
  }

  private func recordStep<T>(
    _ name: String, _ db: Database, extendsLast: Bool, _ updates: () throws -> T
  ) throws -> T {
    let last = try extendsLast ? steps.extensibleStep(name, db) : nil
    let session = try Session(
      db, schema: "main", tables: tables, besides: [steps.tableName])
    defer { session.end() }
    let value = try steps.recording(db, updates)
    let changes = try session.changes()
    session.end()
    if !changes.isEmpty { try steps.push(name, changes, extending: last, db) }
    notifyAfterCommit(db)
    return value
  }

  /// Takes the last step back. Returns its name, nil where there is none.
  ///
  /// - parameter onConflict: What happens where others have changed the same rows meanwhile. By
  ///   default, nothing is undone, and the conflict is thrown. See
  ///   ``Changeset/apply(to:runsTriggers:onConflict:)``.
  /// - throws: ``ChangesetError`` for a conflict, and where a migration has dropped, replaced,
  ///   renamed or moved columns of its tables: the step stays.
  @discardableResult
  public func undo(
    onConflict: (ChangesetConflict) throws -> ChangesetConflict.Resolution = { _ in .abort }
  ) throws -> String? { try writer.write { db in try move(db, isUndo: true, onConflict) } }

  /// Makes the step again that was undone last. Returns its name, nil where there is none.
  ///
  /// - throws: See ``undo(onConflict:)``.
  @discardableResult
  public func redo(
    onConflict: (ChangesetConflict) throws -> ChangesetConflict.Resolution = { _ in .abort }
  ) throws -> String? { try writer.write { db in try move(db, isUndo: false, onConflict) } }

  /// Forgets all steps. The database stays as it is.
  ///
  /// - throws: A `DatabaseError`.
  public func removeAll() throws {
    try writer.write { db in
      try steps.removeAll(db)
      notifyAfterCommit(db)
    }
  }

  private func move(
    _ db: Database, isUndo: Bool,
    _ onConflict: (ChangesetConflict) throws -> ChangesetConflict.Resolution
  ) throws -> String? {
    guard let step = try isUndo ? steps.lastDone(db) : steps.firstUndone(db) else { return nil }
    let changes = try isUndo ? step.changes.inverted() : step.changes
    for table in changes.readTables() { try table.check(db, recorded: step.columns?[table.name]) }
    var hasConflicts = false
    // What is really changed, where a conflict is resolved.
    let session = try Session(
      db, schema: "main", tables: changes.tables, besides: [steps.tableName])
    defer { session.end() }
    try changes.apply(to: db) { conflict in
      hasConflicts = true
      return try onConflict(conflict)
    }
    let made = try hasConflicts ? session.changes() : nil
    session.end()
    try steps.move(step, isUndone: isUndo, isUndo ? made?.inverted() : made, db)
    notifyAfterCommit(db)
    return step.name
  }

  private func notifyAfterCommit(_ db: Database) {
    db.afterNextTransaction { [steps, states] db in
      if let state = try? steps.state(db) { states.set(state) }
    }
  }
}
