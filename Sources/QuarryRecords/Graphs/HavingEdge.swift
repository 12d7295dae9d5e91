import Quarry

/// Records that a record has: their foreign key refers to it.
struct HavingEdge<
  Value, Record: MutablePersistableRecord, Child, ChildRecord: MutablePersistableRecord
>: GraphEdge {
  let children: GraphProperty<Value, Child>
  let steps: @Sendable (Database) throws -> [ForeignKeyStep]
  let graph: SavedGraph<Child, ChildRecord>
  let key: HandedKey<ChildRecord>
  let missing: MissingRows
  let allowsMoves: Bool

  var comesFirst: Bool { false }

  func save(
    _ values: inout [Value], _ record: WritableKeyPath<Value, Record>, at paths: [String],
    _ session: GraphSession
  ) throws {
    if values.isEmpty { return }
    let step = try step(session)
    var all = FlatChildren(children, of: values, at: paths, step.name)
    let needed = Set(all.owners)
    let parents = try values.indices.map { index in
      try step.parentKey(
        of: values[index][keyPath: record], at: paths[index], isNeeded: needed.contains(index))
    }
    try session.claim(step, of: parents, at: paths)
    for (index, owner) in all.owners.enumerated() {
      try key.hand(
        parents[owner], over: step.columns, to: &all.children[index][keyPath: graph.record],
        at: all.paths[index])
    }
    let owner = GraphOwner(columns: step.columns, keys: all.owners.map { parents[$0] }) {
      [all] found in
      try admit(found, all, parents, step, at: paths, session)
    }
    try graph.save(&all.children, at: all.paths, session, owner: owner)
    all.restore(children, in: &values)
  }

  func removeChildren(of rows: [StoredRow], at path: String, _ session: GraphSession) throws {
    let step = try step(session)
    let table = try childTable(session)
    let parents = rows.compactMap { $0.values(step.mapping.map(\.destination)) }
    let stored = try table.rows(where: step.compared, equal: parents, session.db)
    if missing != .detach { session.noteRemoved(stored, from: table, at: path) }
    _ = try treat(
      stored.filter { !table.isMarked($0) }, step, table, at: "\(path).\(step.name)", session)
  }

  func isSame(_ lhs: Value, _ rhs: Value) -> Bool { children.isSame(lhs, rhs, graph.isSame) }

  private func step(_ session: GraphSession) throws -> ForeignKeyStep {
    let step = try steps(session.db)[0]
    try step.check(leadsTo: ChildRecord.self, startsAtForeignKey: false)
    return step
  }

  private func childTable(_ session: GraphSession) throws -> GraphTable {
    try GraphTable(
      ChildRecord.databaseTableName, deletionColumn: ChildRecord._deletionColumn, session.db)
  }
}

// The rows of the database.
extension HavingEdge {
  /// Checks that rows belong to the records that have them in the value, or to none, and treats
  /// those that are missing. Returns whether rows have changed.
  private func admit(
    _ found: [StoredRow?], _ all: FlatChildren<Value, Child>, _ parents: [[DatabaseValue]],
    _ step: ForeignKeyStep, at paths: [String], _ session: GraphSession
  ) throws -> Bool {
    let table = try childTable(session)
    let stored = try table.rows(where: step.compared, equal: parents, session.db)
    let owners = Dictionary(stored.map { ($0.key, $0.index) }) { $1 }
    for (index, row) in found.enumerated() {
      guard let row, owners[row.key] != all.owners[index], row.values(step.columns) != nil,
        !allowsMoves
      else { continue }
      throw GraphSaveError(
        .foreignRow, at: all.paths[index], table.name,
        "the row belongs to another record: `moving: true` in the graph lets a save move it")
    }
    let given = Set(found.compactMap { $0?.key })
    let missing = stored.filter { !given.contains($0.key) && !table.isMarked($0) }
    let path = missing.first.map { "\(paths[$0.index]).\(step.name)" } ?? ""
    return try treat(missing, step, table, at: path, session)
  }

