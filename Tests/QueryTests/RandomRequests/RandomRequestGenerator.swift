import QuarryTestSupport

/// Makes a random tree of nodes.
struct RandomRequestGenerator {
  let world: RandomWorld
  var random: SplitMix64
  private var tables: [Int] = []
  private var aliases: [RandomAlias] = []
  private var keyCount = 0

  /// The sources of a request at most, with those of its prefetches.
  private static let maximalNodeCount = 9

  init(world: RandomWorld, random: SplitMix64) {
    self.world = world
    self.random = random
  }

  mutating func request() -> RandomRequest {
    tables = []
    aliases = []
    var root = makeNode(table: world.tables.indices.randomElement(using: &random) ?? 0)
    fillQuery(&root, depth: 0, pivots: [])
    if chance(root.isAggregated ? 50 : 12) { limit(&root) }
    return RandomRequest(root: root, tables: tables, aliases: aliases)
  }

  /// A limit counts records: it takes the referenced columns of a step for a key.
  private func followsAKey(_ step: RandomNode) -> Bool {
    let link = world.links[step.link]
    return link.destinationColumns == world.tables[link.destination].primaryKey
  }

  /// A limit needs an order that distinguishes all rows, and that refers to no other row.
  private mutating func limit(_ node: inout RandomNode) {
    node.order.removeAll { $0.reference.node != node.id }
    addKey(toOrderOf: &node)
    node.limit = (count: .random(in: 1...4, using: &random), offset: chance(30) ? 1 : nil)
  }

  private func addKey(toOrderOf node: inout RandomNode) {
    node.order += world.tables[node.table].primaryKey.map { column in
      RandomOrderTerm(
        reference: RandomReference(node: node.id, column: column), direction: .plain)
    }
  }

  private mutating func chance(_ percents: Int) -> Bool {
    Int.random(in: 0..<100, using: &random) < percents
  }

  private mutating func makeNode(table: Int) -> RandomNode {
    tables.append(table)
    aliases.append(chance(4) ? .anonymous : .none)
    return RandomNode(id: tables.count - 1, table: table)
  }

  private mutating func makeKey() -> String {
    keyCount += 1
    return "k\(keyCount)"
  }

  /// The items and clauses of the root of a query: the main one, or that of prefetched rows.
  private mutating func fillQuery(_ node: inout RandomNode, depth: Int, pivots: [Int]) {
    var visible = [node.id]
    for _ in 0..<Int.random(in: 0...(3 - min(depth, 2)), using: &random) {
      if let item = queryItem(of: node, depth: depth, visible: &visible) { node.items.append(item) }
    }
    if node.isAggregated {
      for _ in 0..<Int.random(in: 0...2, using: &random) {
        if let item = aggregates(from: node) { node.items.append(item) }
      }
      node.isolatesAggregates = chance(30)
    }
    node.startsWithFilters = chance(50)
    visible += pivots
    node.filters = predicates(for: node.id, visible: visible)
    node.order = order(for: node.id, visible: visible)
    node.isReversed = chance(10)
    node.isDistinct = chance(8)
    if !node.items.contains(where: \.needsKeys), !node.isDistinct, chance(15) {
      node.selection = selection(of: node)
    }
  }

  private mutating func selection(of node: RandomNode) -> [Int] {
    let columns = world.tables[node.table].columns.indices.shuffled(using: &random)
    return Array(columns.prefix(2))
  }

