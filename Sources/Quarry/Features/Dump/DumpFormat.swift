/// A format of dumps: turns the rows of a statement into text.
///
/// ```swift
/// // Arthur|1000
/// // Barbara|500
/// try db.dumpSQL("SELECT name, score FROM player ORDER BY name")
///
/// // [{"name":"Arthur","score":1000},
/// // {"name":"Barbara","score":500}]
/// try db.dumpSQL("SELECT name, score FROM player ORDER BY name", format: .json())
/// ```
///
/// A format is copied for each statement: what it keeps from a row to the next one is lost at the
/// end of the statement.
public protocol DumpFormat {
  /// Writes the current row of a statement.
  mutating func writeRow(
    _ db: Database, statement: Statement, to stream: inout DumpStream) throws

  /// Ends the text of a statement. Called once, also when there was no row.
  mutating func finalize(_ db: Database, statement: Statement, to stream: inout DumpStream)
}

extension DumpFormat {
  /// Does nothing: there is no text after the rows.
  public mutating func finalize(
    _ db: Database, statement: Statement, to stream: inout DumpStream
  ) {}
}

/// When the tables of a dump have their name above their rows.
public enum DumpTableHeaderOptions: Hashable, Sendable {
  /// When several tables are dumped.
  case automatic
  /// In all cases.
  case always
}

extension Statement {
  /// The columns to write. Those whose name begins with `grdb_` are the library's own: the keys of
  /// prefetched rows.
  var dumpedColumns: [(index: Int, name: String)] {
    columnNames.enumerated().filter { !$0.element.hasPrefix("grdb_") }
      .map { (index: $0.offset, name: $0.element) }
  }

  /// A value of the current row.
  func dumpedValue(atColumn column: Int) -> DatabaseValue {
    unsafe DatabaseValue(sqliteStatement: sqliteStatement, index: CInt(column))
  }

  /// A value of the current row as SQLite itself turns it into text. Nil for NULL.
  ///
  /// Blobs are read as UTF-8, and what is invalid is replaced.
  func dumpedText(atColumn column: Int) -> String? {
    switch dumpedValue(atColumn: column).storage {
    case .null: nil
    case .string(let string): string
    case .blob(let data): String(decoding: data, as: UTF8.self)
    case .int64, .double:
      // Numbers become text in SQLite.
      unsafe withUnsafeBytes(ofColumn: column) {
        unsafe $0.map { unsafe String(decoding: $0, as: UTF8.self) }
      }
    }
  }
}
