// Written by Scripts/generate, from AggregatingRequest.swift: change that file.

extension AggregatingRequest where Self: TypedRequest, RowDecoder: TableRecord {
  /// Replaces the grouping. See `group(_:)`.
  public consuming func group(_ expressions: (DatabaseComponents) throws -> [any SQLExpressible])
    rethrows -> Self
  {
    try group(expressions(RowDecoder.databaseComponents))
  }
}
