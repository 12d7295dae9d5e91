import Quarry

/// A step of an association along a foreign key, as the schema resolves it: for writes of
/// associated records.
struct ForeignKeyStep {
  /// The name of the step in the decoded record.
  let name: String
  /// The table that the step leads to.
  let table: String
  /// Whether the foreign key is in the table that the step starts from.
  let startsAtForeignKey: Bool
  /// The columns of the foreign key, and what they refer to.
  let mapping: [(origin: String, destination: String)]
  /// The columns of the foreign key, as joins compare them.
  let compared: [ComparedColumn]
  /// The rows of the table that are not marked as deleted.
  let rows: QueryInterfaceRequest<Row>
  /// The column that is not null in rows that are marked as deleted.
  let deletionColumn: String?
}

extension Association {
  /// The steps of the association.
  ///
  /// - parameter table: the table that the association starts from.
  /// - Throws: ``InvalidRequest`` for an association along a condition, to a source that is no
  ///   table, or that leaves out rows.
  func foreignKeySteps(from table: String, _ db: Database) throws -> [ForeignKeyStep] {
    var origin = Source.table(table)
    let steps = _association.steps
    let isToMany = steps.contains(where: \.isToMany)
    return try steps.map { step in
      if let fault = step.relation.fault { throw fault }
      if case .limited = step.condition { throw InvalidRequest.leavesOutRows(_association) }
      guard case .foreignKey(let condition) = step.condition,
        case .table(let name) = step.relation.source
      else { throw InvalidRequest.notAlongForeignKey(_association) }
      guard step.relation.hasAllRows else { throw InvalidRequest.leavesOutRows(_association) }
      defer { origin = step.relation.source }
      let mapping = try db.schema.mapping(condition, parent: origin, child: step.relation.source)
      let (referring, referred) =
        condition.parentIsOrigin ? (origin.name, name) : (name, origin.name)
      var rows = step.relation
      rows.ordering = OrderingClause([])
      return ForeignKeyStep(
        name: isToMany ? step.key.plural : step.key.singular, table: name,
        startsAtForeignKey: condition.parentIsOrigin,
        mapping: mapping,
        compared: try mapping.map { pair in
          try ComparedColumn(
            pair, of: referring, to: referred, startsAtForeignKey: condition.parentIsOrigin, db)
        },
        rows: QueryInterfaceRequest(relation: rows),
        deletionColumn: step.relation.deletionScope?.column)
    }
  }
}

extension Relation {
  /// Whether no clause leaves out rows, but those that are marked as deleted.
  fileprivate var hasAllRows: Bool {
    limit == nil && joins.isEmpty && !isDistinct && rareClauses == nil
      && filters.allSatisfy { clause in
        if case .scope(let scope) = clause { scope.rows == .kept } else { false }
      }
  }
}

extension InvalidRequest {
  fileprivate static func notAlongForeignKey(_ association: _AssociationStorage) -> InvalidRequest {
    InvalidRequest(
      "Association \"\(association.destination.key.plural)\" can't be saved: it does not lead "
        + "from table to table along foreign keys.")
  }

  fileprivate static func leavesOutRows(_ association: _AssociationStorage) -> InvalidRequest {
    InvalidRequest(
      "Association \"\(association.destination.key.plural)\" can't be saved: its conditions, joins "
        + "or limits leave out rows, which would be missing in the saved value. "
        + "To fix this error, save the association without them.")
  }
}
