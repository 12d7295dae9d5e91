/// Facts about a kind of expression, apart from its children. They are listed once, in
/// ``SQLExpression/Node/traits``: a new kind states them there. Analyses that ask for anything else
/// take the answer that is right for an unknown kind.
struct ExpressionTraits: OptionSet {
  let rawValue: UInt16

  /// As an operand, it needs no parentheses.
  static let isAtom = Self(rawValue: 1 << 0)
  /// It has one column. The number of the others is that of their elements, or known to SQLite
  /// only.
  static let hasOneColumn = Self(rawValue: 1 << 1)
  /// It depends on no row if no child does.
  static let isConstantOfConstants = Self(rawValue: 1 << 2)
  /// An ungrouped request that selects it has one row if one that selects a child has.
  static let isAggregateOfAggregates = Self(rawValue: 1 << 3)
  /// SQLite itself knows that the value is JSON. Functions say it by their names.
  static let yieldsJSON = Self(rawValue: 1 << 4)
  /// Planning replaces it with columns that the schema knows.
  static let dependsOnSchema = Self(rawValue: 1 << 5)
  /// It is a column of the current source, or stands for one.
  static let belongsToSource = Self(rawValue: 1 << 6)
  /// No column of the current source is inside: there is none, or it belongs to a source already.
  static let hasNoColumnsOfSource = Self(rawValue: 1 << 7)

  /// An operator on its children.
  fileprivate static let isOperator: Self = [
    .hasOneColumn, .isConstantOfConstants, .isAggregateOfAggregates,
  ]
}

extension SQLExpression.Node {
  var traits: ExpressionTraits {
    switch self {
    case .column: [.isAtom, .hasOneColumn, .belongsToSource]
    case .value: [.isAtom, .hasOneColumn, .isConstantOfConstants, .hasNoColumnsOfSource]
    case .row: [.isAtom, .isConstantOfConstants]
    case .subquery: [.isAtom, .hasNoColumnsOfSource]
    case .literal: []
    case .cast: [.isAtom, .hasOneColumn, .isConstantOfConstants]
    case .function(let call): call.traits
    case .window: .hasOneColumn
    case .conditional: [.isAtom, .hasOneColumn]
    case .json: [.isAtom, .isOperator]
    case .jsonElement: [.isAtom, .hasOneColumn, .isConstantOfConstants, .yieldsJSON]
    case .binary(.jsonExtract, _, _): [.isOperator, .yieldsJSON]
    case .comparison, .binary, .associative, .between, .not, .prefix, .collate: .isOperator
    case .pattern: .hasOneColumn
    case .membership(_, .list, _), .membership(_, .rows, _): .isOperator
    case .membership(_, .subquery, _), .membership(_, .table, _):
      [.hasOneColumn, .isAggregateOfAggregates]
    case .exists: [.hasOneColumn, .hasNoColumnsOfSource]
    case .isZero: [.hasOneColumn, .isAggregateOfAggregates]
    case .qualified: [.isAtom, .isAggregateOfAggregates, .hasNoColumnsOfSource]
    case .aliasExists: [.isAtom, .hasOneColumn, .dependsOnSchema, .hasNoColumnsOfSource]
    case .associated: [.isAtom, .hasOneColumn, .isAggregateOfAggregates, .hasNoColumnsOfSource]
    case .rowIdentity, .fullText: [.isAtom, .hasOneColumn, .dependsOnSchema, .belongsToSource]
    case .invalid: [.isAtom, .hasNoColumnsOfSource]
    }
  }
}

extension SQLExpression.FunctionCall {
  fileprivate var traits: ExpressionTraits {
    var traits: ExpressionTraits = .hasOneColumn
    if filter == nil { traits.insert(.isAtom) }
    if isPure && !isAggregate { traits.insert(.isConstantOfConstants) }
    return traits
  }
}