  private mutating func queryItem(
    of node: RandomNode, depth: Int, visible: inout [Int]
  ) -> RandomItem? {
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<45:
      return join(from: node, depth: depth, visible: &visible)
    case 45..<72:
      return prefetch(from: node, depth: depth, isRoot: true)
    case 72..<84:
      return aggregates(from: node)
    case 84..<90:
      guard let association = aggregated(from: node) else { return nil }
      return .having(
        association, aggregate(of: association.destination),
        RandomPredicate.Comparison.allCases.randomElement(using: &random) ?? .equal,
        .random(in: 0...3, using: &random))
    default:
      return annotation(from: node, visible: &visible)
    }
  }

  private mutating func join(
    from node: RandomNode, depth: Int, visible: inout [Int]
  ) -> RandomItem? {
    // What has prefetches refers to nothing else.
    let hasPrefetches = chance(30)
    var outside = visible
    var seen = hasPrefetches ? [] : visible
    guard
      var association = association(
        from: node, isToMany: nil, depth: depth, hasPrefetches: hasPrefetches, visible: &seen)
    else { return nil }
    if hasPrefetches { outside += seen } else { outside = seen }
    visible = outside
    split(&association)
    if chance(25) { pick(&association, visible: &visible) }
    return .join(association, isRequired: chance(45), isIncluded: chance(65))
  }

  /// The condition of what is prefetched for the root of a query may refer to it.
  private mutating func prefetch(
    from node: RandomNode, depth: Int, isRoot: Bool
  ) -> RandomItem? {
    // The parent is found by its key, which may not be null.
    let key = world.tables[node.table].key
    let hasKey = key == .rowID || key.isWithoutRowID
    let refersToItsParent = isRoot && hasKey && chance(25)
    var visible = refersToItsParent ? [node.id] : []
    guard
      var association = association(
        from: node, isToMany: true, depth: depth, isPrefetched: true, visible: &visible)
    else { return nil }
    association.refersToItsParent = refersToItsParent
    if hasKey, !world.tables[association.destination.table].primaryKey.isEmpty,
      association.steps.count == 1 || association.steps.allSatisfy(followsAKey),
      association.steps.allSatisfy({ $0.items.allSatisfy(\.isPrefetch) }),
      !association.destination.isDistinct,
      chance(25)
    {
      limit(&association.destination)
    } else {
      split(&association)
    }
    return .prefetch(association)
  }

  /// Makes it the association to the first or last record: its pivots are not seen from outside.
  private mutating func pick(_ association: inout RandomAssociation, visible: inout [Int]) {
    let pivots = association.steps.dropLast()
    let isReferredTo = pivots.contains { pivot in
      if case .none = aliases[pivot.id] { false } else { true }
    }
    guard association.isToMany, !isReferredTo, pivots.allSatisfy(\.items.isEmpty),
      !world.tables[association.destination.table].primaryKey.isEmpty,
      !association.destination.items.contains(where: \.needsKeys)
    else { return }
    visible.removeAll { node in pivots.contains { $0.id == node } }
    association.first = nil
    association.pick = .allCases.randomElement(using: &random)
    for index in association.steps.indices {
      let node = association.steps[index].id
      association.steps[index].filters = predicates(for: node, visible: [node])
    }
    addKey(toOrderOf: &association.destination)
  }

  private mutating func annotation(
    from node: RandomNode, visible: inout [Int]
  ) -> RandomItem? {
    guard
      var association = association(
        from: node, isToMany: nil, depth: 9, hasPrefetches: false, visible: &visible)
    else { return nil }
    association.destination.selection = [
      world.tables[association.destination.table].columns.indices.randomElement(using: &random)
        ?? 0
    ]
    return .annotate(association, isRequired: chance(40), name: makeKey())
  }

  /// A call before the call, which it is merged with.
  private mutating func split(_ association: inout RandomAssociation) {
    let node = association.destination
    // The newer selection wins, with its annotations. An order without terms loses, with its
    // direction.
    guard chance(15), !node.items.contains(where: \.isAnnotation),
      !node.isReversed || !node.order.isEmpty
    else { return }
    association.first = (
      filters: .random(in: 0...node.filters.count, using: &random),
      items: .random(in: 0...node.items.count, using: &random),
      hasOrder: !node.order.isEmpty && chance(50)
    )
  }
}

