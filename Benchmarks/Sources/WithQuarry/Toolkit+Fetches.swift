import Harness

#if PEER
  import GRDB
#else
  import Quarry
#endif

extension Toolkit {
  func all<Record: FetchableRecord & TableRecord & RowValues>(
    _ type: Record.Type
  ) -> Work<[Record]> {
    Work({ db in try Record.fetchAll(db) }, checksum: { Checksum.of($0) })
  }

  func all<Record: FetchableRecord & RowValues>(
    _ type: Record.Type, from table: String
  ) -> Work<[Record]> {
    Work(
      { db in try Record.fetchAll(db, sql: "SELECT * FROM \(table)") },
      checksum: { Checksum.of($0) })
  }

  func all<Parent, Record: FetchableRecord & RowValues>(
    _ request: QueryInterfaceRequest<Parent>, of type: Record.Type
  ) -> Work<[Record]> {
    Work(
      { db in try request.asRequest(of: Record.self).fetchAll(db) },
      checksum: { Checksum.of($0) })
  }

  func rows(
    _ table: String, _ record: @escaping (Row) -> some RowValues
  ) -> Work<[Row]> {
    Work(
      { db in try Row.fetchAll(db, sql: "SELECT * FROM \(table)") },
      checksum: { Checksum.of($0.map(record)) })
  }

  var strings: Work<[String]> {
    Work(
      { db in try String.fetchAll(db, sql: "SELECT name FROM player") },
      checksum: { Checksum.of($0) { $0.add($1) } })
  }

  var integers: Work<[Int64]> {
    Work(
      { db in try Int64.fetchAll(db, sql: "SELECT score FROM player") },
      checksum: { Checksum.of($0) { $0.add($1) } })
  }

  func records<Record: FetchableRecord & TableRecord & RowValues>(
    _ type: Record.Type, keys: [Int64]
  ) -> Work<[Record]> {
    Work(
      { db in
        var records: [Record] = []
        for key in keys {
          if let record = try Record.fetchOne(db, key: key) { records.append(record) }
        }
        return records
      },
      checksum: { Checksum.of($0) })
  }

  func records<Record: FetchableRecord & TableRecord & RowValues>(
    _ type: Record.Type, where column: String, _ texts: [String]
  ) -> Work<[Record]> {
    Work(
      { db in
        var records: [Record] = []
        for text in texts {
          let request = Record.filter(Column(column) == text)
          if let record = try request.fetchOne(db) { records.append(record) }
        }
        return records
      },
      checksum: { Checksum.of($0) })
  }
}
