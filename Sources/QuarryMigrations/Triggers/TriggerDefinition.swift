public import Quarry

/// A trigger to create.
///
/// ```swift
/// try db.create(trigger: "bookCount", .after, .insert, on: "book") { t in
///   t.update(
///     Author.filter(Column("id") == t.new["authorId"]), [Column("bookCount") += 1])
/// }
/// ```
///
/// The statements run in the order of their definition. See
/// <https://www.sqlite.org/lang_createtrigger.html>.
public final class TriggerDefinition<RowDecoder> {
  private(set) var model: TriggerModel
  private let newRow = TableAlias<RowDecoder>(name: "NEW", for: RowDecoder.self)
  private let oldRow = TableAlias<RowDecoder>(name: "OLD", for: RowDecoder.self)

  init(_ model: TriggerModel) { self.model = model }

  /// The row after the change: `"NEW"."title"`. A deletion has none.
  public var new: TableAlias<RowDecoder> {
    if model.event == .delete { addFault("the trigger of a deletion has no NEW row") }
    return newRow
  }

  /// The row before the change: `"OLD"."title"`. An insertion has none.
  public var old: TableAlias<RowDecoder> {
    if model.event == .insert { addFault("the trigger of an insertion has no OLD row") }
    return oldRow
  }

  /// Runs the trigger for the rows that meet a condition only. Several conditions must all be met.
  ///
  /// ```swift
  /// // WHEN "NEW"."price" > "OLD"."price"
  /// t.when(t.new["price"] > t.old["price"])
  /// ```
  public func when(_ condition: some SQLExpressible) {
    model.conditions.append(SQL(condition.sqlExpression))
  }

  /// Runs the trigger for the rows that meet a condition only. See ``when(_:)``.
  ///
  /// ```swift
  /// t.when(sql: "NEW.price > OLD.price")
  /// ```
  public func when(sql: String) { model.conditions.append(SQL(sql: sql)) }

  /// Adds statements written by hand, separated by semicolons.
  ///
  /// ```swift
  /// t.execute(sql: "DELETE FROM draft WHERE bookId = NEW.id")
  /// ```
  public func execute(sql: String) { add(.sql(SQL(sql: sql))) }

  /// Adds statements written by hand, with values, expressions and requests.
  ///
  /// ```swift
  /// // DELETE FROM draft WHERE bookId = "NEW"."id"
  /// t.execute(literal: "DELETE FROM draft WHERE bookId = \(t.new["id"])")
  /// ```
  public func execute(literal: SQL) { add(.sql(literal)) }

  /// Adds an insertion.
  ///
  /// ```swift
  /// // INSERT INTO "log" ("text") VALUES ("NEW"."title")
  /// t.insert(into: "log", [Column("text").set(to: t.new["title"])])
  /// ```
  ///
  /// - parameter table: The table or view.
  /// - parameter assignments: The values of the columns: at least one.
  /// - parameter conflictResolution: What happens when a constraint is violated.
  public func insert(
    into table: String, _ assignments: [ColumnAssignment],
    onConflict conflictResolution: Database.ConflictResolution? = nil
  ) { add(.insert(table: table, assignments, conflict: conflictResolution)) }

  /// Adds an insertion of the rows of a query.
  ///
  /// ```swift
  /// // INSERT INTO "log" ("text") SELECT "title" FROM "book" WHERE "authorId" = "OLD"."id"
  /// t.insert(
  ///   into: "log", columns: ["text"],
  ///   rowsOf: Book.filter(Column("authorId") == t.old["id"]).select(Column("title")))
  /// ```
  ///
  /// - parameter table: The table or view.
  /// - parameter columns: The columns that the query selects. All columns, if it is empty.
  /// - parameter query: A request, or SQL.
  /// - parameter conflictResolution: What happens when a constraint is violated.
  public func insert(
    into table: String, columns: [String] = [], rowsOf query: some SQLSubqueryable,
    onConflict conflictResolution: Database.ConflictResolution? = nil
  ) {
    add(
      .insertRows(
        table: table, columns: columns, query.sqlSubquery, conflict: conflictResolution))
  }

  /// Adds an update of the rows of a request.
  ///
  /// ```swift
  /// // UPDATE "author" SET "bookCount" = "bookCount" + 1 WHERE "id" = "NEW"."authorId"
  /// t.update(Author.filter(Column("id") == t.new["authorId"]), [Column("bookCount") += 1])
  /// ```
  ///
  /// In a trigger, SQLite knows the changed table by its own name only: give its `TableAlias` no
  /// name.
  ///
  /// - parameter request: The rows to update.
  /// - parameter assignments: The values of the columns.
  /// - parameter conflictResolution: What happens when a constraint is violated.
  public func update<T>(
    _ request: QueryInterfaceRequest<T>, _ assignments: [ColumnAssignment],
    onConflict conflictResolution: Database.ConflictResolution? = nil
  ) { add(.update(request.relation, assignments, conflict: conflictResolution)) }

  /// Adds a deletion of the rows of a request.
  ///
  /// ```swift
  /// // DELETE FROM "review" WHERE "bookId" = "OLD"."id"
  /// t.delete(Review.filter(Column("bookId") == t.old["id"]))
  /// ```
  ///
  /// In a trigger, SQLite knows the changed table by its own name only: give its `TableAlias` no
  /// name.
  public func delete<T>(_ request: QueryInterfaceRequest<T>) { add(.delete(request.relation)) }

  /// Adds a query, for its functions that have an effect.
  ///
  /// ```swift
  /// t.select(SQLRequest<Row>(literal: "SELECT notify(\(t.new["id"]))"))
  /// ```
  public func select(_ query: some SQLSubqueryable) { add(.select(query.sqlSubquery)) }

  /// Makes the statement that runs the trigger fail.
  ///
  /// ```swift
  /// // SELECT RAISE(ABORT, 'sold books stay') WHERE "OLD"."isSold"
  /// t.raise(.abort, "sold books stay", when: t.old["isSold"])
  /// ```
  ///
  /// - parameter failure: What happens with the changes.
  /// - parameter message: The message of the error.
  /// - parameter condition: When to fail. Nil for always.
  public func raise(
    _ failure: TriggerFailure, _ message: String, when condition: (any SQLExpressible)? = nil
  ) {
    let call = "RAISE(\(failure.rawValue), \(message.databaseValue.sqlLiteral))"
    add(.raise(call, condition: condition?.sqlExpression))
  }

  /// Skips the change, and what is left of the trigger.
  ///
  /// ```swift
  /// // SELECT RAISE(IGNORE) WHERE "NEW"."title" IS NULL
  /// t.ignore(when: t.new["title"] == nil)
  /// ```
  ///
  /// - parameter condition: When to skip. Nil for always.
  public func ignore(when condition: (any SQLExpressible)? = nil) {
    add(.raise("RAISE(IGNORE)", condition: condition?.sqlExpression))
  }

  private func add(_ step: TriggerModel.Step) { model.steps.append(step) }

  private func addFault(_ message: String) { if model.fault == nil { model.fault = message } }
}
