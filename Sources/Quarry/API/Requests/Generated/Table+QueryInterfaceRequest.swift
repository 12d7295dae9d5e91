// Written by Scripts/generate, from QueryInterfaceRequest.swift: change that file.

extension _TableSource {
  /// Limits the number of rows. A second limit replaces the first one, with its offset.
  ///
  /// ```swift
  /// // SELECT * FROM "player" LIMIT 10 OFFSET 20
  /// players.limit(10, offset: 20)
  /// ```
  public func limit(_ limit: Int, offset: Int? = nil) -> QueryInterfaceRequest<RowDecoder> {
    all().limit(limit, offset: offset)
  }
}
