/// What a save does with rows of the database that the saved value does not contain.
///
/// ```swift
/// SavedGraph(\AuthorInfo.author)
///   .having(many: \.books, Author.books, key: \.authorId, missing: .delete)
/// ```
///
/// These are also rows that somebody else has inserted since the value was fetched. Where that may
/// happen, use ``refuse``, or a parent with a version (``VersionedRecord``) that is raised then.
public enum MissingRows: Hashable, Sendable {
  /// The rows are deleted, and marked as deleted if they are those of a ``SoftDeletableRecord``.
  ///
  /// What they have is treated first, as the graph says, as if their values were empty. Callbacks
  /// of deletions are not called, and versions not compared, as by `deleteAll`.
  case delete

  /// The columns of the foreign key are set to `NULL`.
  case detach

  /// The rows stay as they are.
  case keep

  /// The save throws a ``GraphSaveError``.
  case refuse
}

/// What a save does with links to records that the saved value does not contain.
///
/// See ``SavedGraph/linking(many:_:saving:columns:missing:)``.
public enum MissingLinks: Hashable, Sendable {
  /// The rows of the links are deleted, and the records stay.
  case unlink

  /// The links stay.
  case keep

  /// The save throws a ``GraphSaveError``.
  case refuse
}
