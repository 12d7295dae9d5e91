/// Why a request is not compared: its rows are not determined, or too many.
struct UndeterminedRows: Error {}

/// A row of a request.
struct RandomRow {
  var columns: [(name: String, value: RandomValue)]
  var scopes: [String: RandomRow] = [:]
  var prefetched: [String: RandomRows] = [:]
}

/// Rows of a request: the order of the groups is known, that inside a group is not.
struct RandomRows {
  var groups: [[RandomRow]] = []

  var count: Int { groups.reduce(0) { $0 + $1.count } }
}

/// The rows of a request, by definition: nested loops over arrays.
struct RandomRequestEvaluation {
  /// The row of each node: an index, or one of these.
  private typealias Choice = [Int]
  private static let nullRow = -1
  private static let noRow = -2
  private static let maximalCount = 1500

  let world: RandomWorld
  let request: RandomRequest
  private let budget = Budget()

  init(world: RandomWorld, request: RandomRequest) {
    self.world = world
    self.request = request
  }

  /// The number of rows that the loops may visit: some requests multiply many rows that no result
  /// shows.
  private final class Budget {
    private var left = 300_000

    func visitRow() throws {
      left -= 1
      if left < 0 { throw UndeterminedRows() }
    }
  }

  func rows() throws -> RandomRows {
    let nothing = Choice(repeating: Self.noRow, count: request.tables.count)
    let starts = world.tables[request.root.table].rows.indices.map { row in
      nothing.with(request.root.id, row)
    }
    return try rows(of: request.root, from: starts, pivots: [])
  }

  /// The rows of an association of one row of the root.
  func rows(of association: RandomAssociation, ofRow row: Int) throws -> RandomRows {
    let nothing = Choice(repeating: Self.noRow, count: request.tables.count)
    return try rows(
      of: association, behind: request.root.id, nothing.with(request.root.id, row))
  }

  /// The rows of a query, from the rows of its root.
  private func rows(
    of root: RandomNode, from starts: [Choice], pivots: [RandomNode]
  ) throws -> RandomRows {
    let joins = root.joins
    // Where joins lead to many rows, what is prefetched is found by the columns of its origin.
    if joins.contains(where: { $0.leadsToMany && $0.hidesOrigins }) { throw UndeterminedRows() }
    var choices: [Choice] = []
    for start in starts {
      choices += try expand(joins[...], behind: root.id, start)
      if choices.count > Self.maximalCount { throw UndeterminedRows() }
    }
    choices = choices.filter { choice in
      root.filters.allSatisfy { isTrue($0, choice) }
    }
    var rows = try groups(choices, of: root).map { group in
      try (row: row(of: root, joins, group), key: sortKey(of: root, joins, pivots, group))
    }
    if root.isDistinct { rows = try distinct(rows) }
    let terms = orderTerms(of: root, joins, pivots)
    let sorted = rows.enumerated().sorted { lhs, rhs in
      switch compare(lhs.element.key, rhs.element.key, terms) {
      case .orderedBefore: true
      case .orderedAfter: false
      case .same: lhs.offset < rhs.offset
      }
    }
    var result = RandomRows()
    var last: [RandomValue]?
    for (_, (row, key)) in sorted {
      if let last, compare(last, key, terms) == .same {
        result.groups[result.groups.count - 1].append(row)
      } else {
        result.groups.append([row])
      }
      last = key
    }
    if let limit = root.limit { try result.limit(limit.count, offset: limit.offset ?? 0) }
    return result
  }
}

// Joins
extension RandomRequestEvaluation {
  /// The choices of rows for some joins, one after the other.
  private func expand(
    _ joins: ArraySlice<RandomJoin>, behind parent: Int, _ choice: Choice
  ) throws -> [Choice] {
    guard let join = joins.first else { return [choice] }
    var choices: [Choice] = []
    for choice in try expand(join, behind: parent, choice) {
      choices += try expand(joins.dropFirst(), behind: parent, choice)
      if choices.count > Self.maximalCount { throw UndeterminedRows() }
    }
    return choices
  }

  private func expand(
    _ join: RandomJoin, behind parent: Int, _ choice: Choice
  ) throws -> [Choice] {
    var choices: [Choice] = []
    for row in try linkedRows(join, behind: parent, choice) {
      try budget.visitRow()
      let next = choice.with(join.node.id, row)
      guard join.node.filters.allSatisfy({ isTrue($0, next) }) else { continue }
      choices += try expand(join.joins[...], behind: join.node.id, next)
    }
    // What is prefetched after a join to one row belongs to one.
    if choices.count > 1 && join.hasPrefetches && !join.leadsToMany { throw UndeterminedRows() }
    if choices.isEmpty && !join.isRequired { return [nullRows(of: join, choice)] }
    return choices
  }