// Associations
extension RandomRequestGenerator {
  private mutating func association(
    from node: RandomNode, isToMany: Bool?, depth: Int, hasPrefetches: Bool = false,
    isPrefetched: Bool = false, visible: inout [Int]
  ) -> RandomAssociation? {
    let count = [1, 1, 1, 1, 2, 2, 3].randomElement(using: &random) ?? 1
    guard tables.count + count <= Self.maximalNodeCount else { return nil }
    var steps: [RandomNode] = []
    var table = node.table
    for _ in 0..<count {
      guard let step = step(from: table) else { return nil }
      steps.append(step)
      table = step.table
    }
    if isToMany == true, !steps.contains(where: \.kind.isToMany) {
      guard let index = steps.firstIndex(where: { $0.kind == .hasOne }) else { return nil }
      steps[index].kind = .hasMany
    }
    let outside = visible
    for index in steps.indices {
      let isLast = index == steps.count - 1
      if isPrefetched && isLast {
        let pivots = steps.dropLast().map(\.id)
        fillQuery(&steps[index], depth: depth + 1, pivots: pivots + outside)
        continue
      }
      var seen = hasPrefetches || isPrefetched ? [] : visible
      fillJoined(
        &steps[index], depth: depth + (isLast ? 1 : 9), hasPrefetches: hasPrefetches && isLast,
        visible: &seen)
      visible += seen.filter { !visible.contains($0) }
    }
    return RandomAssociation(
      steps: steps, nestsOnTheLeft: chance(50), refinesTheTarget: chance(50))
  }

  private mutating func step(from table: Int) -> RandomNode? {
    var kinds: [(RandomNode.Kind, Int, Int)] = []
    for (index, link) in world.links.enumerated() {
      if link.origin == table { kinds.append((.belongsTo, index, link.destination)) }
      if link.destination == table {
        kinds += [(.hasOne, index, link.origin), (.hasMany, index, link.origin)]
      }
    }
    guard let (kind, link, destination) = kinds.randomElement(using: &random) else { return nil }
    var node = makeNode(table: destination)
    node.kind = kind
    node.link = link
    node.key = makeKey()
    return node
  }

  private mutating func fillJoined(
    _ node: inout RandomNode, depth: Int, hasPrefetches: Bool, visible: inout [Int]
  ) {
    let refersOnlyToItself = hasPrefetches
    visible.append(node.id)
    node.filters = predicates(for: node.id, visible: refersOnlyToItself ? [node.id] : visible)
    node.order = chance(70) ? [] : order(for: node.id, visible: [node.id])
    node.isReversed = chance(8)
    node.startsWithFilters = chance(50)
    guard depth < 4 || chance(15) else { return }
    for _ in 0..<Int.random(in: 0...2, using: &random) {
      if hasPrefetches, chance(60) {
        if let item = prefetch(from: node, depth: depth, isRoot: false) { node.items.append(item) }
        continue
      }
      var seen = refersOnlyToItself ? [] : visible
      let item =
        chance(85)
        ? nestedJoin(from: node, depth: depth, hasPrefetches: hasPrefetches, visible: &seen)
        : annotation(from: node, visible: &seen)
      visible += seen.filter { !visible.contains($0) }
      if let item { node.items.append(item) }
    }
    if !node.items.contains(where: \.needsKeys), chance(10) { node.selection = selection(of: node) }
  }

  private mutating func nestedJoin(
    from node: RandomNode, depth: Int, hasPrefetches: Bool, visible: inout [Int]
  ) -> RandomItem? {
    guard
      var association = association(
        from: node, isToMany: nil, depth: depth, hasPrefetches: hasPrefetches, visible: &visible)
    else { return nil }
    split(&association)
    return .join(association, isRequired: chance(45), isIncluded: chance(65))
  }

  private mutating func aggregated(from node: RandomNode) -> RandomAssociation? {
    var visible: [Int] = []
    guard
      var association = association(
        from: node, isToMany: true, depth: 9, hasPrefetches: true, visible: &visible)
    else { return nil }
    for index in association.steps.indices {
      association.steps[index].order = []
      association.steps[index].items = []
      association.steps[index].selection = nil
    }
    return association
  }

  private mutating func aggregates(from node: RandomNode) -> RandomItem? {
    guard let association = aggregated(from: node) else { return nil }
    let aggregates = (0..<Int.random(in: 1...2, using: &random)).map { _ in
      (aggregate(of: association.destination), name: makeKey())
    }
    return .aggregates(association, aggregates)
  }

