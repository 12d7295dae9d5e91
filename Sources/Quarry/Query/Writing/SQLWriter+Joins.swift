// Joined sources. All joins stand in one flat chain, also a required child of an optional source:
//
//     FROM a
//     LEFT JOIN b ON b.x = a.y AND EXISTS (SELECT 1 FROM c WHERE c.x = b.y)
//     LEFT JOIN c ON c.x = b.y
//
// The rows are those of `a LEFT JOIN (b JOIN c)`, but SQLite computes the parenthesised form whole,
// before it looks at a: for one row out of 200,000, that is 200 times slower.
//
// Inside `EXISTS`, a source has the name that it has outside. So it hides its twin, and its
// conditions are the same text inside and outside; the sources that it is compared with never have
// its name.

extension SQLWriter {
  mutating func writeJoins(_ sources: [PlannedSource]) throws {
    for source in sources.joins.indices where !sources[source].isDropped {
      let kind = sources[source].kind
      if kind.keepsRows {
        require(SQLiteVersion(3, 39), for: kind == .right ? "RIGHT JOIN" : "FULL JOIN")
      }
      try write(kind.keyword, join: source, sources)
    }
  }

  /// ` JOIN "table" ON …`
  mutating func write(
    _ keyword: StaticString, join source: Int, _ sources: [PlannedSource]
  ) throws {
    buffer.append(keyword)
    try write(sources, sourceName: source)
    try write(" ON ", sources, conditionsOf: source)
  }

  /// `"table"`, `"table" "alias"`, or `(SELECT …) "alias"`.
  ///
  /// - parameter separator: updates and deletions want `AS`.
  mutating func write(
    _ sources: [PlannedSource], sourceName number: Int, separator: StaticString = " "
  ) throws {
    let source = sources[number].source
    let name = scope.names.isEmpty ? source.name : scope.names[number]
    if case .subquery(let query, _) = source {
      try write("(", query)
      buffer.append(" ")
      return buffer.append(identifier: name)
    }
    let table = sources[number].qualifiedTable
    if let table { write(table) } else { buffer.append(identifier: source.name) }
    if case .function(_, let arguments) = source {
      // The arguments belong to the parent: `"json_each"("book"."tags")`.
      begin(source: sources[number].parent)
      try writeInParentheses { try $0.write(list: arguments) }
    }
    if let table, name.hasSameBytes(as: table.name) { return }
    let isRenamed = !name.hasSameBytes(as: source.name)
    let isNamed = table != nil && (scope.isQualified || !scope.aliases.isEmpty)
    guard isRenamed || isNamed else { return }
    buffer.append(isRenamed ? separator : " AS ")
    buffer.append(identifier: name)
  }

  /// `"table"`, or `"schema"."table"`.
  mutating func write(_ table: TableName) {
    if let schema = table.schema { writeQualifier(schema) }
    buffer.append(identifier: table.name)
  }

  /// The condition of the join, the filters of the source, the existence of its required children,
  /// and the filters of rows that a right or full join may match.
  mutating func write(
    _ keyword: StaticString, _ sources: [PlannedSource], conditionsOf source: Int
  ) throws {
    let count = conditionCount(sources, of: source)
    if count == 0 { return }
    buffer.append(keyword)
    var conditions = Conjunction(count: count)
    try write(sources, conditionsOf: source, in: &conditions)
  }

  func conditionCount(_ sources: [PlannedSource], of source: Int) -> Int {
    let kept = sources.keptSources(matchedBy: source)
    return conditionCount(sources[source].condition)
      + (sources[source].testsParent ? 1 : 0)
      + conditionCount(sources[source].filters)
      + sources.existenceConditions(of: source).count
      + conditionCount(sources, ofKept: kept)
  }

  private func conditionCount(_ condition: PlannedCondition) -> Int {
    switch condition {
    case .none: 0
    case .foreignKey(let mapping, _, _): mapping.count
    case .expression(let expression): expression.conjunctCount
    }
  }

  mutating func write(
    _ sources: [PlannedSource], conditionsOf source: Int, in conditions: inout Conjunction
  ) throws {
    let parent = sources[source].parent
    if sources[source].testsParent {
      begin(source: parent)
      begin(&conditions) {
        $0.writeExistence(sources[parent].existenceColumns, isNegated: false, isWrapped: $1)
      }
    }
    try write(sources[source].condition, of: source, parent: parent, in: &conditions)
    begin(source: source)
    try write(
      sources[source].filters, keyColumn: sources[source].keyColumn,
      in: &conditions)
    for test in sources.existenceConditions(of: source) {
      try begin(&conditions) { try $0.writeExists(sources, test, behind: source, isWrapped: $1) }
    }
    for kept in sources.keptSources(matchedBy: source) {
      try write(sources, filtersOfKept: kept, in: &conditions)
    }
  }

  private mutating func write(
    _ condition: PlannedCondition, of source: Int, parent: Int,
    in conditions: inout Conjunction
  ) throws {
    switch condition {
    case .none: break
    case .expression(let expression):
      begin(source: source)
      try write(expression, in: &conditions)
    case .foreignKey(let mapping, let parentIsOrigin, let parentCompares):
      let (left, right) = parentCompares ? (parent, source) : (source, parent)
      let originIsLeft = parentIsOrigin == parentCompares
      for pair in mapping {
        begin(&conditions) {
          $0.writeInParentheses(if: $1) {
            $0.begin(source: left)
            $0.write(column: originIsLeft ? pair.origin : pair.destination)
            $0.buffer.append(" = ")
            $0.begin(source: right)
            $0.write(column: originIsLeft ? pair.destination : pair.origin)
          }
        }
      }
    }
  }
}