  private func linkedRows(
    _ join: RandomJoin, behind parent: Int, _ choice: Choice
  ) throws -> [Int] {
    guard let association = join.picked else { return linkedRows(join.node, choice[parent]) }
    let destination = association.destination
    let pivots = Array(association.steps.dropLast().reversed())
    let terms = orderTerms(of: destination, [], pivots)
    let rows = try paths(of: association, behind: parent, choice)
      .filter { choice in destination.filters.allSatisfy { isTrue($0, choice) } }
      .map { choice in
        (row: choice[destination.id], key: terms.map { value($0.reference, choice) })
      }
      .sorted { compare($0.key, $1.key, terms) == .orderedBefore }
    guard let picked = association.pick == .first ? rows.first : rows.last else { return [] }
    let rivals = rows.filter { compare($0.key, picked.key, terms) == .same }
    if rivals.contains(where: { $0.row != picked.row }) { throw UndeterminedRows() }
    return [picked.row]
  }

  private func linkedRows(_ node: RandomNode, _ row: Int) -> [Int] {
    guard row >= 0 else { return [] }
    return node.kind == .belongsTo
      ? world.destinations[node.link][row] : world.origins[node.link][row]
  }

  private func nullRows(of join: RandomJoin, _ choice: Choice) -> Choice {
    join.joins.reduce(choice.with(join.node.id, Self.nullRow)) { nullRows(of: $1, $0) }
  }

  /// One group per row of the root when there are aggregates.
  private func groups(_ choices: [Choice], of root: RandomNode) throws -> [[Choice]] {
    guard root.isAggregated else { return choices.map { [$0] } }
    var groups: [[Choice]] = []
    var indexes: [Int: Int] = [:]
    for choice in choices {
      if let index = indexes[choice[root.id]] {
        groups[index].append(choice)
      } else {
        indexes[choice[root.id]] = groups.count
        groups.append([choice])
      }
    }
    return groups.filter { group in
      root.items.allSatisfy { item in
        guard case .having(let association, let aggregate, let comparison, let value) = item
        else { return true }
        let left = self.value(of: aggregate, association, group)
        return comparison.test(left, .integer(value)) == true
      }
    }
  }

  private func value(
    of aggregate: RandomAggregate, _ association: RandomAssociation, _ group: [Choice]
  ) -> RandomValue {
    // Other joins repeat the rows of the association.
    var known: Set<[Int]> = []
    let group = group.filter { choice in
      known.insert(association.steps.map { choice[$0.id] }).inserted
    }
    let node = association.destination
    func values(_ column: Int) -> [RandomValue] {
      group.map { value(RandomReference(node: node.id, column: column), $0) }
        .filter { !$0.isNull }
    }
    func integers(_ column: Int) -> [Int64] {
      values(column).map { if case .integer(let integer) = $0 { integer } else { 0 } }
    }
    let count = Set(group.map { $0[node.id] }.filter { $0 >= 0 }).count
    switch aggregate {
    case .count: return .integer(Int64(count))
    case .isEmpty: return .integer(count == 0 ? 1 : 0)
    case .min(let column): return values(column).min { $0.precedes($1) } ?? .null
    case .max(let column): return values(column).max { $0.precedes($1) } ?? .null
    case .sum(let column):
      let integers = integers(column)
      return integers.isEmpty ? .null : .integer(integers.reduce(0, +))
    case .average(let column):
      let integers = integers(column)
      return integers.isEmpty
        ? .null : .real(Double(integers.reduce(0, +)) / Double(integers.count))
    case .total(let column): return .real(Double(integers(column).reduce(0, +)))
    }
  }
}

// Rows
extension RandomRequestEvaluation {
  private func row(
    of root: RandomNode, _ joins: [RandomJoin], _ group: [Choice]
  ) throws -> RandomRow {
    let choice = group[0]
    var row = RandomRow(columns: columns(of: root, choice))
    for item in root.items {
      if case .aggregates(let association, let aggregates) = item {
        row.columns += aggregates.map { aggregate, name in
          (name: name, value: value(of: aggregate, association, group))
        }
      }
      row.columns += annotation(item, choice)
    }
    for join in joins where join.hasScope {
      row.scopes[join.node.key] = try scope(of: join, choice)
    }
    row.prefetched = try prefetched(root, joins, choice)
    // Without aggregates a group has one choice. With them, all have to agree.
    for other in group.dropFirst() {
      guard columns(of: root, other).elementsEqual(columns(of: root, choice), by: ==),
        root.items.allSatisfy({
          annotation($0, other).elementsEqual(annotation($0, choice), by: ==)
        }),
        try joins.allSatisfy({
          try !$0.hasScope || scope(of: $0, other).isSame(as: scope(of: $0, choice))
        })
      else { throw UndeterminedRows() }
    }
    return row
  }

