/// One line per value, and a blank line between rows: the line mode of the `sqlite3` command.
///
/// ```swift
/// //  name = Arthur
/// // score = 1000
/// //
/// //  name = Barbara
/// // score = 500
/// try db.dumpSQL("SELECT name, score FROM player ORDER BY name", format: .line())
/// ```
///
/// The names of the columns are aligned on the right. Blobs are written as UTF-8 texts. A blank
/// line separates the rows from what is written next.
///
/// See <https://www.sqlite.org/cli.html#changing_output_formats>.
public struct LineDumpFormat: Sendable {
  /// The text that is written for NULL.
  public var nullValue: String

  private var isFirstRow = true

  /// Creates a format.
  ///
  /// - parameter nullValue: what is written for NULL.
  public init(nullValue: String = "") { self.nullValue = nullValue }
}

extension LineDumpFormat: DumpFormat {
  /// Writes a line per column.
  public mutating func writeRow(_ db: Database, statement: Statement, to stream: inout DumpStream) {
    if !isFirstRow { stream.margin() }
    isFirstRow = false
    let columns = statement.dumpedColumns
    let width = columns.reduce(0) { max($0, $1.name.count) }
    for (column, name) in columns {
      let padding = String(repeating: " ", count: width - name.count)
      let text = statement.dumpedText(atColumn: column) ?? nullValue
      stream.write("\(padding)\(name) = \(text)\n")
    }
  }

  /// Puts a blank line before what is written next.
  public mutating func finalize(_ db: Database, statement: Statement, to stream: inout DumpStream) {
    if !isFirstRow { stream.margin() }
  }
}

extension DumpFormat where Self == LineDumpFormat {
  /// See ``LineDumpFormat``.
  public static func line(nullValue: String = "") -> Self { LineDumpFormat(nullValue: nullValue) }
}
