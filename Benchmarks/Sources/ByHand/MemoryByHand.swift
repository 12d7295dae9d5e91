import CSQLiteBench
public import Harness

/// Fetches by hand whose memory is measured.
public struct MemoryByHand: MemoryContender {
  private let connection: Connection

  public init(path: String) throws {
    connection = try Connection(path: path)
  }

  public func pass(for work: MemoryWork) -> Pass? {
    switch work {
    case .codable, .index: all(Player.self, "player")
    case .narrow: all(Loan.self, "loan")
    case .cursor, .rowCursor: each(Player.self, "player")
    case .rows: nil
    }
  }

  private func all<R: Record>(_ type: R.Type, _ table: String) -> Pass {
    Pass {
      let records = try connection.rows("SELECT * FROM \(table)") { R($0, from: 0) }
      return { Checksum.of(records) }
    }
  }

  private func each<R: Record>(_ type: R.Type, _ table: String) -> Pass {
    Pass {
      var checksum = Checksum()
      try connection.withStatement("SELECT * FROM \(table)") { statement in
        while try connection.step(statement) { R(statement, from: 0).add(to: &checksum) }
      }
      let value = checksum.value
      return { value }
    }
  }
}

/// Makes the file that the memory of fetches is measured with.
public func makeMemoryFile(path: String) throws {
  let connection = try Connection(path: path)
  for sql in Dataset.pragmas + Dataset.schema { try connection.execute(sql) }
  try connection.inTransaction {
    try connection.insert(Dataset.players(count: MemoryWork.rowCount), into: "player")
    try connection.insert(Dataset.loans(count: MemoryWork.rowCount), into: "loan")
  }
}

/// The bytes that SQLite has allocated, in all connections of the process.
public var sqliteMemory: Int64 {
  sqlite3_memory_used()
}

/// The number of prepared statements of a connection.
public func statementCount(of handle: OpaquePointer?) -> Int {
  var count = 0
  var next = sqlite3_next_stmt(handle, nil)
  while let statement = next {
    count += 1
    next = sqlite3_next_stmt(handle, statement)
  }
  return count
}
