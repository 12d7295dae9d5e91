/// An item of the selection of a request: a column, an expression, all columns of a table.
///
/// ```swift
/// // SELECT "id", "score" + "bonus" AS "total" FROM "player"
/// Player.select(Column("id"), (Column("score") + Column("bonus")).forKey("total"))
/// ```
///
/// See <https://www.sqlite.org/syntax/result-column.html>.
public struct SQLSelection: Sendable {
  package let node: Node

  package init(_ node: Node) { self.node = node }

  package indirect enum Node: Sendable {
    /// `*`, or `"source".*`
    case allColumns
    /// The keys of the names of the columns left out.
    case allColumnsExcluding(Set<BinaryText>)
    case expression(SQLExpression)
    /// `X AS "name"`
    case aliased(SQLExpression, String)
    /// Raw SQL, of unknown width.
    case literal(SQL)
    /// The columns of the primary key of the current source.
    case primaryKey
    /// Columns of the current source that the schema has: planning puts them in the place of the
    /// two others.
    case columns([String])
    /// The inner selection belongs to the source that the alias designates.
    case qualified(SQLSelection, TableAliasBase)
    case invalid(InvalidRequest)
  }

  /// The selected expression, with a name or without.
  var expression: SQLExpression? {
    switch node {
    case .expression(let expression), .aliased(let expression, _): expression
    case .allColumns, .allColumnsExcluding, .literal, .primaryKey, .columns, .qualified, .invalid:
      nil
    }
  }
}
