public import Quarry

extension SavedGraph {
  /// Saves the records that the record has, with what they have.
  ///
  /// ```swift
  /// let graph = SavedGraph(\AuthorInfo.author)
  ///   .having(
  ///     many: \.books, Author.books, as: SavedGraph(\BookInfo.book)
  ///       .having(many: \.chapters, Book.chapters, key: \.bookId, missing: .delete),
  ///     key: \.authorId, missing: .delete)
  /// ```
  ///
  /// Rows that are missing in the value are treated first, then records are updated, and at last
  /// inserted: so that they may have the unique columns of others. Records that exchange unique
  /// columns are not saved: the `UNIQUE` constraint fails.
  ///
  /// - parameter children: The property with the records, or values with the records.
  /// - parameter association: The association, without conditions.
  /// - parameter graph: The graph of each value.
  /// - parameter key: The properties of the columns of the foreign key, in the order of the columns
  ///   that they refer to.
  /// - parameter missing: What happens to rows of the record that the value does not contain.
  /// - parameter moving: Whether a record may be given the row of another record.
  public func having<
    Child, ChildRecord: MutablePersistableRecord, each Key: DatabaseValueConvertible
  >(
    many children: any WritableKeyPath<Value, [Child]> & Sendable,
    _ association: HasManyAssociation<Record, ChildRecord>,
    as graph: SavedGraph<Child, ChildRecord>,
    key: repeat (any WritableKeyPath<ChildRecord, each Key> & Sendable),
    missing: MissingRows, moving: Bool = false
  ) -> Self {
    having(
      GraphProperty(children), Self.steps(association), graph, HandedKey(repeat each key), missing,
      moving)
  }

  /// Saves the records that the record has.
  ///
  /// ```swift
  /// let graph = SavedGraph(\BookInfo.book)
  ///   .having(many: \.chapters, Book.chapters, key: \.bookId, missing: .delete)
  /// ```
  ///
  /// See `having(many:_:as:key:missing:moving:)`.
  public func having<
    ChildRecord: MutablePersistableRecord, each Key: DatabaseValueConvertible
  >(
    many children: any WritableKeyPath<Value, [ChildRecord]> & Sendable,
    _ association: HasManyAssociation<Record, ChildRecord>,
    key: repeat (any WritableKeyPath<ChildRecord, each Key> & Sendable),
    missing: MissingRows, moving: Bool = false
  ) -> Self {
    having(
      many: children, association, as: SavedGraph<ChildRecord, ChildRecord>.ofRecord,
      key: repeat each key, missing: missing, moving: moving)
  }

  /// Saves the record that the record may have, with what it has.
  ///
  /// See `having(many:_:as:key:missing:moving:)`.
  public func having<
    Child, ChildRecord: MutablePersistableRecord, each Key: DatabaseValueConvertible
  >(
    one child: any WritableKeyPath<Value, Child?> & Sendable,
    _ association: HasOneAssociation<Record, ChildRecord>,
    as graph: SavedGraph<Child, ChildRecord>,
    key: repeat (any WritableKeyPath<ChildRecord, each Key> & Sendable),
    missing: MissingRows, moving: Bool = false
  ) -> Self {
    having(
      GraphProperty(child), Self.steps(association), graph, HandedKey(repeat each key), missing,
      moving)
  }

  /// Saves the record that the record may have.
  ///
  /// ```swift
  /// let graph = SavedGraph(\CountryInfo.country)
  ///   .having(one: \.profile, Country.profile, key: \.countryCode, missing: .delete)
  /// ```
  ///
  /// See `having(many:_:as:key:missing:moving:)`.
  public func having<
    ChildRecord: MutablePersistableRecord, each Key: DatabaseValueConvertible
  >(
    one child: any WritableKeyPath<Value, ChildRecord?> & Sendable,
    _ association: HasOneAssociation<Record, ChildRecord>,
    key: repeat (any WritableKeyPath<ChildRecord, each Key> & Sendable),
    missing: MissingRows, moving: Bool = false
  ) -> Self {
    having(
      one: child, association, as: SavedGraph<ChildRecord, ChildRecord>.ofRecord,
      key: repeat each key, missing: missing, moving: moving)
  }

  /// Saves the record that the record always has, with what it has.
  ///
  /// See `having(many:_:as:key:missing:moving:)`.
  public func having<
    Child, ChildRecord: MutablePersistableRecord, each Key: DatabaseValueConvertible
  >(
    one child: any WritableKeyPath<Value, Child> & Sendable,
    _ association: HasOneAssociation<Record, ChildRecord>,
    as graph: SavedGraph<Child, ChildRecord>,
    key: repeat (any WritableKeyPath<ChildRecord, each Key> & Sendable),
    missing: MissingRows, moving: Bool = false
  ) -> Self {
    having(
      GraphProperty(child), Self.steps(association), graph, HandedKey(repeat each key), missing,
      moving)
  }

  /// Saves the record that the record always has.
  ///
  /// See `having(many:_:as:key:missing:moving:)`.
  public func having<
    ChildRecord: MutablePersistableRecord, each Key: DatabaseValueConvertible
  >(
    one child: any WritableKeyPath<Value, ChildRecord> & Sendable,
    _ association: HasOneAssociation<Record, ChildRecord>,
    key: repeat (any WritableKeyPath<ChildRecord, each Key> & Sendable),
    missing: MissingRows, moving: Bool = false
  ) -> Self {
    having(
      one: child, association, as: SavedGraph<ChildRecord, ChildRecord>.ofRecord,
      key: repeat each key, missing: missing, moving: moving)
  }

  private func having<Child, ChildRecord: MutablePersistableRecord>(
    _ children: GraphProperty<Value, Child>,
    _ steps: @escaping @Sendable (Database) throws -> [ForeignKeyStep],
    _ graph: SavedGraph<Child, ChildRecord>, _ key: HandedKey<ChildRecord>, _ missing: MissingRows,
    _ moving: Bool
  ) -> Self {
    adding(
      HavingEdge(
        children: children, steps: steps, graph: graph, key: key, missing: missing,
        allowsMoves: moving))
  }

  static func steps(
    _ association: HasManyAssociation<Record, some Any>
  ) -> @Sendable (Database) throws -> [ForeignKeyStep] {
    { db in try association.foreignKeySteps(from: Record.databaseTableName, db) }
  }

  static func steps(
    _ association: HasOneAssociation<Record, some Any>
  ) -> @Sendable (Database) throws -> [ForeignKeyStep] {
    { db in try association.foreignKeySteps(from: Record.databaseTableName, db) }
  }
}
