/// Where a statement is in its execution.
@usableFromInline struct StatementExecution {
  /// The current activity. Not `none` from the start of an execution to its reset.
  @usableFromInline var activity = StatementActivity.none

  /// Changes when an execution begins or ends: a cursor whose execution is over must leave the
  /// statement alone.
  @usableFromInline private(set) var number = 0

  /// The reason why the execution of a cursor ended.
  private var cursorBreak: (number: Int, reason: CursorBreak)?

  /// The statement that was started before this one, while both run: see ``RunningStatements``.
  var predecessor: Unretained<Statement>?

  /// Whether the effects of the first step are noted.
  var notesFirstStep = false
  var firstStep: StatementFirstStep?

  /// Ends the claims of the cursors of other executions.
  @inline(__always) mutating func begin() { number &+= 1 }

  /// Called when an execution has broken the one of a cursor.
  mutating func breakCursor(_ reason: CursorBreak) { cursorBreak = (number, reason) }

  /// The reason why an execution was broken, other than another one.
  func breakReason(of number: Int) -> CursorBreak? {
    cursorBreak?.number == number ? cursorBreak?.reason : nil
  }
}

/// The activity of a statement.
@usableFromInline enum StatementActivity {
  /// Nothing: it is reset.
  case none
  /// Its cursor is between two rows, or after the last one.
  case betweenRows
  /// It is stepped, or its row is decoded. Both may run code of the application, which can't use
  /// the statement.
  case calling
}

/// Why the execution of a cursor has ended, other than by the use of its statement.
enum CursorBreak {
  /// A statement of the connection was interrupted.
  case interruption
  /// A transaction was committed, which the writing statement of the cursor has to precede.
  case commit
}

/// The effects of an `INSERT`, `UPDATE` or `DELETE … RETURNING`, noted after the first
/// `sqlite3_step()`, which performs all of its changes.
///
/// Whoever reads the rows may run other statements meanwhile, whose effects the connection reports
/// then.
///
/// See <https://www.sqlite.org/lang_returning.html#processing_order>.
struct StatementFirstStep {
  /// The rowid of the last inserted row.
  let rowID: Int64
  /// True if a row was written.
  let hasRow: Bool
}
