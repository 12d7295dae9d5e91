/// The foreign key that
/// ``TableDefinition/belongsTo(_:inTable:onDelete:onUpdate:deferred:indexed:)`` adds.
public final class ForeignKeyDefinition {
  private(set) var model: BelongsToModel

  init(_ model: BelongsToModel) { self.model = model }

  /// Forbids NULL in the columns of the foreign key.
  ///
  /// ```swift
  /// // "authorId" INTEGER NOT NULL REFERENCES "author"("id")
  /// t.belongsTo("author").notNull()
  /// ```
  @discardableResult
  public func notNull(onConflict conflictResolution: Database.ConflictResolution? = nil) -> Self {
    model.notNull = ConflictClause(resolution: conflictResolution)
    return self
  }

  /// Forbids that two rows reference the same row.
  ///
  /// ```swift
  /// // "authorId" INTEGER UNIQUE REFERENCES "author"("id")
  /// t.belongsTo("author").unique()
  /// ```
  @discardableResult
  public func unique() -> Self {
    model.isUnique = true
    return self
  }
}
