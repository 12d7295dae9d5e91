import Quarry

/// The records of a database before they are written: names that don't collide, and associations.
struct RecordModel {
  private(set) var records: [RecordType] = []

  init(_ catalog: Catalog) {
    var names: Set<String> = []
    records = catalog.tables
      .filter { $0.kind != .shadow && $0.problem == nil && !$0.columns.isEmpty }
      .filter { !Database.isGRDBInternalTable($0.name) }
      .map { RecordType($0, name: SwiftName.unique(SwiftName.type($0.name), &names)) }
    addForeignKeys()
    addPairs()
  }

  private func index(ofTable name: String) -> Int? {
    records.firstIndex { $0.table.name.isSameName(as: name) && $0.table.kind != .view }
  }

  private mutating func addForeignKeys() {
    for child in records.indices {
      for key in records[child].table.foreignKeys {
        guard let parent = index(ofTable: key.table), !key.tableColumns.isEmpty else { continue }
        let isOnly =
          records[child].table.foreignKeys.count { $0.table.isSameName(as: key.table) } == 1
        let clause = keyClause(key, of: records[parent].table, isOnly: isOnly && child != parent)
        let name = addChild(child, parent, key, clause)
        addParent(child, parent, key, clause, isOnly ? nil : name)
      }
    }
  }

  /// `using: ForeignKey(["authorId"])`, where the schema leaves it in doubt.
  private func keyClause(
    _ key: Catalog.ForeignKey, of parent: Catalog.Table, isOnly: Bool
  ) -> String {
    let isPrimary = key.tableColumns.map(\.nameKey) == parent.primaryKey.map(\.nameKey)
    if isOnly, isPrimary { return "" }
    let list = { (names: [String]) in names.map(\.swiftLiteral).joined(separator: ", ") }
    let columns = isPrimary ? "" : ", to: [\(list(key.tableColumns))]"
    return ", using: ForeignKey([\(list(key.columns))]\(columns))"
  }

  /// - returns: the name of the association.
  private mutating func addChild(
    _ child: Int, _ parent: Int, _ key: Catalog.ForeignKey, _ clause: String
  ) -> String {
    let column = key.columns.count == 1 ? key.columns[0] : ""
    let stem = column.withoutIdentifierSuffix
    // `boss` is the name of a role, and so is `motherId`; of two columns, or of an only key, it is
    // the other table.
    let isRole = !clause.isEmpty && !column.isEmpty || stem != column
    let role = isRole ? SwiftName.property(stem) : records[parent].name.asMemberName
    let defaultKey = AssociationKey(table: records[parent].table.name)
    // The parent of a record of the same table must not take the name of the record.
    let isOwnName =
      child == parent && [records[child].name.asMemberName, defaultKey.singular].contains(role)
    return records[child].add(
      isOwnName ? "parent" + role.uppercasingFirst : role,
      "belongsTo(\(records[parent].name).self", clause, target: parent, key: key,
      defaultKey: defaultKey)
  }

  private mutating func addParent(
    _ child: Int, _ parent: Int, _ key: Catalog.ForeignKey, _ clause: String, _ role: String?
  ) {
    let isUnique = records[child].table.hasUniqueKey(key.columns)
    let noun = records[child].name.asMemberName
    let plural = isUnique ? noun : Inflections.default.pluralize(noun)
    let name = role.map { plural + "As" + $0.uppercasingFirst } ?? plural
    let function = isUnique ? "hasOne" : "hasMany"
    records[parent].add(
      name, "\(function)(\(records[child].name).self", clause, target: child, key: key,
      defaultKey: AssociationKey(table: records[child].table.name))
  }

  /// A table whose columns are two foreign keys links the rows of two tables.
  private mutating func addPairs() {
    for pair in records.indices {
      let keys = records[pair].table.foreignKeys
      let columns = Set(keys.flatMap(\.columns).map(\.nameKey))
      guard keys.count == 2, keys[0].table != keys[1].table,
        Set(records[pair].table.columns.map(\.name.nameKey)) == columns,
        records[pair].table.hasUniqueKey(keys.flatMap(\.columns)),
        let first = records[pair].associations.first(where: { $0.isOf(keys[0]) }),
        let second = records[pair].associations.first(where: { $0.isOf(keys[1]) })
      else { continue }
      addThrough(pair, from: first, to: second)
      addThrough(pair, from: second, to: first)
    }
  }

  private mutating func addThrough(
    _ pair: Int, from origin: RecordType.Link, to end: RecordType.Link
  ) {
    let parent = origin.target
    guard
      let step = records[parent].associations.first(where: {
        $0.target == pair && $0.key.columns == origin.key.columns
      })
    else { return }
    let target = records[end.target].name
    records[parent].add(
      Inflections.default.pluralize(target.asMemberName), "hasMany(\(target).self",
      ", through: \(step.escapedName), using: \(records[pair].name).\(end.escapedName)",
      target: end.target, key: end.key, defaultKey: end.effectiveKey)
  }
}

extension String {
  /// `author` for `authorId`, `author_id` and `authorID`. The name itself if it has another ending.
  fileprivate var withoutIdentifierSuffix: String {
    for suffix in ["_id", "_ID", "Id", "ID"] where hasSuffix(suffix) && count > suffix.count {
      return String(dropLast(suffix.count))
    }
    return self
  }

  /// `author` for `Author`.
  fileprivate var asMemberName: String { SwiftName.property(self) }

  var swiftLiteral: String { debugDescription.replacing("\\'", with: "'") }
}