  private mutating func aggregate(of node: RandomNode) -> RandomAggregate {
    let columns = world.tables[node.table].columns
    let integers = columns.indices.filter { !columns[$0].isText }
    let integer = integers.randomElement(using: &random) ?? 0
    let any = columns.indices.randomElement(using: &random) ?? 0
    let first = world.tables[node.table].key == .compoundWithoutRowID ? 2 : 0
    return switch Int.random(in: first..<7, using: &random) {
    case 0: .count
    case 1: .isEmpty
    case 2: .min(any)
    case 3: .max(any)
    case 4: .sum(integer)
    case 5: .average(integer)
    default: .total(integer)
    }
  }
}

// Clauses
extension RandomRequestGenerator {
  private mutating func predicates(for node: Int, visible: [Int]) -> [RandomPredicate] {
    let count = [0, 0, 0, 0, 0, 1, 1, 1, 1, 2].randomElement(using: &random) ?? 0
    return (0..<count).map { _ in predicate(for: node, visible: visible, depth: 0) }
  }

  private mutating func predicate(
    for node: Int, visible: [Int], depth: Int
  ) -> RandomPredicate {
    let reference = reference(for: node, visible: chance(75) ? [node] : visible)
    switch Int.random(in: 0..<(depth > 1 ? 80 : 100), using: &random) {
    case 0..<35: return .compare(reference, comparison(), constant(for: reference))
    case 35..<45: return .isNull(reference)
    case 45..<60:
      let count = Int.random(in: 0...3, using: &random)
      return .isIn(reference, (0..<count).map { _ in constant(for: reference) })
    case 60..<80:
      let isText = column(reference).isText
      for _ in 0..<5 {
        let other = self.reference(for: node, visible: visible)
        if column(other).isText == isText {
          return .compareColumns(reference, comparison(), other)
        }
      }
      return .isNull(reference)
    default:
      let operand = predicate(for: node, visible: visible, depth: depth + 1)
      let other = predicate(for: node, visible: visible, depth: depth + 1)
      return [.and(operand, other), .or(operand, other), .not(operand)]
        .randomElement(using: &random) ?? operand
    }
  }

  private mutating func comparison() -> RandomPredicate.Comparison {
    chance(40) ? .equal : .allCases.randomElement(using: &random) ?? .equal
  }

  /// A column of a node: other nodes than the one whose clause it is have an alias.
  private mutating func reference(for node: Int, visible: [Int]) -> RandomReference {
    let other = visible.randomElement(using: &random) ?? node
    if other != node, case .none = aliases[other] {
      aliases[other] = chance(40) ? .named("n\(other)") : .anonymous
    }
    let columns = world.tables[tables[other]].columns
    return RandomReference(
      node: other, column: columns.indices.randomElement(using: &random) ?? 0)
  }

  private func column(_ reference: RandomReference) -> RandomTable.Column {
    world.tables[tables[reference.node]].columns[reference.column]
  }

  private mutating func constant(for reference: RandomReference) -> RandomValue {
    let rows = world.tables[tables[reference.node]].rows
    if chance(70), let row = rows.randomElement(using: &random), !row[reference.column].isNull {
      return row[reference.column]
    }
    return column(reference).isText
      ? .text("b") : .integer(.random(in: 0...4, using: &random))
  }

  private mutating func order(for node: Int, visible: [Int]) -> [RandomOrderTerm] {
    guard chance(50) else { return [] }
    return (0..<Int.random(in: 1...3, using: &random)).map { _ in
      RandomOrderTerm(
        reference: reference(for: node, visible: chance(70) ? [node] : visible),
        direction: .allCases.randomElement(using: &random) ?? .plain)
    }
  }
}

extension RandomItem {
  fileprivate var isPrefetch: Bool {
    if case .prefetch = self { true } else { false }
  }

  fileprivate var isAnnotation: Bool {
    switch self {
    case .annotate, .aggregates: true
    case .join, .prefetch, .having: false
    }
  }

  /// Whether all columns of the node have to be selected.
  fileprivate var needsKeys: Bool {
    switch self {
    case .prefetch: true
    case .join(let association, _, _):
      association.steps.contains { $0.items.contains(where: \.needsKeys) }
    case .annotate, .aggregates, .having: false
    }
  }
}