  private func columns(
    of node: RandomNode, _ choice: Choice
  ) -> [(name: String, value: RandomValue)] {
    let columns = world.tables[node.table].columns
    return (node.selection ?? Array(columns.indices)).map { column in
      (columns[column].name, value(RandomReference(node: node.id, column: column), choice))
    }
  }

  private func annotation(
    _ item: RandomItem, _ choice: Choice
  ) -> [(name: String, value: RandomValue)] {
    guard case .annotate(let association, _, let name) = item else { return [] }
    return columns(of: association.destination, choice).map { (name, $0.value) }
  }

  private func scope(of join: RandomJoin, _ choice: Choice) throws -> RandomRow {
    var row = RandomRow(columns: join.isIncluded ? columns(of: join.node, choice) : [])
    if join.isIncluded {
      for item in join.node.items { row.columns += annotation(item, choice) }
    }
    for child in join.joins where child.hasScope {
      row.scopes[child.node.key] = try scope(of: child, choice)
    }
    row.prefetched = try prefetched(join.node, join.joins, choice)
    return row
  }

  /// What is prefetched for the row of a node, and for those joined to it.
  private func prefetched(
    _ node: RandomNode, _ joins: [RandomJoin], _ choice: Choice
  ) throws -> [String: RandomRows] {
    var prefetched: [String: RandomRows] = [:]
    for case .prefetch(let association) in node.items {
      prefetched[association.destination.key] = try rows(
        of: association, behind: node.id, choice)
    }
    for join in joins {
      try prefetched.merge(self.prefetched(join.node, join.joins, choice)) { $1 }
    }
    return prefetched
  }

  /// The rows of an association of one row.
  private func rows(
    of association: RandomAssociation, behind parent: Int, _ choice: Choice
  ) throws -> RandomRows {
    try rows(
      of: association.destination, from: paths(of: association, behind: parent, choice),
      pivots: association.steps.dropLast().reversed())
  }

  /// All paths through the pivots.
  private func paths(
    of association: RandomAssociation, behind parent: Int, _ choice: Choice
  ) throws -> [Choice] {
    var choices = [choice]
    var last = parent
    for step in association.steps.dropLast() {
      choices = try choices.flatMap { choice in
        try linkedRows(step, choice[last]).flatMap { row in
          try budget.visitRow()
          let next = choice.with(step.id, row)
          return step.filters.allSatisfy { isTrue($0, next) }
            ? try expand(step.joins[...], behind: step.id, next) : []
        }
      }
      last = step.id
    }
    return try choices.flatMap { choice in
      try linkedRows(association.destination, choice[last]).map { row in
        try budget.visitRow()
        return choice.with(association.destination.id, row)
      }
    }
  }

  private func distinct(
    _ rows: [(row: RandomRow, key: [RandomValue])]
  ) throws -> [(row: RandomRow, key: [RandomValue])] {
    var result: [(row: RandomRow, key: [RandomValue])] = []
    for row in rows {
      guard let same = result.first(where: { $0.row.isSame(as: row.row) }) else {
        result.append(row)
        continue
      }
      if same.key != row.key { throw UndeterminedRows() }
    }
    return result
  }
}

// Conditions and orders
extension RandomRequestEvaluation {
  private func value(_ reference: RandomReference, _ choice: Choice) -> RandomValue {
    let row = choice[reference.node]
    return row >= 0
      ? world.tables[request.tables[reference.node]].rows[row][reference.column] : .null
  }

  private func isTrue(_ predicate: RandomPredicate, _ choice: Choice) -> Bool {
    test(predicate, choice) == true
  }

  /// Nil is unknown.
  private func test(_ predicate: RandomPredicate, _ choice: Choice) -> Bool? {
    switch predicate {
    case .compare(let reference, let comparison, let constant):
      return comparison.test(value(reference, choice), constant)
    case .compareColumns(let lhs, let comparison, let rhs):
      return comparison.test(value(lhs, choice), value(rhs, choice))
    case .isNull(let reference):
      return value(reference, choice).isNull
    case .isIn(let reference, let values):
      let value = value(reference, choice)
      return values.isEmpty ? false : value.isNull ? nil : values.contains(value)
    case .and(let lhs, let rhs):
      let (lhs, rhs) = (test(lhs, choice), test(rhs, choice))
      return lhs == false || rhs == false ? false : lhs == nil || rhs == nil ? nil : true
    case .or(let lhs, let rhs):
      let (lhs, rhs) = (test(lhs, choice), test(rhs, choice))
      return lhs == true || rhs == true ? true : lhs == nil || rhs == nil ? nil : false
    case .not(let operand):
      return test(operand, choice).map { !$0 }
    }
  }

