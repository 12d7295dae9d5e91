/// An error of changesets: SQLite's own errors are thrown as `DatabaseError`.
///
/// ```swift
/// do {
///   try changeset.apply(to: db)
/// } catch let error as ChangesetError where error.code == .conflict {
///   // The row with the key [1] of table book is not as the changeset expects it …
///   print(error)
/// }
/// ```
public struct ChangesetError: Error, Sendable {
  /// The kinds of errors.
  public enum Code: Sendable {
    /// SQLite is compiled without sessions.
    case unavailable
    /// Bytes are no changeset.
    case malformed
    /// A table can't be recorded.
    case unrecordable
    /// The database lacks a table or a column, has another column in its place, another primary
    /// key, or a table that rolls the transaction back.
    case schema
    /// A change conflicts with a row, or with a constraint.
    case conflict
    /// An operation needs old values, or changesets of the same kind.
    case patchset
    /// A ``ChangeLog`` no longer has the transactions that are asked for.
    case compacted
    /// A ``ChangeLog`` lacks what comes before the transactions that it receives.
    case order
    /// A database was replaced by an older copy, or two have the same identity.
    case identity
    /// A transaction has a date in the future.
    case clock
    /// A trigger does what can't be undone, or can't be turned off.
    case trigger
  }

  /// The kind of error.
  public let code: Code

  /// A sentence that names the cause, and the way out.
  public let message: String

  /// The table, for errors that concern one.
  public let table: String?

  /// The column, for errors that concern one.
  public let column: String?

  /// The conflict, for ``Code-swift.enum/conflict``.
  public let conflict: ChangesetConflict?

  init(
    _ code: Code, _ message: String, table: String? = nil, column: String? = nil,
    conflict: ChangesetConflict? = nil
  ) {
    self.code = code
    self.message = message
    self.table = table
    self.column = column
    self.conflict = conflict
  }
}

extension ChangesetError: CustomStringConvertible {
  /// The message.
  public var description: String { message }
}
