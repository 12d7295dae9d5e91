// References of full-text search. See <https://www.sqlite.org/fts5.html>.

extension SQLWriter {
  mutating func write(_ term: FullTextTerm) throws {
    switch term {
    case .hiddenColumn(let table, let source, let isAmbiguous):
      if let name = qualifier(of: table, source: source, isAmbiguous: isAmbiguous) {
        writeQualifier(name)
      }
      buffer.append(identifier: table)
    case .weightList(let weights): writeList(weights) { $0.write(value: $1.databaseValue) }
    case .table, .columnIndex, .weights, .rankFunction: throw InvalidRequest.notPlanned
    }
  }

  /// `"d"` for a source that has another name than its table: `"doc"` alone finds the column of a
  /// table that is not renamed, unless another source has a column of that name.
  private func qualifier(of table: String, source: String, isAmbiguous: Bool) -> String? {
    let name = currentName ?? source
    if isAmbiguous || !name.hasSameBytes(as: source) { return name }
    let hasNames = scope.isQualified || !scope.aliases.isEmpty
    return !table.hasSameBytes(as: source) && hasNames ? name : nil
  }
}
