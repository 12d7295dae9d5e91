/// One line per row, of SQL literals: the quote mode of the `sqlite3` command.
///
/// Each value reads back as itself. Where it has no literal, an expression stands for it: for a
/// text with a NUL character, `('a' || char(0) || 'b')`, and for the few doubles that a SQLite
/// before version 3.47 reads as their neighbor, a division, or a multiplication, by powers of two.
///
/// ```swift
/// // 'Arthur',1000,NULL
/// // 'O''Brien',500,X'01FF'
/// try db.dumpSQL("SELECT name, score, photo FROM player", format: .quote())
/// ```
///
/// See <https://www.sqlite.org/cli.html#changing_output_formats>.
public struct QuoteDumpFormat: Sendable {
  /// True if the names of the columns come first, as literals.
  public var header: Bool

  /// The text between two values.
  public var separator: String

  private var isFirstRow = true

  /// Creates a format. See ``DebugDumpFormat/init(header:separator:nullValue:)``.
  public init(header: Bool = false, separator: String = ",") {
    self.header = header
    self.separator = separator
  }
}

extension QuoteDumpFormat: DumpFormat {
  /// Writes a line.
  public mutating func writeRow(_ db: Database, statement: Statement, to stream: inout DumpStream) {
    statement.writeDelimitedRow(
      to: &stream, hasHeader: header && isFirstRow, separator: separator,
      name: { $0.databaseValue.sqlLiteral },
      value: { statement.dumpedValue(atColumn: $0).sqlLiteral })
    isFirstRow = false
  }
}

extension DumpFormat where Self == QuoteDumpFormat {
  /// See ``QuoteDumpFormat``.
  public static func quote(header: Bool = false, separator: String = ",") -> Self {
    QuoteDumpFormat(header: header, separator: separator)
  }
}