// The existence of required sources.
extension SQLWriter {
  private mutating func writeExists(
    _ sources: [PlannedSource], _ tested: [Int], behind root: Int, isWrapped: Bool
  ) throws {
    buffer.append(isWrapped ? "(EXISTS (SELECT 1 FROM " : "EXISTS (SELECT 1 FROM ")
    if sources[root].jointSources.isEmpty {
      try write(sources, sourceName: tested[0])
      try write(" WHERE ", sources, conditionsOf: tested[0])
    } else {
      try writeGroup(sources, tested, behind: root)
    }
    buffer.append(isWrapped ? "))" : ")")
  }

  /// `(SELECT 1) LEFT JOIN c ON … JOIN d ON …`
  private mutating func writeGroup(
    _ sources: [PlannedSource], _ tested: [Int], behind root: Int
  ) throws {
    buffer.append("(SELECT 1)")
    for source in tested {
      let isRequired =
        sources[source].hasExistenceCondition && sources.optionalRoot(of: source) == root
      try write(isRequired ? " JOIN " : " LEFT JOIN ", join: source, sources)
    }
  }

  /// The filters of the root, whose clauses follow. Rows of groups that are tested together have
  /// all required sources, or none. Rows that joins keep fulfill the filters of their source.
  ///
  /// - parameter linked: the sources whose conditions stand here, and not behind `ON`.
  mutating func writeFilters(_ sources: [PlannedSource], linking linked: [Int] = []) throws {
    let tests = sources.jointConditions
    let kept = sources.filteredKeptSources
    let filters = sources[0].filters
    let linkCount = linked.reduce(0) { $0 + conditionCount(sources, of: $1) }
    guard !tests.isEmpty || !kept.isEmpty || linkCount > 0 else {
      begin(source: 0)
      return try write(" WHERE ", conditions: filters, keyColumn: sources[0].keyColumn)
    }
    buffer.append(" WHERE ")
    let keptCount = conditionCount(sources, ofKept: kept)
    var conditions = Conjunction(
      count: linkCount + conditionCount(filters) + tests.count + keptCount)
    for source in linked { try write(sources, conditionsOf: source, in: &conditions) }
    begin(source: 0)
    try write(filters, keyColumn: sources[0].keyColumn, in: &conditions)
    for (root, required) in tests {
      begin(&conditions) { $0.writeJointCondition(sources, root, required, isWrapped: $1) }
    }
    for source in kept { try write(sources, filtersOfKept: source, in: &conditions) }
  }

  /// `("b"."id" IS NULL) OR ("d"."id" IS NOT NULL)`
  private mutating func writeJointCondition(
    _ sources: [PlannedSource], _ root: Int, _ required: Int, isWrapped: Bool
  ) {
    buffer.append(isWrapped ? "((" : "(")
    begin(source: root)
    writeExistence(sources[root].existenceColumns, isNegated: true, isWrapped: false)
    buffer.append(") OR (")
    begin(source: required)
    writeExistence(sources[required].existenceColumns, isNegated: false, isWrapped: false)
    buffer.append(isWrapped ? "))" : ")")
    begin(source: 0)
  }
}

// The filters of right and full joins.
extension SQLWriter {
  private func conditionCount(_ sources: [PlannedSource], ofKept kept: [Int]) -> Int {
    kept.reduce(0) { count, number in
      let source = sources[number]
      return count + (source.existenceColumns.isEmpty ? conditionCount(source.keptFilters) : 1)
    }
  }

  /// `"b"."x" = ?`, or `("b"."id" IS NULL) OR ("b"."x" = ?)`
  private mutating func write(
    _ sources: [PlannedSource], filtersOfKept source: Int, in conditions: inout Conjunction
  ) throws {
    let kept = sources[source]
    let keptFilters = kept.keptFilters
    begin(source: source)
    if kept.existenceColumns.isEmpty {
      try write(keptFilters, keyColumn: kept.keyColumn, in: &conditions)
    } else {
      try begin(&conditions) { writer, isWrapped in
        writer.buffer.append(isWrapped ? "((" : "(")
        writer.writeExistence(kept.existenceColumns, isNegated: true, isWrapped: false)
        writer.buffer.append(") OR (")
        var filters = Conjunction(count: writer.conditionCount(keptFilters))
        try writer.write(keptFilters, keyColumn: kept.keyColumn, in: &filters)
        writer.buffer.append(isWrapped ? "))" : ")")
      }
    }
    begin(source: 0)
  }
}

extension [PlannedSource] {
  /// The existence of the required children of an optional source: a condition each, or one for
  /// all.
  fileprivate func existenceConditions(of source: Int) -> [[Int]] {
    let joint = self[source].jointSources
    if !joint.isEmpty { return [joint] }
    let children = joins.indices.filter {
      self[$0].parent == source && self[$0].hasExistenceCondition
        && !self[$0].sharesExistenceCondition
    }
    return children.map { [$0] }
  }
}
