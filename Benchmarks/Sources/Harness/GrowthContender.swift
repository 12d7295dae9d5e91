/// Work on tables of a growing number of rows.
public enum GrowthWork: String, CaseIterable, Sendable {
  case fetch
  case join
  case prefetch
  case insert
  case delete

  public var title: String {
    switch self {
    case .fetch: "fetchAll, Codable"
    case .join: "joined Codable pairs"
    case .prefetch: "including(all:), ten children each"
    case .insert: "bulk insert in one transaction"
    case .delete: "delete half of the rows by key"
    }
  }
}

/// One way to do that work.
public protocol GrowthContender {
  init(path: String) throws
  func pass(for work: GrowthWork, rows: Int) -> Pass?
}

/// The file of the growth: as many loans as there are rows, with a tenth as many members.
public enum GrowthDataset {
  public static func schema(rows: Int) -> [String] {
    [
      "CREATE TABLE member(id INTEGER PRIMARY KEY, name TEXT NOT NULL)",
      Dataset.loanTable("recentLoan", memberId: "INTEGER NOT NULL REFERENCES member(id)"),
      Dataset.loanTable("newLoan", memberId: "INTEGER NOT NULL"),
      """
      WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < \(rows / 10))
      INSERT INTO member SELECT i, 'M' || i FROM n
      """,
      """
      WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < \(rows))
      INSERT INTO recentLoan SELECT i, 1 + i * 7919 % \(rows / 10), 'S' || i % 1000, i % 30 FROM n
      """,
      "CREATE INDEX recentLoan_on_memberId ON recentLoan(memberId)",
    ]
  }

  public static func loans(rows: Int) -> [LoanFacts] {
    Dataset.loans(count: rows)
  }

  /// Brings `newLoan` into the state that the deletion expects.
  public static let fullTable = [
    "DELETE FROM newLoan", "INSERT INTO newLoan SELECT * FROM recentLoan",
  ]

  public static func deletedKeys(rows: Int) -> [Int64] {
    stride(from: 1, through: Int64(rows), by: 2).map { $0 }
  }
}
