public import Testing

@testable public import Quarry

/// SQL text with its arguments.
public struct RenderedSQL: Equatable, Sendable, CustomStringConvertible {
  /// The text.
  public var sql: String

  /// The arguments, in the order of the text.
  public var arguments: StatementArguments

  /// Creates the expectation of a test.
  public init(_ sql: String, _ arguments: StatementArguments = []) {
    self.sql = sql
    self.arguments = arguments
  }

  /// The text, then the arguments.
  public var description: String {
    arguments.isEmpty ? sql : "\(sql) \(arguments)"
  }
}

/// The SQL of a request, for a schema given in code: no database is needed.
public func sql(
  of request: some SQLSubqueryable, schema: LiteralSchemaReader = .bookshop,
  forSingleResult: Bool = false, sqliteVersion: SQLiteVersion? = nil
) throws -> RenderedSQL {
  try sql(
    of: request.sqlSubquery, in: PlanningContext(schema: schema, sqliteVersion: sqliteVersion),
    forSingleResult: forSingleResult)
}

/// The SQL of a request, for the schema of a database.
func sql(of query: SQLSubquery, in db: Database) throws -> RenderedSQL {
  try sql(of: query, in: PlanningContext(db))
}

private func sql(
  of query: SQLSubquery, in context: PlanningContext, forSingleResult: Bool = false
) throws -> RenderedSQL {
  let text =
    switch query.node {
    case .literal(let sql):
      try SQLWriter.write(literal: sql, in: context)
    case .relation(let relation):
      try SQLWriter.write(
        select: Planner.plan(relation, in: context, forSingleResult: forSingleResult),
        in: context)
    case .compound(let compound):
      try CompiledQuery(compound, in: context, forSingleResult: forSingleResult).text
    case .planned:
      throw InvalidRequest("not a request")
    }
  return RenderedSQL(text.sql, text.arguments)
}

/// The SQL of an expression in a select list, on the table `book`.
public func sql(
  expression: some SQLSpecificExpressible, schema: LiteralSchemaReader = .bookshop,
  sqliteVersion: SQLiteVersion? = nil
) throws -> RenderedSQL {
  var rendered = try sql(
    of: Table("book").select(expression.sqlExpression), schema: schema,
    sqliteVersion: sqliteVersion)
  rendered.sql = String(
    rendered.sql.dropFirst("SELECT ".count).dropLast(#" FROM "book""#.count))
  return rendered
}

/// The SQL that counts the rows of a request.
public func countSQL(
  of request: QueryInterfaceRequest<some Any>, schema: LiteralSchemaReader = .bookshop
) throws -> RenderedSQL {
  let context = PlanningContext(schema: schema)
  let text = try request.relation.compiled(for: .count, in: context).text
  return RenderedSQL(text.sql, text.arguments)
}

/// The SQL that counts the rows of a compound request.
public func countSQL(
  of request: CompoundRequest<some Any>, schema: LiteralSchemaReader = .bookshop
) throws -> RenderedSQL {
  let context = PlanningContext(schema: schema)
  guard case .compound(let compound) = request.sqlSubquery.node else {
    throw InvalidRequest("not a compound")
  }
  let text = try compound.compiled(for: .count, in: context).text
  return RenderedSQL(text.sql, text.arguments)
}

/// The SQL that determines whether a request has rows.
public func existsSQL(
  of request: QueryInterfaceRequest<some Any>, schema: LiteralSchemaReader = .bookshop
) throws -> RenderedSQL {
  let context = PlanningContext(schema: schema)
  let text = try request.relation.compiled(for: .exists, in: context).text
  return RenderedSQL(text.sql, text.arguments)
}

/// The SQL that deletes the rows of a request.
public func deleteSQL(
  of request: QueryInterfaceRequest<some Any>, returning selection: [any SQLSelectable]? = nil,
  schema: LiteralSchemaReader = .bookshop, limitsModifications: Bool? = true
) throws -> RenderedSQL {
  let context = PlanningContext(schema: schema, limitsModifications: limitsModifications)
  let text = try SQLWriter.write(
    delete: request.relation, returning: selection?.map(\.sqlSelection), in: context)
  return RenderedSQL(text.sql, text.arguments)
}

/// The SQL that updates the rows of a request.
public func updateSQL(
  of request: QueryInterfaceRequest<some Any>, _ assignments: [ColumnAssignment],
  conflictResolution: String? = nil, returning selection: [any SQLSelectable]? = nil,
  schema: LiteralSchemaReader = .bookshop
) throws -> RenderedSQL {
  let context = PlanningContext(schema: schema, limitsModifications: true)
  let text = try SQLWriter.write(
    update: request.relation, assignments: assignments, conflictResolution: conflictResolution,
    returning: selection?.map(\.sqlSelection), in: context)
  return RenderedSQL(text.sql, text.arguments)
}

/// An expression and its expected SQL: a line of a table of rendering rules.
public struct ExpressionCase: Sendable, CustomTestStringConvertible {
  /// The expression.
  public let expression: SQLExpression

  /// What it should render.
  public let expected: RenderedSQL

  /// An expression and its expected SQL.
  public init(
    _ expression: some SQLSpecificExpressible, _ sql: String, _ arguments: StatementArguments = []
  ) {
    self.expression = expression.sqlExpression
    expected = RenderedSQL(sql, arguments)
  }

  /// The expected SQL.
  public var testDescription: String { expected.description }
}

/// The message of the error that says why a request is invalid. Nil if it is valid.
public func invalidity(of prepare: @autoclosure () throws -> some Any) throws -> String? {
  do {
    _ = try prepare()
    return nil
  } catch let error as InvalidRequest {
    return error.message
  }
}
