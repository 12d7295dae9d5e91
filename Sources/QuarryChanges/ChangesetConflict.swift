public import Quarry

/// A change that can't be applied as it is.
///
/// See <https://www.sqlite.org/session/c_changeset_conflict.html>.
public struct ChangesetConflict: Hashable, Sendable {
  /// Why a change can't be applied.
  public enum Kind: CInt, Sendable {
    /// `SQLITE_CHANGESET_DATA`: the row that is updated or deleted has other values.
    case data = 1
    /// `SQLITE_CHANGESET_NOTFOUND`: the row that is updated or deleted does not exist.
    case notFound = 2
    /// `SQLITE_CHANGESET_CONFLICT`: a row with the key of the insertion exists.
    case conflict = 3
    /// `SQLITE_CHANGESET_CONSTRAINT`: the change violates a constraint. So does an update that a
    /// clause `ON CONFLICT IGNORE` leaves out, or a change that `RAISE(IGNORE)` does.
    case constraint = 4
    /// `SQLITE_CHANGESET_FOREIGN_KEY`: after all changes, rows miss the rows that they reference.
    case foreignKey = 5
  }

  /// Why the change can't be applied.
  public let kind: Kind

  /// The change: nil for ``Kind-swift.enum/foreignKey``, which concerns all of them.
  public let change: Change?

  /// The values of the row that is in the way, for ``Kind-swift.enum/data`` and
  /// ``Kind-swift.enum/conflict``.
  public let currentValues: [DatabaseValue]?

  /// The number of rows that miss the rows that they reference, for ``Kind-swift.enum/foreignKey``.
  public let violationCount: Int
}

extension ChangesetConflict {
  /// What happens with a change that can't be applied as it is.
  ///
  /// See <https://www.sqlite.org/session/c_changeset_abort.html>.
  public enum Resolution: CInt, Sendable {
    /// The change is left out. For ``ChangesetConflict/Kind-swift.enum/foreignKey``: the violations
    /// stay. An error for ``ChangesetConflict/Kind-swift.enum/constraint``, where the insertion has
    /// replaced a row, which would be lost.
    case omit = 0
    /// The change is made all the same, in place of the row that is in the way. For
    /// ``ChangesetConflict/Kind-swift.enum/data`` and
    /// ``ChangesetConflict/Kind-swift.enum/conflict``.
    case replace = 1
    /// Nothing of the changeset is applied, and `apply` throws.
    case abort = 2
  }
}

extension ChangesetConflict: CustomStringConvertible {
  /// A sentence that names the table and the key.
  public var description: String {
    guard let change else {
      return "\(violationCount) rows reference rows that don't exist after the changes"
    }
    let row = "row [\(change.key.map(\.description).joined(separator: ", "))] of \(change.table)"
    switch kind {
    case .data: return "\(row) has other values than those that the \(change.kind) expects"
    case .notFound: return "\(row) does not exist, for the \(change.kind)"
    case .conflict: return "\(row) exists already, for the insert"
    case .constraint: return "the \(change.kind) of \(row) violates a constraint"
    case .foreignKey: return "the \(change.kind) of \(row) violates a foreign key"
    }
  }
}