  /// The terms of a query: its own, those of its joins, those of the pivots that follow.
  private func orderTerms(
    of root: RandomNode, _ joins: [RandomJoin], _ pivots: [RandomNode]
  ) -> [RandomOrderTerm] {
    terms(root, joins + pivots.chained, isReversed: false)
  }

  private func terms(
    _ node: RandomNode, _ joins: [RandomJoin], isReversed: Bool
  ) -> [RandomOrderTerm] {
    let isReversed = node.isReversed != isReversed
    let own = node.order.map { isReversed ? $0.reversed : $0 }
    return own + joins.flatMap { terms($0.node, $0.joins, isReversed: isReversed) }
  }

  private func sortKey(
    of root: RandomNode, _ joins: [RandomJoin], _ pivots: [RandomNode], _ group: [Choice]
  ) throws -> [RandomValue] {
    let terms = orderTerms(of: root, joins, pivots)
    let keys = group.map { choice in terms.map { value($0.reference, choice) } }
    guard keys.allSatisfy({ $0 == keys[0] }) else { throw UndeterminedRows() }
    return keys[0]
  }

  private enum Order {
    case orderedBefore, same, orderedAfter
  }

  private func compare(
    _ lhs: [RandomValue], _ rhs: [RandomValue], _ terms: [RandomOrderTerm]
  ) -> Order {
    for (index, term) in terms.enumerated() where lhs[index] != rhs[index] {
      return term.direction.puts(lhs[index], before: rhs[index]) ? .orderedBefore : .orderedAfter
    }
    return .same
  }
}

extension RandomRows {
  /// Cuts rows. Where the limit cuts a group whose order is not known, the rows are not known
  /// either.
  fileprivate mutating func limit(_ count: Int, offset: Int) throws {
    var position = 0
    var result: [[RandomRow]] = []
    for group in groups {
      let range = position..<position + group.count
      let kept = range.clamped(to: offset..<offset + count)
      if kept == range {
        result.append(group)
      } else if !kept.isEmpty {
        guard group.allSatisfy({ $0.isSame(as: group[0]) }) else { throw UndeterminedRows() }
        result.append(Array(group.prefix(kept.count)))
      }
      position += group.count
    }
    groups = result
  }
}

extension RandomRow {
  /// Whether the columns are the same, and those of the scopes.
  func isSame(as other: RandomRow) -> Bool {
    columns.elementsEqual(other.columns, by: ==) && scopes.count == other.scopes.count
      && scopes.allSatisfy { key, scope in other.scopes[key].map(scope.isSame) == true }
  }
}

extension [Int] {
  fileprivate func with(_ node: Int, _ row: Int) -> [Int] {
    var choice = self
    choice[node] = row
    return choice
  }
}

extension RandomPredicate.Comparison {
  /// Nil is unknown.
  fileprivate func test(_ lhs: RandomValue, _ rhs: RandomValue) -> Bool? {
    if lhs.isNull || rhs.isNull { return nil }
    switch self {
    case .equal: return !lhs.precedes(rhs) && !rhs.precedes(lhs)
    case .different: return lhs.precedes(rhs) || rhs.precedes(lhs)
    case .less: return lhs.precedes(rhs)
    case .lessOrEqual: return !rhs.precedes(lhs)
    case .greater: return rhs.precedes(lhs)
    case .greaterOrEqual: return !lhs.precedes(rhs)
    }
  }
}

extension RandomOrderTerm {
  fileprivate var reversed: RandomOrderTerm {
    var term = self
    term.direction =
      switch direction {
      case .plain, .ascending: .descending
      case .descending: .ascending
      case .ascendingNullsLast: .descendingNullsFirst
      case .descendingNullsFirst: .ascendingNullsLast
      }
    return term
  }
}

extension RandomOrderTerm.Direction {
  fileprivate func puts(_ lhs: RandomValue, before rhs: RandomValue) -> Bool {
    switch self {
    case .plain, .ascending: lhs.precedes(rhs)
    case .descending: rhs.precedes(lhs)
    case .ascendingNullsLast: !lhs.isNull && (rhs.isNull || lhs.precedes(rhs))
    case .descendingNullsFirst: lhs.isNull || (!rhs.isNull && rhs.precedes(lhs))
    }
  }
}
