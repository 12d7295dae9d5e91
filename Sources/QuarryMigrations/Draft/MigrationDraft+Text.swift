import Quarry

extension MigrationDraft {
  /// The migration as SQL, such as for a file of a folder of migrations.
  ///
  /// ```sql
  /// ALTER TABLE "book" RENAME COLUMN "name" TO "title";
  /// ```
  ///
  /// It must run while foreign keys are not enforced, as in a migration of
  /// `DatabaseMigrator.registerMigrations(in:foreignKeyChecks:)`.
  public var sql: String { steps.flatMap { $0.sql(target) }.map { $0.terminated + "\n" }.joined() }

  /// The migration as Swift.
  ///
  /// ```swift
  /// migrator.registerMigration("Titles") { db in
  ///   try db.alter(table: "book") { t in
  ///     t.rename(column: "name", to: "title")
  ///   }
  /// }
  /// ```
  ///
  /// - parameter identifier: The identifier of the migration.
  public func swift(identifier: String) -> String {
    var source = SwiftSource()
    source.block("migrator.registerMigration(\(identifier.swiftLiteral)) { db in") { source in
      var rest = steps[...]
      while let step = rest.popFirst() {
        guard let table = step.alteredTable else {
          step.write(to: &source, target)
          continue
        }
        source.block("try db.alter(table: \(table.swiftLiteral)) { t in") { source in
          step.write(to: &source, target)
          while let next = rest.first, next.alteredTable == table {
            next.write(to: &source, target)
            rest.removeFirst()
          }
        }
      }
    }
    return source.text
  }
}

/// Lines of Swift.
struct SwiftSource {
  private(set) var text = ""
  private var margin = ""

  mutating func line(_ line: String) { text += line.isEmpty ? "\n" : "\(margin)\(line)\n" }

  mutating func block(_ opening: String, _ body: (inout SwiftSource) -> Void) {
    line(opening)
    margin += "  "
    body(&self)
    margin.removeLast(2)
    line("}")
  }

  /// `try db.execute(sql: …)`
  mutating func execute(_ sql: String) {
    guard sql.unicodeScalars.contains("\n") || sql.utf8.count > 70 else {
      return line("try db.execute(sql: \(sql.swiftLiteral))")
    }
    line("try db.execute(")
    line("  sql: \"\"\"")
    // CR and LF are one character.
    let parts = sql.unicodeScalars.split(omittingEmptySubsequences: false) { $0 == "\n" }
    for part in parts.map({ String($0) }) {
      let escaped = part.replacing("\\", with: "\\\\").replacing("\"\"\"", with: #"\"\"\""#)
        .replacing("\r", with: "\\r")
      line(escaped.isEmpty ? "" : "    \(escaped)")
    }
    line("    \"\"\")")
  }
}

extension String {
  /// The string as a literal of Swift.
  var swiftLiteral: String { "\"\(escaped)\"" }

  /// The statement with a semicolon that is in no comment at its end.
  var terminated: String {
    let candidates = ["", "\n", "*/"].map { "\(self)\($0);" }
    return candidates.first { SQLLexer.tokens(ofSchema: $0).last?.isOne(of: ";") == true }
      ?? candidates[0]
  }

  fileprivate var escaped: String {
    var escaped = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      switch scalar {
      case "\\", "\"": escaped.append(contentsOf: "\\\(scalar)".unicodeScalars)
      case "\n": escaped.append(contentsOf: "\\n".unicodeScalars)
      case "\r": escaped.append(contentsOf: "\\r".unicodeScalars)
      case "\t": escaped.append(contentsOf: "\\t".unicodeScalars)
      default: escaped.append(scalar)
      }
    }
    return String(escaped)
  }
}

extension DraftStep {
  /// The table of a step that `alter(table:)` takes.
  var alteredTable: String? {
    guard !hasDots else { return nil }
    return switch self {
    case .renameColumn(_, _, let table), .addColumn(_, let table), .dropColumn(_, let table): table
    default: nil
    }
  }
}
