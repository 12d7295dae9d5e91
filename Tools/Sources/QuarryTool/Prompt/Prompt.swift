import Foundation
import Quarry

/// The prompt of `quarry query`: statements over several lines, a history, and a few commands.
struct Prompt {
  var query: Query
  var queue: DatabaseQueue
  private var format: RowFormat
  private var editor: LineEditor

  init(query: Query, queue: DatabaseQueue) {
    self.query = query
    self.queue = queue
    format = query.format
    editor = LineEditor(history: History.standard)
  }

  mutating func run() throws {
    Output.line(
      "\(query.file.file)\(query.write ? "" : " (read-only)"). Statements end with ;  .help shows commands."
    )
    var text = ""
    while let line = try editor.read(prompt: text.isEmpty ? "quarry> " : "   ...> ") {
      if text.isEmpty, line.hasPrefix(".") {
        guard try runCommand(line) else { return }
        continue
      }
      text += text.isEmpty ? line : "\n" + line
      if StatementScanner.isComplete(text) {
        editor.history.add(text)
        execute { db, format in try query.run(text, db, format) }
        text = ""
      } else if text.allSatisfy(\.isWhitespace) {
        text = ""
      }
    }
  }

  /// Errors don't end the prompt.
  private func execute(_ body: (Database, RowFormat) throws -> Void) {
    do {
      try queue.inDatabase { db in try body(db, format) }
    } catch {
      Output.line("\(ToolError(error, path: query.file.file))")
    }
    fflush(nil)
  }

  /// Returns false for the end.
  private mutating func runCommand(_ line: String) throws -> Bool {
    editor.history.add(line)
    let words = line.split(separator: " ").map(String.init)
    switch words[0] {
    case ".quit", ".exit": return false
    case ".tables": execute { db, _ in try showTables(db) }
    case ".schema":
      execute { db, _ in try showSchema(db, words.dropFirst().joined(separator: " ")) }
    case ".format": setFormat(words.dropFirst().first ?? "")
    default:
      Output.line(
        """
        .tables          the tables and views
        .schema [TABLE]  the SQL that has made them
        .format FORMAT   box, csv, json or jsonl
        .quit            the end, as Control-D
        """)
    }
    return true
  }

  private mutating func setFormat(_ name: String) {
    if let format = RowFormat(rawValue: name) {
      self.format = format
    } else {
      Output.line("no such format: \(name)")
    }
  }

  private func showTables(_ db: Database) throws {
    for table in try Catalog(db).tables where table.kind != .shadow {
      Output.line(table.name.onOneLine)
    }
  }

  private func showSchema(_ db: Database, _ name: String) throws {
    guard !name.isEmpty else { return try db.dumpSchema() }
    Output.line(try Catalog(db).table(name, path: query.file.file).sql + ";")
  }
}
