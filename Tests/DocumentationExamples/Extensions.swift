// A tokenizer and virtual tables that examples register.

import Quarry
import QuarryTables

final class StopWordTokenizer: FTS5WrapperTokenizer {
  static let name = "stopwords"
  let wrappedTokenizer: any FTS5Tokenizer

  init(db: Database, arguments: [String]) throws {
    wrappedTokenizer = try db.makeTokenizer(.unicode61())
  }

  func accept(
    token: String, flags: FTS5TokenFlags, for tokenization: FTS5Tokenization,
    tokenCallback: FTS5WrapperTokenCallback
  ) throws {
    try tokenCallback(token, flags)
  }
}

struct Squares: VirtualTable {
  let columns = [VirtualTableColumn("root", .integer)]

  func makeCursor(_ db: Database, for scan: VirtualTableScan) -> Cursor { Cursor() }

  struct Cursor: VirtualTableCursor {
    let rowID: Int64 = 0

    mutating func next() -> Bool { false }
    func value(at column: Int) -> (any DatabaseValueConvertible)? { nil }
  }
}

struct LogTable: VirtualTable {
  let path: String
  let columns = [VirtualTableColumn("line", .text)]

  func makeCursor(_ db: Database, for scan: VirtualTableScan) -> Squares.Cursor { .init() }
}
