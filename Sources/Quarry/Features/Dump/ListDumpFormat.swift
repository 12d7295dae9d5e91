/// One line per row: the list mode of the `sqlite3` command.
///
/// ```swift
/// // name,score
/// // Arthur,1000
/// try db.dumpSQL("SELECT name, score FROM player", format: .list(header: true, separator: ","))
/// ```
///
/// Blobs are written as UTF-8 texts.
///
/// See <https://www.sqlite.org/cli.html#changing_output_formats>.
public struct ListDumpFormat: Sendable {
  /// True if the names of the columns come first.
  public var header: Bool

  /// The text between two values.
  public var separator: String

  /// The text that is written for NULL.
  public var nullValue: String

  private var isFirstRow = true

  /// Creates a format. See ``DebugDumpFormat/init(header:separator:nullValue:)``.
  public init(header: Bool = false, separator: String = "|", nullValue: String = "") {
    self.header = header
    self.separator = separator
    self.nullValue = nullValue
  }
}

extension ListDumpFormat: DumpFormat {
  /// Writes a line.
  public mutating func writeRow(_ db: Database, statement: Statement, to stream: inout DumpStream) {
    statement.writeDelimitedRow(
      to: &stream, hasHeader: header && isFirstRow, separator: separator
    ) { statement.dumpedText(atColumn: $0) ?? nullValue }
    isFirstRow = false
  }
}

extension DumpFormat where Self == ListDumpFormat {
  /// See ``ListDumpFormat``.
  public static func list(
    header: Bool = false, separator: String = "|", nullValue: String = ""
  ) -> Self { ListDumpFormat(header: header, separator: separator, nullValue: nullValue) }
}