  /// Treats rows that the value does not contain. Returns whether they have changed.
  private func treat(
    _ rows: [StoredRow], _ step: ForeignKeyStep, _ table: GraphTable, at path: String,
    _ session: GraphSession
  ) throws -> Bool {
    if rows.isEmpty || missing == .keep { return false }
    if missing != .refuse { try table.checkKeys(of: rows, at: path) }
    return try GraphSaveError.placing(path, table.name) {
      switch missing {
      case .keep: return false
      case .refuse: throw table.refusal(rows, at: path)
      case .detach:
        try detach(rows, step, table, at: path, session)
        session.noteChanged()
      case .delete:
        try graph.removeChildren(of: rows, at: path, session)
        session.noteRemoved(rows, from: table, at: path)
        for request in table.requests(rows, among: ChildRecord.all()) {
          try request.deleteAll(session.db)
        }
      }
      return true
    }
  }

  private func detach(
    _ rows: [StoredRow], _ step: ForeignKeyStep, _ table: GraphTable, at path: String,
    _ session: GraphSession
  ) throws {
    let shared = step.columns.first { column in
      table.key.contains { $0.isSameIdentifier(as: column) }
    }
    if let shared {
      throw GraphSaveError(
        .graph, at: path, table.name,
        "rows can't be detached, since column \(shared.quotedDatabaseIdentifier) of the foreign key "
          + "is part of the primary key: delete them, or keep them")
    }
    var assignments = step.columns.map { Column($0).set(to: nil) }
    if let version = ChildRecord._versionColumn { assignments.append(.nextVersion(version)) }
    try table.update(rows, among: ChildRecord.all(), assignments, session.db)
  }
}

extension GraphTable {
  func refusal(_ rows: [StoredRow], at path: String) -> GraphSaveError {
    let keys = rows.prefix(3).map { row in
      "[" + zip(key, row.key).map { "\($0):\($1)" }.joined(separator: " ") + "]"
    }
    let list = keys.joined(separator: ", ") + (rows.count > 3 ? ", …" : "")
    return GraphSaveError(
      .missingRows, at: path, name,
      "the database has \(rows.count) more: \(list). The graph refuses to remove rows: fetch the "
        + "value again, or choose another treatment of missing rows")
  }
}

extension ForeignKeyStep {
  /// The columns of the foreign key.
  var columns: [String] { mapping.map(\.origin) }

  /// The columns that the foreign key refers to.
  var referenced: [String] { mapping.map(\.destination) }

  /// - Throws: ``GraphSaveError`` for an association to other records.
  func check(leadsTo type: (some TableRecord).Type, startsAtForeignKey: Bool) throws {
    guard self.startsAtForeignKey == startsAtForeignKey,
      table.isSameIdentifier(as: type.databaseTableName)
    else {
      throw GraphSaveError(
        .graph, at: name, table,
        "the association does not lead along a foreign key to the table of \(type), which is "
          + type.databaseTableName)
    }
  }

  /// The key of a record that others refer to.
  ///
  /// - parameter isNeeded: Whether others refer to it. Where none does, the key may be NULL, which
  ///   is equal to no key of a row.
  func parentKey(
    of record: some MutablePersistableRecord, at path: String, isNeeded: Bool = true
  ) throws -> [DatabaseValue] {
    func key<R: MutablePersistableRecord>(_ record: R) throws -> [DatabaseValue] {
      if let key = try PersistenceContainer(record).key(referenced, of: R.self, at: path) {
        return key
      }
      if !isNeeded { return referenced.map { _ in .null } }
      throw GraphSaveError(
        .key, at: path, R.databaseTableName,
        "the record has no key that others could refer to: \(referenced.quotedDatabaseIdentifiers) "
          + "is NULL")
    }
    return try key(record)
  }
}
