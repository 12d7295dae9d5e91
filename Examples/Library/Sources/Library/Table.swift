/// Text in columns. Columns of numbers are aligned on the right.
struct Table {
  var header: [String]
  var rows: [[String]]

  init<Element>(
    _ header: String..., of elements: [Element],
    cells: (Element) -> [(any CustomStringConvertible)?]
  ) {
    self.header = header
    rows = elements.map { element in cells(element).map { $0?.description ?? "" } }
  }

  /// The first rows, and how many there are more.
  func formatted(maximumRowCount: Int) -> String {
    let shown = [header] + rows.prefix(maximumRowCount)
    let columns = header.indices.map { column in
      (
        width: shown.map { $0[column].count }.reduce(0, Swift.max),
        isNumeric: rows.allSatisfy { $0[column].isEmpty || Int($0[column]) != nil }
      )
    }
    var lines = shown.map { row in
      let cells = zip(row, columns).map { cell, column in
        let padding = String(repeating: " ", count: column.width - cell.count)
        return column.isNumeric ? padding + cell : cell + padding
      }
      return cells.joined(separator: " | ").trimmingSuffix(" ")
    }
    lines.insert(
      columns.map { String(repeating: "-", count: $0.width) }.joined(separator: "-+-"), at: 1)
    if rows.count > maximumRowCount { lines.append("... \(rows.count - maximumRowCount) more") }
    return lines.joined(separator: "\n")
  }
}

extension String {
  fileprivate func trimmingSuffix(_ character: Character) -> String {
    String(self[..<(lastIndex { $0 != character }.map(index(after:)) ?? startIndex)])
  }

  /// The words of the text in lines that are no longer than the width, where they can be.
  func wrapped(width: Int) -> String {
    var lines: [String] = []
    for word in split(whereSeparator: \.isWhitespace) {
      if let line = lines.last, line.count + 1 + word.count <= width {
        lines[lines.count - 1] = line + " " + word
      } else {
        lines.append(String(word))
      }
    }
    return lines.joined(separator: "\n")
  }
}
