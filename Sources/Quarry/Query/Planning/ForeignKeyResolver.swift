/// Finds the columns of a join in the schema.
struct ForeignKeyResolver {
  let schema: any SchemaReader

  /// Pairs of columns: the foreign key, and what it references.
  ///
  /// - Throws: `InvalidRequest` when no foreign key fits, or several. `DatabaseError` for an
  ///   unknown table.
  func mapping(
    _ condition: ForeignKeyCondition, parent: Source, child: Source
  ) throws -> [(origin: String, destination: String)] {
    if let origin = condition.originColumns, let destination = condition.destinationColumns {
      guard origin.count == destination.count else {
        throw InvalidRequest("Number of columns don't match")
      }
      return Array(zip(origin, destination)).map { (origin: $0.0, destination: $0.1) }
    }
    let origin = condition.parentIsOrigin ? parent : child
    let destination = condition.parentIsOrigin ? child : parent
    let names = Names(
      origin: origin.selectedTable ?? origin.name,
      destination: destination.selectedTable ?? destination.name)
    guard let destinationTable = destination.selectedTable else { throw names.notInferred([]) }
    guard let originTable = origin.selectedTable else {
      return try completed(condition, names, [])
    }
    let foreignKeys = try schema.foreignKeys(from: originTable)
    let table = try schema.foreignKeyDestination(destinationTable, from: originTable)
    let candidates = table.map { table in
      foreignKeys.filter { condition.matches($0, to: table) }
    }
    guard let candidates, !candidates.isEmpty else {
      return try completed(condition, names, foreignKeys)
    }
    guard candidates.count == 1 else { throw names.ambiguous(candidates) }
    return candidates[0].mapping
  }

  /// The schema has no such foreign key: origin columns that the user knows refer to the primary
  /// key.
  private func completed(
    _ condition: ForeignKeyCondition, _ names: Names, _ foreignKeys: [ForeignKeyInfo]
  ) throws -> [(origin: String, destination: String)] {
    guard try schema.exists(names.destination) else {
      throw DatabaseError.noSuchTable(names.destination)
    }
    guard let originColumns = condition.originColumns else { throw names.notInferred(foreignKeys) }
    if try schema.isView(names.destination) {
      throw names.needsBothColumnLists
    }
    guard let key = try schema.primaryKeyIfKnown(of: names.destination),
      key.columns.count == originColumns.count
    else { throw names.notInferred(foreignKeys) }
    return Array(zip(originColumns, key.columns)).map { (origin: $0.0, destination: $0.1) }
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
      case .compound(let compound):
        return Source.subquery(compound.first, name: name).selectedTable
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
