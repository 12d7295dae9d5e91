public import Quarry

extension Database {
  /// Creates a trigger.
  ///
  /// ```swift
  /// // CREATE TRIGGER "captainInsert" INSTEAD OF INSERT ON "captain" BEGIN
  /// //     UPDATE "player" SET "isCaptain" = 0 WHERE "teamId" = "NEW"."teamId";
  /// // END
  /// try db.create(trigger: "captainInsert", .insteadOf, .insert, on: "captain") { t in
  ///   t.update(
  ///     Player.filter(Column("teamId") == t.new["teamId"]),
  ///     [Column("isCaptain").set(to: false)])
  /// }
  /// ```
  ///
  /// SQLite looks at the body of a trigger when it runs. This method compiles it at once, so that
  /// an unknown table or column is an error of the definition. An error of another trigger of the
  /// same event is none.
  ///
  /// See <https://www.sqlite.org/lang_createtrigger.html>.
  ///
  /// - parameter name: The name of the trigger.
  /// - parameter timing: When it runs.
  /// - parameter event: What runs it.
  /// - parameter table: The table or view.
  /// - parameter options: The options of the trigger.
  /// - parameter body: Defines the condition and the statements.
  /// - throws: A `DatabaseError`, an `InvalidRequest` for an invalid definition, and the error
  ///   of `body`. Nothing is created then.
  public func create(
    trigger name: String, _ timing: TriggerTiming, _ event: TriggerEvent, on table: String,
    options: TriggerOptions = [], body: (TriggerDefinition<Row>) throws -> Void
  ) throws {
    try createTrigger(
      TriggerModel(name: name, timing: timing, event: event, table: table, options: options),
      body: body)
  }

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

  /// Drops a trigger.
  ///
  /// ```swift
  /// // DROP TRIGGER "captainInsert"
  /// try db.drop(trigger: "captainInsert")
  /// ```
  ///
  /// - throws: A `DatabaseError`.
  public func drop(trigger name: String) throws {
    try execute(sql: "DROP TRIGGER \(DefinitionName(name, schema).sql)")
  }

  private func createTrigger<RowDecoder>(
    _ model: TriggerModel, body: (TriggerDefinition<RowDecoder>) throws -> Void
  ) throws {
    let definition = TriggerDefinition<RowDecoder>(model)
    try body(definition)
    let trigger = try ResolvedTrigger(definition.model, schema: schema)
    let sql = try trigger.sql()
    let probe = try trigger.probeSQL()
    // Triggers of the same event are compiled together: another one may be at fault.
    let earlierError = failure(ofCompiling: probe)
    try inSavepoint {
      try execute(sql: sql)
      if let error = failure(ofCompiling: probe), error.message != earlierError?.message {
        throw DatabaseError(
          resultCode: error.extendedResultCode, message: error.message, sql: sql)
      }
      return .commit
    }
  }

  /// Why a statement does not compile.
  func failure(ofCompiling sql: String) -> DatabaseError? {
    do {
      _ = try makeStatement(sql: sql)
      return nil
    } catch {
      return error as? DatabaseError
    }
  }
}
