// Written by Scripts/generate, from SelectionRequest.swift: change that file.

extension SelectionRequest where Self: TypedRequest, RowDecoder: TableRecord {
  /// Replaces the selection. See `select(_:)`.
  public consuming func select(_ selection: (DatabaseComponents) throws -> [any SQLSelectable])
    rethrows -> Self
  {
    try select(selection(RowDecoder.databaseComponents))
  }

  /// Appends to the selection. See `annotated(with:)`.
  public consuming func annotated(
    with selection: (DatabaseComponents) throws -> [any SQLSelectable]
  ) rethrows -> Self {
    try annotated(with: selection(RowDecoder.databaseComponents))
  }
}
