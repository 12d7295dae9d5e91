public import Harness

#if PEER
  import GRDB
#else
  import Quarry
#endif

/// Fetches as a program on a toolkit makes them. See ``Toolkit``.
public struct MemoryToolkit: MemoryContender {
  private let queue: DatabaseQueue

  public init(path: String) throws {
    queue = try DatabaseQueue(path: path)
  }

  public func pass(for work: MemoryWork) -> Pass? {
    switch work {
    case .codable: all(CodablePlayer.self)
    case .index: all(IndexedPlayer.self)
    case .narrow: all(CodableLoan.self)
    case .rows:
      Pass {
        let rows = try queue.read { db in try Row.fetchAll(db, IndexedPlayer.all()) }
        return { Checksum.of(rows.lazy.map(IndexedPlayer.init)) }
      }
    case .cursor: each { try CodablePlayer.fetchCursor($0) }
    case .rowCursor: each { try Row.fetchCursor($0, IndexedPlayer.all()).map(IndexedPlayer.init) }
    }
  }

  private func all<Record: FetchableRecord & TableRecord & RowValues>(
    _ type: Record.Type
  ) -> Pass {
    Pass {
      let records = try queue.read { db in try Record.fetchAll(db) }
      return { Checksum.of(records) }
    }
  }

  private func each<Records: Cursor>(
    _ records: @escaping (Database) throws -> Records
  ) -> Pass where Records.Element: RowValues {
    Pass {
      let value = try queue.read { db in
        var checksum = Checksum()
        let cursor = try records(db)
        while let record = try cursor.next() { record.add(to: &checksum) }
        return checksum.value
      }
      return { value }
    }
  }
}
