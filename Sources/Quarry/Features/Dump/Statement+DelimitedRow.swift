extension Statement {
  /// Writes the current row, after a header in front of the first one.
  func writeDelimitedRow(
    to stream: inout DumpStream, hasHeader: Bool, separator: String,
    name: (String) -> String = { $0 }, value: (Int) -> String
  ) {
    if hasHeader { stream.write(columnNames.map(name).joined(separator: separator) + "\n") }
    let values = dumpedColumns.map { value($0.index) }
    stream.write(values.joined(separator: separator) + "\n")
  }
}
