// Records whose deletions mark rows.

extension _RelationRequest {
  /// The request with the rows that are marked as deleted.
  package consuming func withDeletedRows() -> Self {
    mapRelation { $0.show(.all) }
  }

  /// The request for the rows that are marked as deleted.
  package consuming func deletedRows() -> Self {
    mapRelation { $0.show(.deleted) }
  }
}

extension QueryInterfaceRequest {
  /// The rows of the request that are marked as deleted, to be modified.
  package consuming func modifiedDeletedRows() -> Self {
    mapRelation { $0.selectModified(.deleted) }
  }

  /// Removes the rows of the request, also where deletions mark rows. Returns their number.
  package func removeAll(_ db: Database) throws -> Int {
    var request = self
    request.relation.removeDeletionScope()
    return try request.deleteAll(db)
  }

  /// The rows that a deletion marks, and how. Nil where it removes rows.
  func marking(
    _ db: Database
  ) throws -> (rows: QueryInterfaceRequest, assignments: [ColumnAssignment])? {
    guard let scope = relation.deletionScope else { return nil }
    guard scope.rows != .deleted else {
      throw relation.source.naming(
        InvalidRequest(
          "The rows of the request are deleted already. To remove them, call `forceDeleteAll`; to "
            + "bring them back, `restoreAll`."))
    }
    var rows = self
    rows.relation.selectModified(.kept)
    return (rows, try scope.assignments(db))
  }
}
