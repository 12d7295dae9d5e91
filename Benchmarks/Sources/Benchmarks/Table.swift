import Foundation

/// What the table shows of a line, and the JSON file has.
protocol LineResult: Encodable {
  static var headings: [String] { get }
  var cells: [String] { get }
}

/// A table in text: the first column to the left, the others to the right.
struct Table<Result: LineResult> {
  let results: [Result]

  var text: String {
    let rows = [Result.headings] + results.map(\.cells)
    let widths = Result.headings.indices.map { column in
      rows.map { $0[column].count }.max() ?? 0
    }
    let lines = rows.map { row in
      row.indices.map { pad(row[$0], to: widths[$0], left: $0 == 0) }.joined(separator: "  ")
    }
    let rule = widths.map { String(repeating: "-", count: $0) }.joined(separator: "  ")
    return (lines.prefix(1) + [rule] + lines.dropFirst()).joined(separator: "\n")
  }

  private func pad(_ text: String, to width: Int, left: Bool) -> String {
    let space = String(repeating: " ", count: width - text.count)
    return left ? text + space : space + text
  }
}

extension Double {
  func rounded(to digits: Int) -> String {
    String(format: "%.\(digits)f", self)
  }
}
