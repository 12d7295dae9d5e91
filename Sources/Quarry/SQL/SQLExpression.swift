/// An SQL expression of the query interface.
///
/// You don't build values of this type directly: operators and functions over columns and values do.
///
/// ```swift
/// // ("score" + ?) * ?
/// let expression: SQLExpression = (Column("score") + 1) * 2
/// ```
///
/// See <https://www.sqlite.org/lang_expr.html>.
public struct SQLExpression: Sendable {
  let node: Node

  init(_ node: Node) {
    self.node = node
  }

  init(_ value: DatabaseValue) {
    self.node = .value(value)
  }

  /// The kinds of expressions. A node knows no SQL text: the writer does.
  ///
  /// Only cases that contain expressions are boxed: columns and values cost no allocation.
  enum Node: Sendable {
    /// A column of the source whose clause the expression stands in.
    case column(String)
    case value(DatabaseValue)
    /// `("a", "b")`
    case row([SQLExpression])
    case subquery(SQLSubquery)
    /// Raw SQL, with its interpolated expressions.
    case literal(SQL)
    /// `CAST(x AS TEXT)`
    indirect case cast(SQLExpression, type: String)
    indirect case function(FunctionCall)
    /// `COUNT(*)`
    case countAll
    indirect case comparison(ComparisonOperator, SQLExpression, SQLExpression)
    indirect case binary(BinaryOperator, SQLExpression, SQLExpression)
    indirect case associative(AssociativeBinaryOperator, [SQLExpression])
    indirect case like(SQLExpression, SQLExpression, escape: SQLExpression?, isNegated: Bool)
    indirect case between(SQLExpression, SQLExpression, SQLExpression, isNegated: Bool)
    indirect case membership(SQLExpression, in: Collection, isNegated: Bool)
    indirect case exists(SQLSubquery, isNegated: Bool)
    indirect case not(SQLExpression)
    indirect case prefix(PrefixOperator, SQLExpression)
    indirect case collate(SQLExpression, collation: String)
    /// `X = 0` or `X > 0`: the test of an association aggregate.
    indirect case isZero(SQLExpression, isNegated: Bool)
    /// The inner expression belongs to the source that the alias designates. It is never an operator:
    /// see `qualified(by:)`.
    indirect case qualified(SQLExpression, TableAliasBase)
    /// `"author"."id" IS NOT NULL`
    indirect case aliasExists(TableAliasBase, isNegated: Bool)
    /// The column that identifies a row of the current source: `id`, `rowid`, the single key column.
    case rowIdentity
    /// A request can't be built: the fault is thrown when the request is prepared.
    indirect case invalid(InvalidRequest)
  }

  /// What stands at the right of `IN`.
  enum Collection: Sendable {
    case list([SQLExpression])
    case subquery(SQLSubquery)
    /// `IN "name"`, a table or a common table expression.
    case table(String)
  }

  /// Operators that compare for equality or identity.
  enum ComparisonOperator: Sendable {
    case equal, notEqual, identical, notIdentical
  }

  /// Operators with two operands that don't associate.
  enum BinaryOperator: Sendable {
    case lessThan, lessThanOrEqual, greaterThan, greaterThanOrEqual
    case subtract, divide, leftShift, rightShift
    case match, jsonExtract, jsonExtractSQL
  }

  /// Operators with one operand, written before it.
  enum PrefixOperator: Sendable {
    case minus, bitwiseNot
  }

  /// A call of an SQL function.
  struct FunctionCall: Sendable {
    var name: String
    var arguments: [SQLExpression]
    var isDistinct = false
    var filter: SQLExpression?
    var isAggregate = false
    /// A pure function of constants is a constant.
    var isPure = false
  }
}
