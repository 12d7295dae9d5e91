extension Database {
  /// Creates a trigger on the table or view of a record type.
  ///
  /// ```swift
  /// try db.create(trigger: "bookTitle", .before, .update(of: ["title"]), on: Book.self) { t in
  ///   t.raise(.abort, "sold books keep their title", when: t.old.isSold)
  /// }
  /// ```
  ///
  /// See ``create(trigger:_:_:on:options:body:)-(_,_,_,String,_,_)``.
  public func create<Record: TableRecord>(
    trigger name: String, _ timing: TriggerTiming, _ event: TriggerEvent, on type: Record.Type,
    options: TriggerOptions = [], body: (TriggerDefinition<Record>) throws -> Void
  ) throws {
    try createTrigger(
      TriggerModel(
        name: name, timing: timing, event: event, table: Record.databaseTableName,
        options: options),
      body: body)
  }
}

extension TriggerDefinition {
  /// Adds an update of the rows of a request.
  ///
  /// ```swift
  /// // UPDATE "author" SET "bookCount" = "bookCount" + 1 WHERE "id" = "NEW"."authorId"
  /// t.update(Author.filter(Column("id") == t.new["authorId"]), [Column("bookCount") += 1])
  /// ```
  ///
  /// In a trigger, SQLite knows the changed table by its own name only: give its ``TableAlias`` no
  /// name.
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
  ///
  /// In a trigger, SQLite knows the changed table by its own name only: give its ``TableAlias`` no
  /// name.
  public func delete<T>(_ request: QueryInterfaceRequest<T>) {
    add(.delete(request.relation))
  }
}
