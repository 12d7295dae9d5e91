/// Work whose memory is measured, on tables of 1,000,000 rows.
public enum MemoryWork: String, CaseIterable, Sendable {
  case codable = "fetchAll, Codable"
  case index = "fetchAll, by index"
  case rows = "Row.fetchAll"
  case narrow = "narrow: fetchAll, Codable"
  case cursor = "cursor, Codable"
  case rowCursor = "Row cursor"

  public static let rowCount = 1_000_000
}

/// One way to fetch many records.
public protocol MemoryContender {
  init(path: String) throws

  /// The fetch. Its outcome keeps what was fetched alive. Nil where there is nothing to compare.
  func pass(for work: MemoryWork) -> Pass?
}
