import Quarry

/// The record that a record belongs to: its foreign key refers to that one.
struct BelongingEdge<
  Value, Record: MutablePersistableRecord, Parent, ParentRecord: MutablePersistableRecord
>: GraphEdge {
  let parent: GraphProperty<Value, Parent>
  let steps: @Sendable (Database) throws -> [ForeignKeyStep]
  let graph: SavedGraph<Parent, ParentRecord>
  let key: HandedKey<Record>

  var comesFirst: Bool { true }

  func save(
    _ values: inout [Value], _ record: WritableKeyPath<Value, Record>, at paths: [String],
    _ session: GraphSession
  ) throws {
    if values.isEmpty { return }
    let step = try steps(session.db)[0]
    try step.check(leadsTo: ParentRecord.self, startsAtForeignKey: true)
    var all = FlatChildren(parent, of: values, at: paths, step.name)
    let isGiven = Set(all.owners)
    for index in values.indices where !isGiven.contains(index) {
      try checkNoParent(values[index][keyPath: record], step, at: paths[index])
    }
    try graph.saveOnce(&all.children, at: all.paths, session)
    for (index, owner) in all.owners.enumerated() {
      let parents = all.children[index][keyPath: graph.record]
      try key.hand(
        step.parentKey(of: parents, at: all.paths[index]), over: step.columns,
        to: &values[owner][keyPath: record], at: paths[owner])
    }
    all.restore(parent, in: &values)
  }

  func checkKeys(
    of values: [Value], _ record: WritableKeyPath<Value, Record>, at paths: [String],
    _ session: GraphSession
  ) throws {
    let step = try steps(session.db)[0]
    for (value, path) in zip(values, paths) {
      guard let parent = parent.get(value).first else { continue }
      let key = try step.parentKey(of: parent[keyPath: graph.record], at: path)
      try PersistenceContainer(value[keyPath: record])
        .check(step.columns, are: key, of: Record.self, at: path)
    }
  }

  /// - Throws: ``GraphSaveError`` if a record refers to another one, and the value has none.
  private func checkNoParent(_ record: Record, _ step: ForeignKeyStep, at path: String) throws {
    let columns = try GraphSaveError.placing(path, Record.databaseTableName) {
      try PersistenceContainer(record)
    }
    guard try columns.key(step.columns, of: Record.self, at: path) != nil else { return }
    throw GraphSaveError(
      .key, at: "\(path).\(step.name)", Record.databaseTableName,
      "the value has no such record, and the foreign key \(step.columns.quotedDatabaseIdentifiers) "
        + "is not NULL: set it to nil, or fetch the value with the record")
  }

  func removeChildren(of rows: [StoredRow], at path: String, _ session: GraphSession) {}

  func isSame(_ lhs: Value, _ rhs: Value) -> Bool { parent.isSame(lhs, rhs, graph.isSame) }
}

extension SavedGraph {
  /// Saves values of which some may be the same: those once.
  ///
  /// - Throws: ``GraphSaveError`` for values that are not the same, and have the same key.
  func saveOnce(_ values: inout [Value], at paths: [String], _ session: GraphSession) throws {
    let numbers = try sameValues(values, at: paths, session)
    let first = values.indices.filter { numbers[$0] == $0 }
    var saved = first.map { values[$0] }
    try save(&saved, at: first.map { paths[$0] }, session)
    let positions = Dictionary(uniqueKeysWithValues: zip(first, saved.indices))
    for index in values.indices {
      if let position = positions[numbers[index]] { values[index] = saved[position] }
    }
  }

  /// For each value, the index of the first one that is the same.
  private func sameValues(
    _ values: [Value], at paths: [String], _ session: GraphSession
  ) throws -> [Int] {
    let table = try GraphTable(Record.databaseTableName, deletionColumn: nil, session.db)
    var keys: [[DatabaseValue]: Int] = [:]
    var objects: [ObjectIdentifier: Int] = [:]
    return try values.indices.map { index in
      let record = values[index][keyPath: record]
      let columns = try GraphSaveError.placing(paths[index], table.name) {
        try PersistenceContainer(record)
      }
      var first = index
      if let key = try columns.key(table.key, of: Record.self, at: paths[index]) {
        first = keys[key] ?? index
        keys[key] = first
      } else if Record.self is AnyClass {
        let object = ObjectIdentifier(record as AnyObject)
        first = objects[object] ?? index
        objects[object] = first
      }
      guard first == index || isSame(values[first], values[index]) else {
        throw GraphSaveError(
          .duplicate, at: paths[index], table.name,
          "the value has another record for the same row at \(paths[first]), which is not equal: "
            + "change both")
      }
      return first
    }
  }
}
