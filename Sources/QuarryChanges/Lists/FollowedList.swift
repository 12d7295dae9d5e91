import Quarry
import QuarryPages

/// A list whose rows are followed, as the connection that writes has fetched it: what is needed to
/// fetch some rows of it.
///
/// The rows of a list are as they were, but for those that this connection has changed since then,
/// which ``ChangedRows`` has, and unless another connection has committed, which the version
/// of the data shows: https://www.sqlite.org/pragma.html#pragma_data_version
struct FollowedList<Record: FetchableRecord & Sendable>: Sendable {
  private let rows: PlacedRows<Record>
  private let columns: [String]
  private let dataVersion: Int

  /// Nil where rows can't be fetched without the list.
  init?(_ request: QueryInterfaceRequest<Record>, _ db: Database) throws {
    guard let rows = PlacedRows(request, db) else { return nil }
    self.rows = rows
    columns = try db.keyColumns(of: Record.self)
    dataVersion = try db.dataVersion()
  }

  /// Fetches the list, and has its changes followed.
  func fetch(_ db: Database, following changed: ChangedRows) throws -> _FetchedRecords<Record> {
    let elements = try IdentifiedRecord<Record>.all(
      rows.rows(db), identifiedBy: columns, place: place)
    guard elements.allSatisfy({ $0.place != nil }) else {
      return _FetchedRecords(content: .list(elements, nil))
    }
    changed.begin(
      self, ofTable: rows.table, rowIDColumn: rows.rowIDColumn, limit: max(128, elements.count))
    let terms = rows.terms.map {
      RowOrder.Term(isDescending: $0.isDescending, nullsFollow: $0.nullsFollow)
    }
    return _FetchedRecords(content: .list(elements, RowOrder(terms: terms)))
  }

  /// Fetches some rows. Nil where the list is to be fetched.
  func fetch(_ db: Database, _ rowIDs: Set<Int64>) throws -> _FetchedRecords<Record>? {
    guard try db.dataVersion() == dataVersion else { return nil }
    let elements = try IdentifiedRecord<Record>.all(
      rows.rows(db, withRowIDs: rowIDs), identifiedBy: columns, place: place)
    guard elements.allSatisfy({ $0.place != nil }) else { return nil }
    return _FetchedRecords(content: .rows(rowIDs, elements))
  }

  private func place(of row: Row) -> RowPlace? {
    let (rowID, values) = rows.place(of: row)
    return RowPlace(rowID: rowID, values: values)
  }
}

extension Database {
  fileprivate func dataVersion() throws -> Int {
    try Int.fetchOne(self, sql: "PRAGMA main.data_version") ?? 0
  }
}
