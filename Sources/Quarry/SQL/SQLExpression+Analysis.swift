// What planning knows of an expression without the schema: the columns that it pins to a constant, whether it
// is a constant, whether it is an aggregate. When does `fetchOne` need `LIMIT 1`?

extension SQLExpression {
  /// The lower-cased names of the columns that equal a constant wherever the expression is true.
  ///
  /// - parameter aliases: the aliases of the source whose columns are looked for.
  func identifyingColumns(aliases: [TableAliasBase]) -> Set<String> {
    var columns: Set<String> = []
    collectIdentifyingColumns(aliases: aliases, into: &columns)
    return columns
  }

  private func collectIdentifyingColumns(
    aliases: [TableAliasBase], into columns: inout Set<String>
  ) {
    switch node {
    case _ where !fitsStack:
      break
    case .associative(.and, let operands):
      for operand in operands {
        operand.collectIdentifyingColumns(aliases: aliases, into: &columns)
      }
    case .comparison(.equal, let left, let right), .comparison(.identical, let left, let right):
      if right.isConstant {
        left.collectBijectedColumns(aliases: aliases, into: &columns)
      } else if left.isConstant {
        right.collectBijectedColumns(aliases: aliases, into: &columns)
      }
    case .collate(let operand, _):
      operand.collectIdentifyingColumns(aliases: aliases, into: &columns)
    default:
      break
    }
  }

  private func collectBijectedColumns(
    aliases: [TableAliasBase], into columns: inout Set<String>
  ) {
    if case .row(let elements) = node {
      for element in elements {
        element.collectBijectedColumns(aliases: aliases, into: &columns)
      }
    } else if let column = bijectedColumn(aliases: aliases) {
      columns.insert(column.lowercased())
    }
  }

  /// The column behind a one-to-one transformation: two values of the expression differ if the column does.
  func bijectedColumn(aliases: [TableAliasBase]) -> String? {
    switch node {
    case _ where !fitsStack:
      return nil
    case .column(let name):
      return name
    case .qualified(let inner, let alias):
      return aliases.contains(alias) ? inner.bijectedColumn(aliases: []) : nil
    case .prefix(.minus, let operand), .collate(let operand, _), .json(let operand):
      return operand.bijectedColumn(aliases: aliases)
    case .associative(.concat, let operands):
      let variables = operands.filter { !$0.isConstant }
      return variables.count == 1 ? variables[0].bijectedColumn(aliases: aliases) : nil
    case .function(let call):
      return call.bijectedColumn(aliases: aliases)
    default:
      return nil
    }
  }

  /// True for values, and what is made of them. Raw SQL, subqueries and columns are no constants.
  var isConstant: Bool {
    switch node {
    case _ where !fitsStack: false
    case .value: true
    case .associative(_, let operands): operands.allSatisfy(\.isConstant)
    case .row(let elements): elements.allSatisfy(\.isConstant)
    case .comparison(_, let left, let right): left.isConstant && right.isConstant
    case .binary(_, let left, let right): left.isConstant && right.isConstant
    case .between(let operand, let lower, let upper, _):
      operand.isConstant && lower.isConstant && upper.isConstant
    case .membership(let operand, .list(let elements), _),
      .membership(let operand, .rows(let elements), _):
      operand.isConstant && elements.allSatisfy(\.isConstant)
    case .cast(let operand, _), .not(let operand), .prefix(_, let operand),
      .collate(let operand, _), .json(let operand), .jsonElement(let operand):
      operand.isConstant
    case .function(let call):
      call.isPure && !call.isAggregate && call.arguments.allSatisfy(\.isConstant)
    default: false
    }
  }

  /// True if a request that selects the expression has one row, unless it is grouped.
  var isAggregate: Bool {
    switch node {
    case _ where !fitsStack: false
    case .countAll: true
    case .function(let call): call.isAggregate
    case .associative(_, let operands): operands.contains(where: \.isAggregate)
    case .comparison(_, let left, let right): left.isAggregate || right.isAggregate
    case .binary(_, let left, let right): left.isAggregate || right.isAggregate
    case .membership(let operand, .list(let elements), _):
      operand.isAggregate || elements.contains(where: \.isAggregate)
    case .between(let operand, _, _, _), .membership(let operand, _, _), .not(let operand),
      .prefix(_, let operand), .collate(let operand, _), .isZero(let operand, _),
      .json(let operand),
      .qualified(let operand, _), .associated(let operand, _):
      operand.isAggregate
    default: false
    }
  }
}

extension SQLExpression {
  /// True if there is a window function in the expression, subqueries and raw SQL excluded.
  var hasWindow: Bool {
    switch node {
    case _ where !fitsStack: false
    case .window: true
    case .function(let call): call.arguments.contains(where: \.hasWindow)
    case .row(let elements): elements.contains(where: \.hasWindow)
    case .associative(_, let operands): operands.contains(where: \.hasWindow)
    case .comparison(_, let left, let right): left.hasWindow || right.hasWindow
    case .binary(_, let left, let right): left.hasWindow || right.hasWindow
    case .pattern(_, let operand, let pattern, _, _): operand.hasWindow || pattern.hasWindow
    case .between(let operand, let lower, let upper, _):
      operand.hasWindow || lower.hasWindow || upper.hasWindow
    case .membership(let operand, _, _), .cast(let operand, _), .not(let operand),
      .prefix(_, let operand), .collate(let operand, _), .isZero(let operand, _),
      .json(let operand), .jsonElement(let operand):
      operand.hasWindow
    case .conditional(let expression):
      expression.operand?.hasWindow == true || expression.otherwise?.hasWindow == true
        || expression.branches.contains { $0.condition.hasWindow || $0.result.hasWindow }
    default: false
    }
  }
}

extension SQLExpression.FunctionCall {
  fileprivate func bijectedColumn(aliases: [TableAliasBase]) -> String? {
    switch (name, arguments.count) {
    case ("HEX", 1), ("QUOTE", 1):
      arguments[0].bijectedColumn(aliases: aliases)
    case ("IFNULL", 2) where arguments[1].isConstant:
      arguments[0].bijectedColumn(aliases: aliases)
    default:
      nil
    }
  }
}
