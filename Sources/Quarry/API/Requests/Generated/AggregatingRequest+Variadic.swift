// Written by Scripts/generate, from AggregatingRequest.swift: change that file.

extension AggregatingRequest {
  /// Replaces the grouping. See `group(_:)`.
  public consuming func group(_ expressions: any SQLExpressible...) -> Self {
    group(expressions)
  }
}
