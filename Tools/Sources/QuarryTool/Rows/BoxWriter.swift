import Quarry

/// Rows in a box. The first rows give the columns their width; a later value that is wider sticks
/// out.
struct BoxWriter: RowWriter {
  var maximumWidth: Int
  private var columns: [String] = []
  private var widths: [Int] = []
  private var waiting: [[Cell]] = []
  private var hasBegun = false
  private var count = 0

  private static let sampleCount = 200

  private struct Cell {
    var text: String
    var isNumber: Bool
  }

  init(maximumWidth: Int) {
    self.maximumWidth = maximumWidth
  }

  mutating func begin(_ columns: [String], to file: inout TextFile) {
    self.columns = columns.map { $0.onOneLine.clipped(toWidth: maximumWidth) }
    widths = self.columns.map(\.displayWidth)
  }

  mutating func write(_ values: [DatabaseValue], to file: inout TextFile) {
    count += 1
    let cells = values.map { value in
      Cell(text: value.shown.clipped(toWidth: maximumWidth), isNumber: value.isNumber)
    }
    guard !hasBegun else { return write(cells, to: &file) }
    for (index, cell) in cells.enumerated() {
      widths[index] = max(widths[index], cell.text.displayWidth)
    }
    waiting.append(cells)
    if waiting.count == Self.sampleCount { writeWaiting(to: &file) }
  }

  mutating func end(to file: inout TextFile) {
    if !hasBegun { writeWaiting(to: &file) }
    writeRule("└", "┴", "┘", to: &file)
    file.write(count.counted("row") + "\n")
  }

  private mutating func writeWaiting(to file: inout TextFile) {
    hasBegun = true
    writeRule("┌", "┬", "┐", to: &file)
    write(columns.map { Cell(text: $0, isNumber: false) }, to: &file)
    writeRule("├", "┼", "┤", to: &file)
    for cells in waiting { write(cells, to: &file) }
    waiting = []
  }

  private func write(_ cells: [Cell], to file: inout TextFile) {
    let texts = zip(cells, widths).map { cell, width in
      cell.text.padded(toWidth: width, onTheLeft: cell.isNumber)
    }
    file.write("│ \(texts.joined(separator: " │ ")) │\n")
  }

  private func writeRule(
    _ left: String, _ middle: String, _ right: String, to file: inout TextFile
  ) {
    let lines = widths.map { String(repeating: "─", count: $0 + 2) }
    file.write(left + lines.joined(separator: middle) + right + "\n")
  }
}

extension DatabaseValue {
  /// The value for the eyes of a reader.
  var shown: String {
    switch storage {
    case .null: "NULL"
    case .int64(let integer): integer.description
    case .double(let double): double.description
    case .string(let text): text.onOneLine
    case .blob(let data):
      data.count <= 16 ? "X'\(data.hexadecimal)'" : "blob of \(data.count) bytes"
    }
  }

  fileprivate var isNumber: Bool {
    switch storage {
    case .int64, .double: true
    default: false
    }
  }
}
