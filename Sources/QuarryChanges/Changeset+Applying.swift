public import Quarry

extension Changeset {
  /// Applies the changes to the main database of a connection: all of them, or none.
  ///
  /// ```swift
  /// try dbQueue.write { db in
  ///   try changeset.apply(to: db) { conflict in
  ///     // The last writer wins.
  ///     switch conflict.kind {
  ///     case .data, .conflict: .replace
  ///     case .notFound: .omit
  ///     case .constraint, .foreignKey: .abort
  ///     }
  ///   }
  /// }
  /// ```
  ///
  /// Before anything is changed, the tables are compared with those of the database: each must
  /// exist, have the same primary key, and no fewer columns. Additional columns get their default
  /// values.
  ///
  /// A changeset has the changes of triggers and foreign key actions, which therefore don't run
  /// again. Foreign keys are checked after the last change; rows that violated one before are no
  /// conflict, unless an update gives them another missing parent, or they are replaced. Triggers
  /// that fill virtual tables only, such as those of full-text tables, do run. With `runsTriggers`,
  /// all of them and the actions run, for changesets that don't have their changes.
  ///
  /// Nothing is applied where a conflict could end the transaction after a part of the changes, by
  /// `ON CONFLICT ROLLBACK` or `RAISE(ROLLBACK)`, and where a temporary trigger would have to be
  /// turned off, which SQLite can't.
  ///
  /// Conflicts that a table resolves by itself, such as by `UNIQUE ON CONFLICT REPLACE`, are not
  /// reported to `onConflict`: SQLite does not report them. The numbers of its rows before and
  /// after show whether one is lost; then the error is thrown, and nothing is applied. An update
  /// that is left out is reported as a violated constraint. The deletions of each table come first
  /// in a changeset with such a table, or one whose keys may be equal with other bytes, unless
  /// triggers or foreign key actions of its tables run.
  ///
  /// Nothing is applied in a transaction that violates deferred foreign keys, either: SQLite would
  /// reset the count of violations that the commit refuses.
  ///
  /// Observers are notified of the changes, as of those of a statement.
  ///
  /// See <https://www.sqlite.org/session/sqlite3changeset_apply.html>.
  ///
  /// - parameter db: A connection that writes.
  /// - parameter runsTriggers: Whether triggers and foreign key actions run.
  /// - parameter onConflict: What happens with a change that can't be applied as it is. By default,
  ///   nothing is applied, and the conflict is thrown. It must not change the database.
  /// - throws: ``ChangesetError`` for other tables, for triggers as above, for a conflict that
  ///   aborts, or loses a row, for deferred foreign keys that are violated before, and where SQLite
  ///   has no sessions; the error of the closure; `DatabaseError`.
  public func apply(
    to db: Database, runsTriggers: Bool = false,
    onConflict: (ChangesetConflict) throws -> ChangesetConflict.Resolution = { _ in .abort }
  ) throws {
    _ = try applyNotingConflicts(to: db, runsTriggers: runsTriggers, onConflict: onConflict)
  }

  /// Applies the changes, and returns how conflicts were resolved, for ``rebased(on:)``.
  ///
  /// - throws: See ``apply(to:runsTriggers:onConflict:)``.
  public func applyNotingConflicts(
    to db: Database, runsTriggers: Bool = false,
    onConflict: (ChangesetConflict) throws -> ChangesetConflict.Resolution
  ) throws -> ChangesetRebase {
    try ChangesetApplication { ChangesetReader(bytes) }
      .apply(to: db, runsTriggers: runsTriggers, onConflict: onConflict)
  }
}
