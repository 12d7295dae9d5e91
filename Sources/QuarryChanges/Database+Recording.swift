public import Foundation
public import Quarry

extension Database {
  /// Runs statements, and returns what they change in tables.
  ///
  /// ```swift
  /// let changeset = try dbQueue.write { db in
  ///   try db.recordChanges(in: ["author"]) {
  ///     try Author(id: 1, name: "Jane Austen").insert(db)
  ///   }
  /// }
  /// ```
  ///
  /// The changeset is the difference between the rows before and after: a row that is inserted and
  /// deleted again, or whose change a savepoint has undone, is not part of it. Changes by triggers
  /// and foreign keys are.
  ///
  /// | table | recorded |
  /// | --- | --- |
  /// | with a primary key, also `WITHOUT ROWID` | yes. SQLite leaves out rows whose key has a null |
  /// | without a primary key, with a REAL in it, or with generated columns | no: an error if it is listed or, where no table is listed, changed |
  /// | with a column whose collation in the key is another one | no: an error, likewise |
  /// | `WITHOUT ROWID`, with a REAL, and columns before its key | not with SQLite 3.40: an error |
  /// | virtual | no: an error if it is listed |
  /// | temporary, or of an attached database | with its `schema` |
  ///
  /// A key that is replaced by one that SQLite takes for equal, such as `bob` by `Bob` in a column
  /// that is `NOCASE`, is an error, unless the statements have inserted it.
  ///
  /// With SQLite 3.40, an update of the default of an added column to NULL might be missing. So it
  /// is an error to update other columns of a row that is NULL in a column with a default. Where
  /// more rows were written than the changeset has, any such row of a changed table is an error: by
  /// writes to other tables or to full-text indexes, also of triggers, by repeated writes to a row,
  /// or by deletions together with other changes of a table. A row that the changes have made NULL
  /// is none.
  ///
  /// SQLite has one preupdate hook for each connection, which the recording takes. Observations do
  /// without it meanwhile: `databaseWillChange(with:)` is not called, nor are observers of
  /// transactions notified of rows `WITHOUT ROWID`, and of those that `REPLACE` removes.
  /// Observations of values and regions miss nothing.
  ///
  /// See <https://www.sqlite.org/session/sqlite3session_changeset.html>.
  ///
  /// - parameter tables: The tables, nil for all.
  /// - parameter schema: The schema of the tables.
  /// - parameter body: Changes the database.
  /// - throws: the error of the closure; ``ChangesetError`` for tables that can't be recorded, and
  ///   where SQLite has no sessions; `DatabaseError` for a schema that does not exist, and where
  ///   the application has a preupdate hook.
  public func recordChanges(
    in tables: [String]? = nil, schema: String = "main", _ body: () throws -> Void
  ) throws -> Changeset { try recording(in: tables, schema: schema, body) { try $0.changes() } }

  /// Runs statements, and returns what they change in tables, without old values.
  ///
  /// See ``recordChanges(in:schema:_:)``, and ``Changeset/isPatchset``.
  ///
  /// - throws: See ``recordChanges(in:schema:_:)``.
  public func recordPatchset(
    in tables: [String]? = nil, schema: String = "main", _ body: () throws -> Void
  ) throws -> Changeset {
    try recording(in: tables, schema: schema, body) { try $0.changes(asPatchset: true) }
  }

  /// Runs statements, and writes what they change in tables to a file, piece by piece.
  ///
  /// - throws: See ``recordChanges(in:schema:_:)``; the error of Foundation for the file, which may
  ///   have a part of the changes then.
  public func recordChanges(
    in tables: [String]? = nil, schema: String = "main", to file: FileHandle,
    asPatchset: Bool = false, _ body: () throws -> Void
  ) throws {
    try recording(in: tables, schema: schema, body) {
      try $0.write(to: file, asPatchset: asPatchset)
    }
  }

  private func recording<T>(
    in tables: [String]?, schema: String, _ body: () throws -> Void,
    _ result: (Session) throws -> T
  ) throws -> T {
    let session = try Session(self, schema: schema, tables: tables)
    defer { session.end() }
    try body()
    return try result(session)
  }
}
