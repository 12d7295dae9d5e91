/// One row on one line, as several formats write it: values with a separator between them, below
/// the names of all columns if asked.
struct DelimitedRow {
  private var needsHeader: Bool

  init(header: Bool) {
    needsHeader = header
  }

  mutating func write(
    _ statement: Statement, to stream: inout DumpStream, separator: String,
    name: (String) -> String = { $0 }, value: (Int) -> String
  ) {
    if needsHeader {
      needsHeader = false
      stream.write(statement.columnNames.map(name).joined(separator: separator) + "\n")
    }
    let values = statement.dumpedColumns.map { value($0.index) }
    stream.write(values.joined(separator: separator) + "\n")
  }
}
