public import Quarry

extension SavedGraph {
  /// Saves the record that the record may belong to first, with what it has.
  ///
  /// ```swift
  /// let graph = SavedGraph(\BookInfo.book)
  ///   .belonging(
  ///     to: \.author, Book.author, as: SavedGraph(\AuthorInfo.author)
  ///       .belonging(to: \.country, Author.country, key: \.countryCode),
  ///     key: \.authorId)
  /// ```
  ///
  /// Several values may belong to the same record: it is saved once, and must be the same in all of
  /// them. A value without the record must have a foreign key that is `NULL`.
  ///
  /// - parameter parent: The property with the record, or a value with the record.
  /// - parameter association: The association, without conditions.
  /// - parameter graph: The graph of the value.
  /// - parameter key: The properties of the columns of the foreign key, in the order of the columns
  ///   that they refer to.
  public func belonging<
    Parent, ParentRecord: MutablePersistableRecord, each Key: DatabaseValueConvertible
  >(
    to parent: any WritableKeyPath<Value, Parent?> & Sendable,
    _ association: BelongsToAssociation<Record, ParentRecord>,
    as graph: SavedGraph<Parent, ParentRecord>,
    key: repeat (any WritableKeyPath<Record, each Key> & Sendable)
  ) -> Self {
    adding(
      BelongingEdge(
        parent: GraphProperty(parent), steps: Self.steps(association), graph: graph,
        key: HandedKey(repeat each key)))
  }

  /// Saves the record that the record may belong to first.
  ///
  /// See `belonging(to:_:as:key:)`.
  public func belonging<
    ParentRecord: MutablePersistableRecord, each Key: DatabaseValueConvertible
  >(
    to parent: any WritableKeyPath<Value, ParentRecord?> & Sendable,
    _ association: BelongsToAssociation<Record, ParentRecord>,
    key: repeat (any WritableKeyPath<Record, each Key> & Sendable)
  ) -> Self {
    belonging(
      to: parent, association, as: SavedGraph<ParentRecord, ParentRecord>.ofRecord,
      key: repeat each key)
  }

  /// Saves the record that the record belongs to first, with what it has.
  ///
  /// See `belonging(to:_:as:key:)`.
  public func belonging<
    Parent, ParentRecord: MutablePersistableRecord, each Key: DatabaseValueConvertible
  >(
    to parent: any WritableKeyPath<Value, Parent> & Sendable,
    _ association: BelongsToAssociation<Record, ParentRecord>,
    as graph: SavedGraph<Parent, ParentRecord>,
    key: repeat (any WritableKeyPath<Record, each Key> & Sendable)
  ) -> Self {
    adding(
      BelongingEdge(
        parent: GraphProperty(parent), steps: Self.steps(association), graph: graph,
        key: HandedKey(repeat each key)))
  }

  /// Saves the record that the record belongs to first.
  ///
  /// ```swift
  /// let graph = SavedGraph(\AuthorInfo.author)
  ///   .belonging(to: \.country, Author.country, key: \.countryCode)
  /// ```
  ///
  /// See `belonging(to:_:as:key:)`.
  public func belonging<
    ParentRecord: MutablePersistableRecord, each Key: DatabaseValueConvertible
  >(
    to parent: any WritableKeyPath<Value, ParentRecord> & Sendable,
    _ association: BelongsToAssociation<Record, ParentRecord>,
    key: repeat (any WritableKeyPath<Record, each Key> & Sendable)
  ) -> Self {
    belonging(
      to: parent, association, as: SavedGraph<ParentRecord, ParentRecord>.ofRecord,
      key: repeat each key)
  }

  private static func steps(
    _ association: BelongsToAssociation<Record, some Any>
  ) -> @Sendable (Database) throws -> [ForeignKeyStep] {
    { db in try association.foreignKeySteps(from: Record.databaseTableName, db) }
  }
}
