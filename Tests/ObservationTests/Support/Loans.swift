import QuarryTestSupport

@testable import Quarry
@testable import QuarryTables

/// Loans in memory, as a table that can be written to.
final class Loans: WritableVirtualTable {
  let columns: [VirtualTableColumn]
  private let rows = Locked<[Int64: [DatabaseValue]]>([:])

  init(hasPrimaryKey: Bool = false) {
    let isbn = VirtualTableColumn("isbn", .text)
    columns = [
      hasPrimaryKey ? isbn.primaryKey() : isbn, VirtualTableColumn("days", .integer),
    ]
  }

  struct Cursor: VirtualTableCursor {
    var rows: [(key: Int64, value: [DatabaseValue])]
    var position = -1

    mutating func next() -> Bool {
      position += 1
      return position < rows.count
    }

    func value(at column: Int) -> (any DatabaseValueConvertible)? { rows[position].value[column] }
    var rowID: Int64 { rows[position].key }
  }

  func makeCursor(_ db: Database, for scan: VirtualTableScan) -> Cursor {
    Cursor(rows: rows.withLock { $0 }.sorted { $0.key < $1.key })
  }

  func insert(_ row: VirtualTableRow) throws -> Int64 {
    try rows.withLock { rows in
      guard row[1] != 0.databaseValue else {
        throw DatabaseError(resultCode: .SQLITE_CONSTRAINT_CHECK, message: "no days")
      }
      let rowID = row.rowID ?? (rows.keys.max() ?? 0) + 1
      rows[rowID] = row.values
      return rowID
    }
  }

  func update(_ key: DatabaseValue, to row: VirtualTableRow) {
    rows.withLock { rows in
      guard let old = rowID(of: key, rows) else { return }
      rows[old] = nil
      rows[row.rowID ?? old] = row.values
    }
  }

  func delete(_ key: DatabaseValue) {
    rows.withLock { rows in
      if let rowID = rowID(of: key, rows) { rows[rowID] = nil }
    }
  }

  private func rowID(of key: DatabaseValue, _ rows: [Int64: [DatabaseValue]]) -> Int64? {
    columns[0].isPrimaryKey
      ? rows.first { $0.value[0] == key }?.key : Int64.fromDatabaseValue(key)
  }
}
