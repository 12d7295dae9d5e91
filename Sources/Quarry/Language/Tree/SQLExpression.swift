/// An SQL expression of the query interface.
///
/// You don't build values of this type directly: operators and functions over columns and values
/// do.
///
/// ```swift
/// // ("score" + ?) * ?
/// let expression: SQLExpression = (Column("score") + 1) * 2
/// ```
///
/// See <https://www.sqlite.org/lang_expr.html>.
public struct SQLExpression: Sendable {
  package let node: Node
  /// The number of expressions from this one to the deepest one, where subqueries count more.
  let depth: UInt16
  /// Whether planning has something to find out: the plan of a query, or a column that the schema
  /// knows.
  let isOpen: Bool

  package init(_ node: Node) {
    let (depth, isOpen) = node.measure
    self.init(node, depth: depth + 1, isOpen: isOpen)
  }

  /// - parameter depth: the depth of the node, if it is known.
  init(_ node: Node, depth: Int, isOpen: Bool) {
    if depth <= TreeDepth.limit {
      self.node = node
      self.depth = UInt16(depth)
      self.isOpen = isOpen
    } else {
      self.node = .invalid(.tooDeep)
      self.depth = 1
      self.isOpen = false
    }
  }

  package init(_ value: DatabaseValue) {
    node = .value(value)
    depth = 1
    isOpen = false
  }

  /// The kinds of expressions. A node knows no SQL text: the writer does.
  ///
  /// Only cases that contain expressions are boxed: columns and values cost no allocation.
  package enum Node: Sendable {
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
    /// `SUM("price") OVER ("w")`: the inner expression is a call of a function.
    indirect case window(SQLExpression, over: SQLWindow)
    indirect case conditional(CaseExpression)
    /// An expression that is known to be JSON. It has the same SQL as the inner one.
    indirect case json(SQLExpression)
    /// `JSON(X)`: a text or a blob, as an element of a JSON value.
    indirect case jsonElement(SQLExpression)
    indirect case comparison(ComparisonOperator, SQLExpression, SQLExpression)
    indirect case binary(BinaryOperator, SQLExpression, SQLExpression)
    indirect case associative(AssociativeBinaryOperator, RunList<SQLExpression>)
    indirect case pattern(
      PatternOperator, SQLExpression, SQLExpression, escape: SQLExpression?, isNegated: Bool)
    indirect case between(SQLExpression, SQLExpression, SQLExpression, isNegated: Bool)
    indirect case membership(SQLExpression, in: MembershipList, isNegated: Bool)
    indirect case exists(SQLSubquery, isNegated: Bool)
    indirect case not(SQLExpression)
    indirect case prefix(PrefixOperator, SQLExpression)
    indirect case collate(SQLExpression, collation: String)
    /// `X = 0` or `X > 0`: the test of an association aggregate.
    indirect case isZero(SQLExpression, isNegated: Bool)
    /// The inner expression belongs to the source that the alias designates. It is never an
    /// operator: see `qualified(by:)`.
    indirect case qualified(SQLExpression, TableAliasBase)
    /// `"author"."id" IS NOT NULL`
    indirect case aliasExists(TableAliasBase, isNegated: Bool)
    /// An aggregate function over the rows of an association, whose destination the alias
    /// designates: a call, or a subquery where the plan isolates the aggregate.
    indirect case associated(SQLExpression, TableAliasBase)
    /// The column that identifies a row of the current source: `id`, `rowid`, the single key
    /// column.
    case rowIdentity
    /// A reference to the current source, which is a full-text table.
    indirect case fullText(FullTextTerm)
    /// A request can't be built: the fault is thrown when the request is prepared.
    indirect case invalid(InvalidRequest)
  }

  /// The right operand of `IN`.
  package enum MembershipList: Sendable {
    case list([SQLExpression])
    /// `IN (VALUES (?, ?), (?, ?))`: row values
    case rows([SQLExpression])
    case subquery(SQLSubquery)
    /// `IN "name"`, a table or a common table expression.
    case table(String)
  }

  /// Operators that compare for equality or identity.
  package enum ComparisonOperator: UInt8, Sendable {
    case equal, notEqual, identical, notIdentical
  }

  /// Operators with two operands that don't associate.
  package enum BinaryOperator: UInt8, Sendable {
    case lessThan, lessThanOrEqual, greaterThan, greaterThanOrEqual
    case subtract, divide, modulo, leftShift, rightShift
    case match, jsonExtract, jsonExtractSQL
  }

  /// Operators with one operand, written before it.
  package enum PrefixOperator: Sendable {
    case minus, bitwiseNot
  }

  /// Operators that compare a string with a pattern.
  package enum PatternOperator: UInt8, Sendable {
    case like, glob, regexp
  }

  /// A call of an SQL function.
  package struct FunctionCall: Sendable {
    package var name: String
    var arguments: [SQLExpression]
    var isDistinct = false
    /// The order in which an aggregate function sees its values.
    var orderings: [SQLOrdering] = []
    package var filter: SQLExpression?
    package var isAggregate = false
    /// A pure function of constants is a constant.
    package var isPure = false
    /// The first version of SQLite that has the function, if the library runs with earlier ones.
    var since: SQLiteVersion?
    /// How an error names what earlier versions lack, if not by the name.
    var feature: String?
    /// `COUNT(*)`: all other functions without arguments have none in SQL either.
    var isOfAllRows: Bool { isAggregate && arguments.isEmpty && name == "COUNT" }
  }

  /// `CASE X WHEN A THEN B ELSE C END`
  package struct CaseExpression: Sendable {
    var operand: SQLExpression?
    package var branches: [(condition: SQLExpression, result: SQLExpression)] = []
    package var otherwise: SQLExpression?

    package init(operand: SQLExpression? = nil) { self.operand = operand }
  }
}
