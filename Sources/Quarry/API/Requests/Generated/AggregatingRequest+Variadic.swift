// Written by Scripts/generate, from AggregatingRequest.swift: change that file.

extension AggregatingRequest {
  /// Replaces the grouping.
  ///
  /// ```swift
  /// // SELECT "team", COUNT("id") FROM "player" GROUP BY "team"
  /// Player.all().select(Column("team"), count(Column("id"))).group(Column("team"))
  /// ```
  public consuming func group(_ expressions: any SQLExpressible...) -> Self {
    group(expressions)
  }
}
