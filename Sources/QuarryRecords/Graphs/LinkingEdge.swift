import Quarry

/// Records that are linked to a record by rows of a table between them.
struct LinkingEdge<
  Value, Record: MutablePersistableRecord, Target, TargetRecord: MutablePersistableRecord
>: GraphEdge {
  let targets: GraphProperty<Value, Target>
  let steps: @Sendable (Database) throws -> [ForeignKeyStep]
  let graph: SavedGraph<Target, TargetRecord>
  let savesTargets: Bool
  let columns: [String: DatabaseValue]
  let missing: MissingLinks

  var comesFirst: Bool { false }

  func save(
    _ values: inout [Value], _ record: WritableKeyPath<Value, Record>, at paths: [String],
    _ session: GraphSession
  ) throws {
    if values.isEmpty { return }
    let links = try links(session)
    var all = FlatChildren(targets, of: values, at: paths, links.destination.name)
    let needed = Set(all.owners)
    let origins = try values.indices.map { index in
      try links.origin.parentKey(
        of: values[index][keyPath: record], at: paths[index], isNeeded: needed.contains(index))
    }
    try session.claim(links.origin, of: origins, at: paths)
    if savesTargets {
      try graph.saveOnce(&all.children, at: all.paths, session)
      all.restore(targets, in: &values)
    }
    let keys = try all.children.indices.map { index in
      let target = all.children[index][keyPath: graph.record]
      return try origins[all.owners[index]]
        + links.destination.parentKey(of: target, at: all.paths[index])
    }
    try links.replace(origins, at: paths, with: keys, at: all.paths, missing)
  }

  func removeChildren(of rows: [StoredRow], at path: String, _ session: GraphSession) throws {
    let links = try links(session)
    try links.replace(
      rows.compactMap { $0.values(links.origin.referenced) }, at: rows.map { _ in path }, with: [],
      at: [], missing)
  }

  func isSame(_ lhs: Value, _ rhs: Value) -> Bool { targets.isSame(lhs, rhs, graph.isSame) }

  private func links(_ session: GraphSession) throws -> GraphLinks {
    let steps = try steps(session.db)
    guard steps.count == 2, !steps[0].startsAtForeignKey, steps[1].startsAtForeignKey else {
      throw GraphSaveError(
        .graph, at: steps[steps.count - 1].name, steps[0].table,
        "the association does not go through one table that has foreign keys to both sides")
    }
    try steps[1].check(leadsTo: TargetRecord.self, startsAtForeignKey: true)
    return try GraphLinks(steps[0], steps[1], columns, session)
  }
}

/// The rows of a table that link two others.
struct GraphLinks {
  /// From the origin to the table.
  let origin: ForeignKeyStep
  /// From the table to the destination.
  let destination: ForeignKeyStep
  private let table: GraphTable
  private let columns: [(column: String, value: DatabaseValue)]
  private let session: GraphSession

  init(
    _ origin: ForeignKeyStep, _ destination: ForeignKeyStep, _ columns: [String: DatabaseValue],
    _ session: GraphSession
  ) throws {
    (self.origin, self.destination, self.session) = (origin, destination, session)
    table = try GraphTable(origin.table, deletionColumn: origin.deletionColumn, session.db)
    self.columns = columns.sorted { $0.key < $1.key }.map { (column: $0.key, value: $0.value) }
    let keys = keyColumns
    if let column = columns.keys.first(where: { column in
      keys.contains { $0.name.isSameIdentifier(as: column) }
    }) {
      throw GraphSaveError(
        .graph, at: destination.name, table.name,
        "column \(column.quotedDatabaseIdentifier) of the links is part of a foreign key, which the "
          + "save sets: leave it out")
    }
  }

  /// The columns of both foreign keys. They may share some.
  private var keyColumns: [ComparedColumn] {
    origin.compared + destination.compared.filter { originIndex(of: $0.name) == nil }
  }

  private func originIndex(of column: String) -> Int? {
    origin.columns.firstIndex { $0.isSameIdentifier(as: column) }
  }

