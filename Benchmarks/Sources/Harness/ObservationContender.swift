/// One way to observe a database: with Quarry, with GRDB.
public protocol ObservationContender: Sendable {
  /// Opens a pool on a new file, and creates the tables.
  init(path: String) throws

  /// Observes the number of loans of a table that are not returned, until the result is released.
  ///
  /// - Parameter onChange: called with each value, one after the other.
  func observe(table: Int, onChange: @escaping @Sendable (Int) -> Void) -> any Sendable

  /// Observes all loans of a table, by a request that is equal for all observations of the table.
  func observeRequest(table: Int, onChange: @escaping @Sendable (Int) -> Void) -> any Sendable

  /// The number of times that the first loan of a table was fetched, by all requests of the
  /// process.
  static var fetchCount: Int { get }

  /// Changes a row of a table, in a transaction of its own.
  func commit(table: Int, id: Int) throws

  /// Changes rows of a table, one after the other, in one transaction.
  func updateRows(table: Int, count: Int) throws
}

/// The tables of the observations.
public enum ObservationDataset {
  public static let tableCount = 100
  public static let rowCount = 1_000

  /// The first table has rows, the others have ten.
  public static let schema = (0..<tableCount).flatMap { table in
    [
      "CREATE TABLE loan\(table)(id INTEGER PRIMARY KEY, days INTEGER NOT NULL, returned INTEGER)",
      """
      WITH RECURSIVE n(i) AS (
        VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < \(table == 0 ? rowCount : 10)
      )
      INSERT INTO loan\(table) SELECT i, 0, i % 2 FROM n
      """,
    ]
  }
}
