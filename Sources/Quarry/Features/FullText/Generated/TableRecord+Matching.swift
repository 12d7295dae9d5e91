// Written by Scripts/generate, from Matching.swift: change that file.

extension TableRecord {
  /// The records of an FTS3 or FTS4 table that match a pattern. None for nil.
  ///
  /// ```swift
  /// // SELECT * FROM "document" WHERE "document" MATCH ?
  /// let pattern = FTS3Pattern(matchingAllTokensIn: "old man")
  /// Document.matching(pattern)
  /// ```
  ///
  /// See `TableRequest.matching(_:)`.
  public static func matching(_ pattern: FTS3Pattern?) -> QueryInterfaceRequest<Self> {
    all().matching(pattern)
  }

  /// The records of an FTS5 table that match a pattern. None for nil.
  ///
  /// ```swift
  /// // SELECT * FROM "document" WHERE "document" MATCH ? ORDER BY "rank"
  /// let pattern = FTS5Pattern(matchingAllTokensIn: "old man")
  /// Document.matching(pattern).order(Column.rank)
  /// ```
  ///
  /// See `TableRequest.matching(_:)`.
  public static func matching(_ pattern: FTS5Pattern?) -> QueryInterfaceRequest<Self> {
    all().matching(pattern)
  }
}
