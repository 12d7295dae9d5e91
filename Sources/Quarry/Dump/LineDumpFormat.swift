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
/// The names of the columns are aligned on the right, at five characters or more. Blobs are written as UTF-8 texts.
///
/// See <https://www.sqlite.org/cli.html#changing_output_formats>.
public struct LineDumpFormat: Sendable {
  /// What is written for NULL.
  public var nullValue: String

  private static let leastWidth = 5

  private var isFirstRow = true

  /// Creates a format.
  ///
  /// - parameter nullValue: what is written for NULL.
  public init(nullValue: String = "") {
    self.nullValue = nullValue
  }
}

extension LineDumpFormat: DumpFormat {
  /// Writes a line per column.
  public mutating func writeRow(
    _ db: Database, statement: Statement, to stream: inout DumpStream
  ) {
    if !isFirstRow { stream.write("\n") }
    isFirstRow = false
    let names = statement.columnNames
    let width = names.reduce(Self.leastWidth) { max($0, $1.count) }
    for (column, name) in names.enumerated() {
      let padding = String(repeating: " ", count: width - name.count)
      let text = statement.dumpedText(atColumn: column) ?? nullValue
      stream.write("\(padding)\(name) = \(text)\n")
    }
  }

  /// Writes nothing.
  public mutating func finalize(
    _ db: Database, statement: Statement, to stream: inout DumpStream
  ) {}
}

extension DumpFormat where Self == LineDumpFormat {
  /// See ``LineDumpFormat``.
  public static func line(nullValue: String = "") -> Self {
    LineDumpFormat(nullValue: nullValue)
  }
}
