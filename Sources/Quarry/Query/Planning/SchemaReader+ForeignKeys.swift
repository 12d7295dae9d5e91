// The columns of a join, which are found in the schema.

extension SchemaReader {
  /// Pairs of columns: the foreign key, and what it references.
  ///
  /// - Throws: `InvalidRequest` when no foreign key fits, or several. `DatabaseError` for an
  ///   unknown table.
  package func mapping(
    _ condition: ForeignKeyCondition, parent: Source, child: Source
  ) throws -> [(origin: String, destination: String)] {
    if let origin = condition.originColumns, let destination = condition.destinationColumns {
      guard origin.count == destination.count else {
        throw InvalidRequest("Number of columns don't match")
      }
      return zip(origin, destination).map { (origin: $0, destination: $1) }
    }
    let origin = condition.parentIsOrigin ? parent : child
    let destination = condition.parentIsOrigin ? child : parent
    let names = Names(
      origin: origin.selectedTable ?? origin.name,
      destination: destination.selectedTable ?? destination.name)
    guard let destinationTable = destination.selectedTable else { throw names.notInferred([]) }
    guard let originTable = origin.selectedTable else { return try completed(condition, names, []) }
    let foreignKeys = try self.foreignKeys(from: originTable)
    let table = try foreignKeyDestination(destinationTable, from: originTable)
    let candidates = table.map { table in foreignKeys.filter { condition.matches($0, to: table) } }
    guard let candidates, !candidates.isEmpty else {
      if condition.originColumns == nil,
        let twin = try twin(of: destinationTable, from: originTable, foreignKeys)
      {
        throw names.inOtherSchemas(twin, isBelongsTo: condition.parentIsOrigin)
      }
      return try completed(condition, names, foreignKeys)
    }
    guard candidates.count == 1 else { throw names.ambiguous(candidates) }
    return candidates[0].mapping
  }

  /// The table of the same name in the schema of the foreign keys, if they lead there, and the
  /// given one is in another schema.
  private func twin(
    of destination: String, from origin: String, _ foreignKeys: [ForeignKeyInfo]
  ) throws -> String? {
    guard let id = try tableID(destination), let originID = try tableID(origin),
      id.schemaID != originID.schemaID,
      foreignKeys.contains(where: { $0.destinationTable.isSameIdentifier(as: id.name) })
    else { return nil }
    return "\(originID.schemaID.name).\(id.name)"
  }

  /// The schema has no such foreign key: origin columns that the user knows refer to the primary
  /// key.
  private func completed(
    _ condition: ForeignKeyCondition, _ names: Names, _ foreignKeys: [ForeignKeyInfo]
  ) throws -> [(origin: String, destination: String)] {
    guard try exists(names.destination) else { throw DatabaseError.noSuchTable(names.destination) }
    guard let originColumns = condition.originColumns else { throw names.notInferred(foreignKeys) }
    if try isView(names.destination) { throw names.needsBothColumnLists }
    guard let key = try primaryKeyIfKnown(of: names.destination),
      key.columns.count == originColumns.count
    else { throw names.notInferred(foreignKeys) }
    return zip(originColumns, key.columns).map { (origin: $0, destination: $1) }
  }
}

extension Source {
  /// The table that has the foreign keys of the rows: in a subquery, that of its records.
  fileprivate var selectedTable: String? {
    switch self {
    case .table(let name): return name
    case .subquery(let query, _):
      switch query.node {
      case .relation(let relation): return relation.source.selectedTable
      case .compound(let compound): return Source.subquery(compound.first, name: name).selectedTable
      case .literal, .planned: return nil
      }
    case .tableExpression, .function: return nil
    }
  }
}

extension ForeignKeyCondition {
  /// True if the foreign key leads to the table, over the columns that are known.
  fileprivate func matches(_ foreignKey: ForeignKeyInfo, to table: String) -> Bool {
    foreignKey.destinationTable.isSameIdentifier(as: table)
      && Self.isSame(foreignKey.originColumns, as: originColumns)
      && Self.isSame(foreignKey.destinationColumns, as: destinationColumns)
  }

  private static func isSame(_ columns: [String], as expected: [String]?) -> Bool {
    guard let expected else { return true }
    return Set(columns.map(\.identifierKey)) == Set(expected.map(\.identifierKey))
  }
}

/// The tables of a foreign key, for messages.
private struct Names {
  let origin: String
  let destination: String

  private static let advice =
    "To fix this error, provide an explicit `ForeignKey` in the association definition"

  func notInferred(_ foreignKeys: [ForeignKeyInfo]) -> InvalidRequest {
    let known = foreignKeys.map { "\($0.summary) in '\($0.destinationTable)'" }
    return InvalidRequest(
      "Could not infer foreign key from '\(origin)' to '\(destination)'. \(Self.advice). "
        + "'\(origin)' has "
        + (known.isEmpty
          ? "no foreign key." : "the foreign keys: \(known.joined(separator: ", "))."))
  }

  func inOtherSchemas(_ twin: String, isBelongsTo: Bool) -> InvalidRequest {
    let association =
      isBelongsTo
      ? "Table(\"\(origin)\").belongsTo(Table(\"\(twin)\"))"
      : "Table(\"\(twin)\").hasMany(Table(\"\(origin)\"))"
    return InvalidRequest(
      "Could not infer foreign key from '\(origin)' to '\(destination)': they are in different "
        + "schemas, and the foreign key leads to '\(twin)'. To fix this error, use an association "
        + "between these tables, such as \(association).forKey(…).")
  }

  var needsBothColumnLists: InvalidRequest {
    InvalidRequest(
      "Could not infer foreign key from '\(origin)' to '\(destination)'. "
        + "\(Self.advice), with both origin and destination columns.")
  }

  func ambiguous(_ candidates: [ForeignKeyInfo]) -> InvalidRequest {
    InvalidRequest(
      "Ambiguous foreign key from '\(origin)' to '\(destination)'. \(Self.advice). "
        + "Candidates: \(candidates.map(\.summary).joined(separator: ", ")).")
  }
}

extension ForeignKeyInfo {
  /// `ForeignKey(["authorId"], to: ["id"])`
  fileprivate var summary: String { "ForeignKey(\(originColumns), to: \(destinationColumns))" }
}
