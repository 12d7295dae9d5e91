public import Quarry

extension MigrationDraft {
  /// Compares the main schema of a database with record types, and drafts what their tables lack.
  ///
  /// ```swift
  /// // ALTER TABLE "book" ADD COLUMN "subtitle" TEXT
  /// let draft = try MigrationDraft(from: dbQueue, to: [Author.self, Book.self])
  /// print(draft.unknownColumns)  // ["book.blurb"]
  /// ```
  ///
  /// Types say which columns they store, of which kinds, and whether those may be NULL: nothing
  /// else is compared. Types by macro declare this; the properties of `Decodable` types are found
  /// by decoding a test value.
  ///
  /// - A table that is missing is created, with the primary key of a type by macro, or the property
  ///   `id`.
  /// - A column that is missing is added.
  /// - A column gets another type where its affinity would convert values, and `NOT NULL`, or none,
  ///   where the property can't be nil, or can.
  /// - Columns that no record type has stay as they are: see ``unknownColumns``.
  ///
  /// What types don't say is an error that names the property, and is given as SQL:
  ///
  /// ```swift
  /// let draft = try MigrationDraft(
  ///   from: dbQueue, to: [Book.self, Authorship.self],
  ///   definitions: [
  ///     "book.pages": "INTEGER NOT NULL DEFAULT 0",
  ///     "authorship": "PRIMARY KEY (bookId, authorId)",
  ///   ])
  /// ```
  ///
  /// - parameter old: A database with the present schema. Its rows are counted.
  /// - parameter types: Record types. Several may have one table.
  /// - parameter definitions: SQL of columns, without their names, which replaces what types say;
  ///   and constraints of tables that are missing.
  /// - parameter columns: Columns to drop, as in `["book.blurb"]`, which no record type has. They
  ///   count as losses.
  /// - parameter renaming: New names, as in ``init(from:to:renaming:values:allowing:)``.
  /// - parameter values: SQL for the values of columns.
  /// - parameter permissions: What the migration may do.
  /// - throws: A ``MigrationDraftError``, and a `DatabaseError` when the schema can't be read.
  public init(
    from old: any DatabaseReader, to types: [any TableRecord.Type],
    definitions: [String: String] = [:], dropping columns: [String] = [],
    renaming: [String: String] = [:], values: [String: String] = [:],
    allowing permissions: Permissions = []
  ) throws {
    self = try old.read { db in
      let schema = try RecordSchema(
        db, types, renaming: renaming, definitions: definitions, dropping: columns)
      var draft = try MigrationDraft(db, schema.wanted, renaming, values, permissions)
      draft.unknownColumns = schema.unknownColumns
      return draft
    }
  }
}