  /// The values of ``keyColumns`` for the keys of both sides.
  ///
  /// - Throws: ``GraphSaveError`` for sides that have different values for a column that they
  ///   share.
  private func link(_ key: [DatabaseValue], at path: String) throws -> [DatabaseValue] {
    var link = Array(key.prefix(origin.columns.count))
    for (pair, value) in zip(destination.mapping, key.dropFirst(origin.columns.count)) {
      guard let index = originIndex(of: pair.origin) else {
        link.append(value)
        continue
      }
      guard
        try session.db.isEqual(
          link[index], value, in: pair.destination, of: .table(destination.table))
      else {
        throw GraphSaveError(
          .key, at: path, table.name,
          "column \(pair.origin.quotedDatabaseIdentifier) of the link is part of both foreign keys, and "
            + "the records have different values for it: they can't be linked")
      }
    }
    return link
  }

  /// Adds links that are not there, and treats those that are not given.
  ///
  /// - parameter keys: the keys of both sides of each link.
  func replace(
    _ origins: [[DatabaseValue]], at originPaths: [String], with keys: [[DatabaseValue]],
    at paths: [String], _ missing: MissingLinks
  ) throws {
    try checkDuplicates(keys, at: paths)
    let keys = try zip(keys, paths).map { try link($0, at: $1) }
    let stored = try rows(origin.compared, origins)
    let found = try table.rows(where: keyColumns, equal: keys, session.db)
    let given = found.filter { !table.isMarked($0) }
    let kept = Set(given.map(\.key))
    let others = stored.filter { !kept.contains($0.key) }
    if let first = others.first {
      try treat(others, missing, at: "\(originPaths[first.index]).\(destination.name)")
    }
    let linked = try Set(given.map(\.index)).union(restore(found.filter(table.isMarked)))
    try insert(keys.indices.filter { !linked.contains($0) }, of: keys, at: paths)
  }

  /// Takes the mark of deleted links back, where another row with their key could not be inserted.
  /// Returns the positions of the keys.
  private func restore(_ rows: [StoredRow]) throws -> [Int] {
    let names = keyColumns.map(\.name)
    let isKey = table.key.allSatisfy { column in
      names.contains { $0.isSameIdentifier(as: column) }
    }
    guard let deletionColumn = table.deletionColumn, isKey else { return [] }
    let assignments =
      [Column(deletionColumn).set(to: nil)] + columns.map { Column($0.column).set(to: $0.value) }
    try table.update(rows, among: Table<Row>(table.name).all(), assignments, session.db)
    return rows.map(\.index)
  }

  private func rows(_ columns: [ComparedColumn], _ keys: [[DatabaseValue]]) throws -> [StoredRow] {
    try table.rows(where: columns, equal: keys, session.db).filter { !table.isMarked($0) }
  }

  private func checkDuplicates(_ keys: [[DatabaseValue]], at paths: [String]) throws {
    var places: [[DatabaseValue]: Int] = [:]
    for (index, key) in keys.enumerated() {
      guard let other = places.updateValue(index, forKey: key) else { continue }
      throw GraphSaveError(
        .duplicate, at: paths[index], table.name,
        "the value has the same record at \(paths[other])")
    }
  }

  private func treat(_ rows: [StoredRow], _ missing: MissingLinks, at path: String) throws {
    switch missing {
    case .keep: return
    case .refuse: throw table.refusal(rows, at: path)
    case .unlink:
      try table.checkKeys(of: rows, at: path)
      try GraphSaveError.placing(path, table.name) {
        for request in table.requests(rows, among: origin.rows) {
          try request.deleteAll(session.db)
        }
      }
    }
  }

  private func insert(_ indices: [Int], of keys: [[DatabaseValue]], at paths: [String]) throws {
    if indices.isEmpty { return }
    let handling = try table.conflictHandling(session.db)
    let width = keyColumns.count + columns.count
    let size =
      handling == .resolving
      ? 1 : max(1, min(256, session.db.maximumStatementArgumentCount / width))
    for first in stride(from: 0, to: indices.count, by: size) {
      let chunk = indices[first..<min(first + size, indices.count)]
      do {
        try insert(chunk.map { keys[$0] }, handling)
      } catch {
        guard GraphSaveError.hasPlace(error), session.db.isInsideTransaction else { throw error }
        for index in chunk {
          try GraphSaveError.placing(paths[index], table.name) {
            try insert([keys[index]], handling)
          }
        }
      }
    }
  }

  private func insert(_ keys: [[DatabaseValue]], _ handling: ConflictHandling) throws {
    try session.db.execute(
      literal: .insertion(
        into: table.name, keyColumns.map(\.name) + columns.map(\.column),
        keys.map { $0 + columns.map(\.value) }, aborts: handling == .overriding))
    if handling == .resolving, session.db.changesCount == 0 { throw table.ignoredRow("insertion") }
  }
}
