// Written by Scripts/generate, from AssociationAggregate.swift: change that file.

extension DerivableRequest {
  /// Appends aggregates of associations to the selection. See `annotated(with:)`.
  public consuming func annotated(with aggregates: AssociationAggregate<RowDecoder>...) -> Self {
    annotated(with: aggregates)
  }
}
