// Joined sources. All joins stand in one flat chain, also a required source behind an optional one:
//
//     FROM a
//     LEFT JOIN b ON b.x = a.y AND EXISTS (SELECT 1 FROM c WHERE c.x = b.y)
//     LEFT JOIN c ON c.x = b.y
//
// The rows are those of `a LEFT JOIN (b JOIN c)`, but SQLite computes the parenthesised form whole, before it looks at
// a: for one row out of 200,000, that is 200 times slower.
//
// Inside `EXISTS`, a source has the name that it has outside. So it hides its twin, and its conditions are the
// same text inside and outside; the sources that it is compared with never have its name.

extension SQLWriter {
  mutating func writeJoins() throws {
    for source in 1..<plan.sourceCount where !plan.joins[source - 1].isDropped {
      let kind = plan.joins[source - 1].kind
      if kind == .right || kind == .full {
        require(SQLiteVersion(3, 39), for: kind == .right ? "RIGHT JOIN" : "FULL JOIN")
      }
      buffer.append(kind.keyword)
      try write(sourceName: source)
      try write(" ON ", conditionsOf: source)
    }
  }

  /// `"table"`, `"table" "alias"`, or `(SELECT …) "alias"`.
  mutating func write(sourceName number: Int) throws {
    let source = plan.source(number)
    let name = plan.name(of: number)
    if case .subquery(let query, _) = source {
      buffer.append("(")
      try write(nested: query)
      buffer.append(") ")
      buffer.append(identifier: name)
      return
    }
    let hasSchema = try write(table: source)
    if hasSchema, name == source.name, plan.isQualified || !plan.aliases.isEmpty {
      buffer.append(" AS ")
      buffer.append(identifier: name)
    } else if name != source.name {
      buffer.append(" ")
      buffer.append(identifier: name)
    }
  }

  private mutating func write(table source: Source) throws -> Bool {
    guard case .table(let name) = source else {
      buffer.append(identifier: source.name)
      return false
    }
    return try write(table: name)
  }

  /// `"table"`, or `"schema"."table"`. Returns whether there is a schema.
  @discardableResult mutating func write(table name: String) throws -> Bool {
    guard let table = try plan.context.schema.qualifiedTable(name) else {
      buffer.append(identifier: name)
      return false
    }
    buffer.append(identifier: table.schemaID.name)
    buffer.append(".")
    buffer.append(identifier: table.name)
    return true
  }

  /// The condition of the join, the filters of the source, and the existence of required sources behind it.
  mutating func write(_ keyword: StaticString, conditionsOf source: Int) throws {
    let count = conditionCount(of: source)
    if count == 0 { return }
    buffer.append(keyword)
    var conditions = Conjunction(count: count)
    try write(conditionsOf: source, in: &conditions)
  }

  func conditionCount(of source: Int) -> Int {
    let join = plan.joins[source - 1]
    return conditionCount(join.condition, of: source) + conditionCount(join.filters)
      + tests(behind: source).count
  }

  mutating func write(conditionsOf source: Int, in conditions: inout Conjunction) throws {
    try write(plan.joins[source - 1].condition, of: source, in: &conditions)
    current = .planned(depth: outerPlans.count, source: source)
    try write(plan.joins[source - 1].filters, in: &conditions)
    for test in tests(behind: source) {
      try begin(&conditions) { try $0.writeExists(test, behind: source, isWrapped: $1) }
    }
  }

  /// The required sources behind an optional one, each in a test of its own, or all in one.
  private func tests(behind source: Int) -> [[Int]] {
    let joint = plan.joins[source - 1].jointSources
    if !joint.isEmpty { return [joint] }
    var tests: [[Int]] = []
    for number in (source + 1)..<max(plan.sourceCount, source + 1)
    where plan.joins[number - 1].isTestedByParent && plan.joins[number - 1].parent == source
      && !plan.joins[number - 1].isTestedJointly
    {
      tests.append([number])
    }
    return tests
  }

