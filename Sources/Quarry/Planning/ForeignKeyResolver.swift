/// Finds the columns of a join in the schema.
struct ForeignKeyResolver {
  let schema: any SchemaReader

  /// Pairs of columns: the foreign key, and what it references.
  ///
  /// - Throws: `InvalidRequest` when no foreign key fits, or several. `DatabaseError` for an unknown table.
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
    let names = Names(origin: origin.name, destination: destination.name)
    guard case .table(let originTable) = origin, case .table(let destinationTable) = destination
    else { throw names.notInferred }
    let candidates = try candidates(
      condition, from: originTable, to: destinationTable)
    switch candidates.count {
    case 1: return candidates[0].mapping
    case 0: return try completed(condition, names)
    default: throw names.ambiguous(candidates)
    }
  }

  private func candidates(
    _ condition: ForeignKeyCondition, from origin: String, to destination: String
  ) throws -> [ForeignKeyInfo] {
    let foreignKeys = try schema.foreignKeys(from: origin)
    return foreignKeys.filter { foreignKey in
      foreignKey.destinationTable.isSameIdentifier(as: destination)
        && isSame(foreignKey.mapping.lazy.map(\.origin), as: condition.originColumns)
        && isSame(foreignKey.mapping.lazy.map(\.destination), as: condition.destinationColumns)
    }
  }

  private func isSame(_ columns: some Sequence<String>, as expected: [String]?) -> Bool {
    guard let expected else { return true }
    return Set(columns.map { $0.lowercased() }) == Set(expected.map { $0.lowercased() })
  }

  /// The schema has no such foreign key: origin columns that the user knows refer to the primary key.
  private func completed(
    _ condition: ForeignKeyCondition, _ names: Names
  ) throws -> [(origin: String, destination: String)] {
    guard try schema.exists(names.destination) else {
      throw DatabaseError.noSuchTable(names.destination)
    }
    guard let originColumns = condition.originColumns else { throw names.notInferred }
    if try schema.isView(names.destination) {
      throw names.needsBothColumnLists
    }
    guard let key = try schema.primaryKeyIfKnown(of: names.destination),
      key.columns.count == originColumns.count
    else { throw names.notInferred }
    return Array(zip(originColumns, key.columns)).map { (origin: $0.0, destination: $0.1) }
  }
}

/// The tables of a foreign key, for messages.
private struct Names {
  let origin: String
  let destination: String

  private static let advice =
    "To fix this error, provide an explicit `ForeignKey` in the association definition"

  var notInferred: InvalidRequest {
    InvalidRequest(
      "Could not infer foreign key from '\(origin)' to '\(destination)'. \(Self.advice).")
  }

  var needsBothColumnLists: InvalidRequest {
    InvalidRequest(
      "Could not infer foreign key from '\(origin)' to '\(destination)'. "
        + "\(Self.advice), with both origin and destination columns.")
  }

  func ambiguous(_ candidates: [ForeignKeyInfo]) -> InvalidRequest {
    let descriptions = candidates.map { foreignKey in
      "ForeignKey(\(foreignKey.originColumns), to: \(foreignKey.destinationColumns))"
    }
    return InvalidRequest(
      "Ambiguous foreign key from '\(origin)' to '\(destination)'. \(Self.advice). "
        + "Candidates: \(descriptions.joined(separator: ", ")).")
  }
}
