// Records whose deletions mark rows.

extension QueryInterfaceRequest {
  /// The rows that a deletion marks, and how. Nil where it removes rows.
  func marking(
    _ db: Database
  ) throws -> (rows: QueryInterfaceRequest, assignments: [ColumnAssignment])? {
    try (RowDecoder.self as? any _CheckedRecord.Type)?._checkConformance()
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
