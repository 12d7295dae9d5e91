import Dispatch
import Foundation
public import Harness

#if PEER
  import GRDB
#else
  import Quarry
#endif

/// Observations as a program on a toolkit makes them. See ``Toolkit``.
public struct ObservationToolkit: ObservationContender {
  private let pool: DatabasePool

  private struct Loan: FetchableRecord {
    let id: Int64
    let days: Int

    init(row: Row) {
      id = row["id"]
      days = row["days"]
      if id == 1 { fetches.add() }
    }
  }

  public static var fetchCount: Int { fetches.value }

  public init(path: String) throws {
    pool = try DatabasePool(path: path)
    try pool.write { db in
      for sql in ObservationDataset.schema { try db.execute(sql: sql) }
    }
  }

  public func observe(
    table: Int, onChange: @escaping @Sendable (Int) -> Void
  ) -> any Sendable {
    let observation = ValueObservation.trackingConstantRegion { db in
      try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM loan\(table) WHERE returned = 0") ?? 0
    }
    return Started(
      observation.start(
        in: pool, scheduling: .async(onQueue: Self.queue), onError: Self.stop,
        onChange: onChange))
  }

  public func observeRequest(
    table: Int, onChange: @escaping @Sendable (Int) -> Void
  ) -> any Sendable {
    let request = Table<Loan>("loan\(table)").filter(Column("days") >= 0)
    #if PEER
      let observation = ValueObservation.trackingConstantRegion { db in try request.fetchAll(db) }
    #else
      let observation = ValueObservation.tracking(all: request)
    #endif
    return Started(
      observation.start(
        in: pool, scheduling: .async(onQueue: Self.queue), onError: Self.stop
      ) { loans in
        onChange(loans.count)
      })
  }

  public func commit(table: Int, id: Int) throws {
    try pool.write { db in
      let statement = try db.cachedStatement(
        sql: "UPDATE loan\(table) SET returned = 1 - returned WHERE id = ?")
      try statement.execute(arguments: [id])
    }
  }

  public func updateRows(table: Int, count: Int) throws {
    try pool.write { db in
      let statement = try db.cachedStatement(
        sql: "UPDATE loan\(table) SET returned = 1 - returned WHERE id = ?")
      for turn in 0..<count {
        try statement.execute(arguments: [turn % ObservationDataset.rowCount + 1])
      }
    }
  }

  /// Where values are reported.
  private static let queue = DispatchQueue(label: "observers")

  private static let stop: @Sendable (any Error) -> Void = { fatalError("\($0)") }
}

/// An observation that ends when this is released.
private final class Started: Sendable {
  private let cancellable: AnyDatabaseCancellable

  init(_ cancellable: AnyDatabaseCancellable) {
    self.cancellable = cancellable
  }
}

private let fetches = FetchCounter()

private final class FetchCounter: @unchecked Sendable {
  private let lock = NSLock()
  private var count = 0

  func add() { lock.withLock { count += 1 } }

  var value: Int { lock.withLock { count } }
}
