// SQL that is no query of a relation: SQL written by hand, and the literal SQL of definitions.

extension SQLWriter {
  /// Writes SQL with its arguments.
  static func write(literal sql: SQL, in context: PlanningContext) throws -> SQLText {
    var writer = SQLWriter(.withoutSource(context))
    try writer.write(sql)
    return try writer.finish()
  }

  /// Writes an expression whose values are SQL literals: definitions have no arguments.
  static func literalSQL(
    _ expression: SQLExpression, schema: any SchemaReader
  ) throws -> String {
    try literalSQL(schema) { try $0.write(expression) }
  }

  /// Writes SQL whose values are SQL literals.
  ///
  /// - Throws: `InvalidRequest` for raw SQL with parameters.
  static func literalSQL(_ sql: SQL, schema: any SchemaReader) throws -> String {
    try literalSQL(schema) { try $0.write(sql) }
  }

  /// Writes a query, without parentheses, whose values are SQL literals.
  static func literalSQL(subquery: SQLSubquery, schema: any SchemaReader) throws -> String {
    try literalSQL(schema) { try $0.write(nested: subquery) }
  }

  private static func literalSQL(
    _ schema: any SchemaReader, _ body: (inout SQLWriter) throws -> Void
  ) throws -> String {
    let context = PlanningContext(schema: schema, connection: nil)
    var writer = SQLWriter(.withoutSource(context), mode: .literals)
    try body(&writer)
    return try writer.finish().sql
  }
}