  private mutating func writeExists(
    _ sources: [Int], behind root: Int, isWrapped: Bool
  ) throws {
    buffer.append(isWrapped ? "(EXISTS (SELECT 1 FROM " : "EXISTS (SELECT 1 FROM ")
    if plan.joins[root - 1].jointSources.isEmpty {
      try write(sourceName: sources[0])
      try write(" WHERE ", conditionsOf: sources[0])
    } else {
      try writeGroup(sources, behind: root)
    }
    buffer.append(isWrapped ? "))" : ")")
  }

  /// `(SELECT 1) LEFT JOIN c ON … JOIN d ON …`
  private mutating func writeGroup(_ sources: [Int], behind root: Int) throws {
    buffer.append("(SELECT 1)")
    for source in sources {
      let isRequired =
        plan.joins[source - 1].isTestedByParent && plan.optionalRoot(of: source) == root
      buffer.append(isRequired ? " JOIN " : " LEFT JOIN ")
      try write(sourceName: source)
      try write(" ON ", conditionsOf: source)
    }
  }

  /// The filters of the root. Rows of groups that are tested together have all required sources, or none.
  mutating func writeFilters() throws {
    let tests = plan.joins.isEmpty ? [] : plan.jointTests
    guard !tests.isEmpty else { return try write(" WHERE ", conditions: plan.root.filters) }
    buffer.append(" WHERE ")
    var conditions = Conjunction(count: conditionCount(plan.root.filters) + tests.count)
    try write(plan.root.filters, in: &conditions)
    for (root, required) in tests {
      try begin(&conditions) { try $0.writeJointTest(root, required, isWrapped: $1) }
    }
  }

  /// `("b"."id" IS NULL) OR ("d"."id" IS NOT NULL)`
  private mutating func writeJointTest(
    _ root: Int, _ required: Int, isWrapped: Bool
  ) throws {
    if isWrapped { buffer.append("(") }
    current = .planned(depth: outerPlans.count, source: root)
    buffer.append("(")
    try writeExistence(isNegated: true, isWrapped: false)
    buffer.append(") OR (")
    current = .planned(depth: outerPlans.count, source: required)
    try writeExistence(isNegated: false, isWrapped: false)
    buffer.append(isWrapped ? "))" : ")")
    current = .planned(depth: outerPlans.count, source: 0)
  }

  private func conditionCount(_ condition: PlannedCondition, of source: Int) -> Int {
    switch condition {
    case .none: needsParentTest(source) ? 1 : 0
    case .foreignKey(let mapping, _): mapping.count
    case .expression(let expression):
      conditionCount(expression) + (needsParentTest(source) ? 1 : 0)
    }
  }

  /// A foreign key never matches a parent that is missing. Another condition may: behind an optional parent, a
  /// required source must be missing with it.
  private func needsParentTest(_ source: Int) -> Bool {
    guard plan.joins[source - 1].isTestedByParent,
      case .table = plan.source(plan.joins[source - 1].parent)
    else { return false }
    return true
  }

  private mutating func write(
    _ condition: PlannedCondition, of source: Int, in conditions: inout Conjunction
  ) throws {
    let depth = outerPlans.count
    let parent = plan.joins[source - 1].parent
    if case .foreignKey(let mapping, let parentIsOrigin) = condition {
      for pair in mapping {
        try begin(&conditions) { writer, isWrapped in
          if isWrapped { writer.buffer.append("(") }
          writer.current = .planned(depth: depth, source: source)
          writer.write(column: parentIsOrigin ? pair.destination : pair.origin)
          writer.buffer.append(" = ")
          writer.current = .planned(depth: depth, source: parent)
          writer.write(column: parentIsOrigin ? pair.origin : pair.destination)
          if isWrapped { writer.buffer.append(")") }
        }
      }
      return
    }
    if needsParentTest(source) {
      current = .planned(depth: depth, source: parent)
      try begin(&conditions) { try $0.writeExistence(isNegated: false, isWrapped: $1) }
    }
    if case .expression(let expression) = condition {
      current = .planned(depth: depth, source: source)
      try write(expression, in: &conditions)
    }
  }
}
