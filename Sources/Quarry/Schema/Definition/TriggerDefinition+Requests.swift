extension TriggerDefinition {
  /// Adds an update of the rows of a request.
  ///
  /// ```swift
  /// // UPDATE "author" SET "bookCount" = "bookCount" + 1 WHERE "id" = "NEW"."authorId"
  /// t.update(Author.filter(Column("id") == t.new["authorId"]), [Column("bookCount") += 1])
  /// ```
  ///
  /// - parameter request: The rows to update.
  /// - parameter assignments: The values of the columns.
  /// - parameter conflictResolution: What happens when a constraint is violated.
  public func update<T>(
    _ request: QueryInterfaceRequest<T>, _ assignments: [ColumnAssignment],
    onConflict conflictResolution: Database.ConflictResolution? = nil
  ) {
    add(.update(request.relation, assignments, conflict: conflictResolution))
  }

  /// Adds a deletion of the rows of a request.
  ///
  /// ```swift
  /// // DELETE FROM "review" WHERE "bookId" = "OLD"."id"
  /// t.delete(Review.filter(Column("bookId") == t.old["id"]))
  /// ```
  public func delete<T>(_ request: QueryInterfaceRequest<T>) {
    add(.delete(request.relation))
  }
}
