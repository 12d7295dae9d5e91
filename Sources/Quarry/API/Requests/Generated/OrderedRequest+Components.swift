// Written by Scripts/generate, from OrderedRequest.swift: change that file.

extension OrderedRequest where Self: TypedRequest, RowDecoder: TableRecord {
  /// Replaces the ordering. See `order(_:)`.
  public consuming func order(_ orderings: (DatabaseComponents) throws -> [any SQLOrderingTerm])
    rethrows -> Self
  {
    try order(orderings(RowDecoder.databaseComponents))
  }
}
