// Written by Scripts/generate, from QueryInterfaceRequest.swift: change that file.

extension TableRecord {
  /// Limits the number of records. A second limit replaces the first one, with its offset.
  ///
  /// ```swift
  /// // SELECT * FROM "player" LIMIT 10 OFFSET 20
  /// Player.limit(10, offset: 20)
  /// ```
  public static func limit(_ limit: Int, offset: Int? = nil) -> QueryInterfaceRequest<Self> {
    all().limit(limit, offset: offset)
  }
}
