import ArgumentParser
import Quarry

/// The query plan as a tree.
struct Explain: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Shows the plan of a query as a tree, and warns of scans and temporary sorts.",
    discussion: """
      The query is not run. Parameters (?, :name) need no values.

      Example: quarry explain shop.sqlite "SELECT * FROM book WHERE title = ?"
      """)

  @OptionGroup var file: FileOptions

  @Argument(help: "A statement.")
  var sql: String

  func run() throws {
    var database = file.database
    database.acceptsQuotedTexts = false
    try database.read { db in
      // A statement with a mistake is reported as it is.
      _ = try db.makeStatement(sql: sql)
      let statement = try db.makeStatement(sql: "EXPLAIN QUERY PLAN \(sql)")
      statement.setUncheckedArguments([])
      let steps = try Row.fetchAll(statement).map { row in
        try PlanStep(
          id: row.decode(atIndex: 0), parent: row.decode(atIndex: 1), text: row.decode(atIndex: 3))
      }
      Output.line("QUERY PLAN")
      show(steps, below: 0, margin: "")
      for warning in steps.compactMap(\.warning) { Output.line("warning: \(warning)") }
    }
  }

  private func show(_ steps: [PlanStep], below parent: Int, margin: String) {
    let children = steps.filter { $0.parent == parent }
    for (index, step) in children.enumerated() {
      let isLast = index == children.count - 1
      Output.line(margin + (isLast ? "└─ " : "├─ ") + step.text.onOneLine)
      show(steps, below: step.id, margin: margin + (isLast ? "   " : "│  "))
    }
  }
}

/// A step of a plan. See <https://www.sqlite.org/eqp.html>.
private struct PlanStep {
  var id: Int
  var parent: Int
  var text: String

  var warning: String? {
    if let sorted = text.firstMatch(of: #/USE TEMP B-TREE FOR (.*)/#)?.1 {
      return "\(sorted) sorts in a temporary tree: no index has this order"
    }
    if let table = text.firstMatch(of: #/SEARCH (.*) USING AUTOMATIC/#)?.1 {
      return "an index on \(table) is made for this query, each time it runs"
    }
    guard let match = text.firstMatch(of: #/^SCAN (.*?)(?: USING (?:COVERING )?(INDEX .*))?$/#),
      !text.contains("VIRTUAL TABLE")
    else { return nil }
    if match.1 == "CONSTANT ROW" || match.1.hasSuffix("-ROW VALUES CLAUSE") { return nil }
    return "all rows of \(match.1) are read" + (match.2.map { ", in the order of \($0)" } ?? "")
  }
}
