/// Executes the statements of a connection in the place of SQLite: the seam of `QuarryCluster`.
///
/// The connection keeps SQLite, with the schema of the database and no rows. SQLite compiles each
/// statement, so that its columns, parameters, effects and regions are known as they always are;
/// then the engine exchanges it for another one, whose rows come from elsewhere. Rows are decoded
/// in one way only. A connection without engine looks at a nil in each execution.
package protocol ConnectionEngine: AnyObject {
  /// Called when the connection is open: prepares it, see ``Database/prepareAgain()``.
  func open(_ db: Database) throws

  /// Called before the connection is closed.
  func close()

  /// The statement to step in the place of the one that was compiled. Nil to step that one.
  ///
  /// - throws: an error for what can't be executed.
  func replacement(for statement: CompiledStatement, in db: Database) throws -> ReplacedStatement?

  /// Called when SQLite has not compiled the first statement of a text.
  func didFailToCompile(_ sql: String)

  /// Called before the first step of each statement.
  func willExecute(_ statement: Statement, in db: Database) throws

  /// Called when SQLite is about to commit, after the observers have agreed. An error rolls back.
  func commit() throws

  /// Called when SQLite rolls back.
  func rollBack()

  /// The error to throw for a statement that has failed. Nil for that of SQLite.
  func failure(of statement: Statement, in db: Database) -> (any Error)?

  /// Runs a transaction, maybe several times.
  func repeating<T>(in db: Database, _ transaction: () throws -> T) throws -> T

  /// Whether SQLite copies the schema, which concerns no observer.
  var isCopyingSchema: Bool { get }

  /// The number of rows changed by the last statement, and since the connection was opened.
  var changesCount: (last: Int, total: Int) { get }

  /// The number of rows changed by the last statement, without a request.
  var lastChangesCount: Int { get }

  /// The text for which a statement was exchanged. Empty for a statement of the engine itself.
  func sql(of statement: SQLiteStatement) -> String?

  /// The column type to store in the place of another one.
  func storedTypeName(_ name: String) -> String

  /// Ends the request that runs. Called from any thread.
  func interrupt()

  /// Removes all tables, views and triggers.
  func erase(_ db: Database) throws

  /// The error for what no statement does, and SQLite would do to its copy of the schema.
  func refusal(of feature: String) -> any Error
}

/// A statement that SQLite has compiled.
@safe package struct CompiledStatement {
  package let pointer: SQLiteStatement
  package let sql: String
  package let effects: StatementEffects
}

/// A statement that is stepped in the place of another one, which it finalizes.
@safe package struct ReplacedStatement {
  package let pointer: SQLiteStatement
  /// Kept by the statement, as long as it lives.
  package let context: AnyObject

  package init(pointer: SQLiteStatement, context: AnyObject) {
    unsafe self.pointer = unsafe pointer
    self.context = context
  }
}

extension Database {
  /// Throws where an engine executes the statements.
  package func checkHasNoEngine(_ feature: String) throws {
    if let engine { throw engine.refusal(of: feature) }
  }

  /// Prepares the connection: at first, and after the engine has lost its own.
  package func prepareAgain() throws {
    try prepareForeignKeys()
    for prepare in configuration.preparations { try prepare(self) }
  }

  /// Runs statements of the engine on its copy of the schema, which ``interrupt()`` does not stop.
  package func ignoringInterruptions<T>(_ body: () throws -> T) rethrows -> T {
    try unsafe interrupting(nil, body)
  }

  /// Whether a statement runs, or is in the middle of its rows.
  package var hasRunningStatements: Bool { !owner.running.isEmpty }

  /// Whether somebody observes the connection.
  package var isObserved: Bool { !broker.isEmpty }

  /// Whether the access was canceled, or its deadline has passed.
  package var isAccessCancelled: Bool { access.isCancelled }

  /// Whether SQLite will ask for the commit of the transaction: it has begun to write.
  package var willAnnounceCommit: Bool { isWriting }
}
