import Foundation
import Quarry

/// A table of texts. Lines that have changed since the last one are marked.
struct Table {
  var lines: [String]

  init(_ books: [BookInfo], after former: [BookInfo]) {
    let rows = books.map { info in
      let isNew = !former.isEmpty && !former.contains(info)
      return [
        isNew ? "*" : " ", info.book.title, "\(info.book.stock)", "\(info.sold)",
        info.lastSale.map { $0.formatted(Self.time) } ?? "",
      ]
    }
    let all = [[" ", "title", "stock", "sold", "last sale"]] + rows
    let widths = all[0].indices.map { column in all.map { $0[column].count }.max() ?? 0 }
    lines = all.map { row in
      zip(row, widths).enumerated()
        .map { column, cell in Self.pad(cell.0, cell.1, toLeft: column == 2 || column == 3) }
        .joined(separator: "  ")
    }
  }

  private static let time = Date.ISO8601FormatStyle(timeZone: .current).time(
    includingFractionalSeconds: false)

  private static func pad(_ text: String, _ width: Int, toLeft: Bool) -> String {
    let spaces = String(repeating: " ", count: width - text.count)
    return toLeft ? spaces + text : text + spaces
  }
}

/// Standard output. A terminal shows one table in place of the former one; a file or a pipe gets
/// them all.
struct Screen: Sendable {
  private let isTerminal = isatty(STDOUT_FILENO) == 1

  /// Goes to the other screen of the terminal, and hides the cursor.
  func open() {
    if isTerminal { write("\u{1B}[?1049h\u{1B}[?25l") }
  }

  func show(_ table: Table) {
    let lines = table.lines.joined(separator: "\n")
    write(isTerminal ? "\u{1B}[H\u{1B}[J\(lines)\n" : "\(lines)\n\n")
  }

  /// Goes back to the screen as it was.
  func close() {
    if isTerminal { write("\u{1B}[?25h\u{1B}[?1049l") }
  }

  func report(_ error: any Error) {
    FileHandle.standardError.write(Data("\(error)\n".utf8))
  }

  private func write(_ text: String) {
    FileHandle.standardOutput.write(Data(text.utf8))
  }
}
