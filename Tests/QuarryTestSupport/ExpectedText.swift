import Foundation
public import Testing

@testable public import Quarry

/// A text in the source of a test: what stands between the quotes of the closure that follows a
/// call, or a label of this call.
///
/// With `QUARRY_REWRITE=1` in the environment, texts that differ are written into the source:
///
/// ```
/// QUARRY_REWRITE=1 swift test --filter BestsellerTests
/// ```
struct ExpectedText {
  /// The closure after the label, or nil for the first closure.
  var label: String?
  var expected: String
  var actual: String

  static let isRewriting = ProcessInfo.processInfo.environment["QUARRY_REWRITE"] == "1"

  /// Expects the text, or writes it into the source.
  func check(path: String, location: SourceLocation) {
    guard expected != actual else { return }
    guard Self.isRewriting else {
      let title = label ?? "SQL"
      Issue.record(
        "\(title): expected\n\(expected)\nbut got\n\(actual)", sourceLocation: location)
      return
    }
    do {
      try SourceFile.rewrite(path: path, line: location.line, label: label, text: actual)
      Issue.record("rewritten: run the test again", sourceLocation: location)
    } catch {
      Issue.record("not rewritten: \(error)", sourceLocation: location)
    }
  }
}

/// Sources that are rewritten, one text after the other: those below move.
enum SourceFile {
  struct NoText: Error {}

  private static let shifts = Locked<[String: [(line: Int, by: Int)]]>([:])

  /// Replaces the first literal of several lines after a line, or after a label below this line.
  static func rewrite(path: String, line: Int, label: String?, text: String) throws {
    try shifts.withLock { shifts in
      let shift = shifts[path, default: []].filter { $0.line < line }.reduce(0) { $0 + $1.by }
      var lines = try String(contentsOfFile: path, encoding: .utf8)
        .components(separatedBy: "\n")
      let literal = try literal(in: lines, after: line - 1 + shift, label: label)
      let indentation = lines[literal.lowerBound - 1].prefix { $0 == " " }
      let new = wrapped(text).map { $0.isEmpty ? "" : indentation + $0 }
      lines.replaceSubrange(literal, with: new)
      try lines.joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
      shifts[path, default: []].append((line, new.count - literal.count))
    }
  }

  /// The lines between the quotes.
  static func literal(in lines: [String], after first: Int, label: String?) throws -> Range<Int> {
    var index = first
    func skip(to isFound: (String) -> Bool) throws {
      while index < lines.count, !isFound(lines[index]) { index += 1 }
      guard index < lines.count else { throw NoText() }
    }
    if let label { try skip { $0.contains("} \(label): {") } }
    try skip { $0.trimmingCharacters(in: .whitespaces) == #"""""# }
    let start = index + 1
    index = start
    try skip { $0.trimmingCharacters(in: .whitespaces) == #"""""# }
    return start..<index
  }

  /// The lines of a literal: long ones are continued.
  static func wrapped(_ text: String, width: Int = 88) -> [String] {
    text.replacingOccurrences(of: #"\"#, with: #"\\"#)
      .components(separatedBy: "\n")
      .flatMap { line -> [String] in
        var parts: [String] = []
        for word in line.components(separatedBy: " ") {
          if let last = parts.last, last.count + word.count < width {
            parts[parts.count - 1] += " " + word
          } else {
            parts.append(word)
          }
        }
        return parts.enumerated().map { index, part in
          index + 1 < parts.count ? part + #" \"# : part
        }
      }
  }
}

/// Expects the SQL of a request, its arguments in a line of their own, and the rows on the bookshop
/// database.
///
/// ```swift
/// try assertSQL(Book.filter { $0.year > 2000 }.select { $0.title }) {
///   """
///   SELECT "title" FROM "book" WHERE "year" > ?
///   [2000]
///   """
/// } rows: {
///   """
///   Invisible Towns
///   """
/// }
/// ```
///
/// Both texts are literals of several lines. `QUARRY_REWRITE=1` writes them into the source.
public func assertSQL(
  _ request: some FetchRequest, sql: () -> String, rows: (() -> String)? = nil,
  path: String = #filePath, sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let (text, lines) = try SharedBookshop.read { db in
    let statement = try request.makePreparedRequest(db, forSingleResult: false).statement
    let arguments = statement.arguments
    let text = arguments.isEmpty ? statement.sql : "\(statement.sql)\n\(arguments)"
    return (text, try Row.fetchAll(statement, arguments: arguments).map(\.lineOfValues))
  }
  // From the last text to the first, so that rewriting one does not move the other.
  if let rows {
    ExpectedText(label: "rows", expected: rows(), actual: lines.joined(separator: "\n"))
      .check(path: path, location: sourceLocation)
  }
  ExpectedText(expected: sql(), actual: text).check(path: path, location: sourceLocation)
}
