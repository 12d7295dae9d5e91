import ArgumentParser
import Foundation
import Quarry

/// Checks a database file, or its migrations.
struct Check: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Checks a database file: check FILE; or its migrations: check drift FILE FOLDER.",
    discussion: """
      The exit code is 1 if there is any finding.

      Example: quarry check shop.sqlite
               quarry check drift shop.sqlite Migrations
      """,
    subcommands: [CheckFile.self, CheckDrift.self], defaultSubcommand: CheckFile.self)
}

/// Looks for damage, and for what the schema does not promise.
struct CheckFile: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "file",
    abstract: "Checks integrity, foreign keys, their indexes, and the types of values.",
    discussion: """
      The exit code is 1 if there is any finding.

      Example: quarry check shop.sqlite
      """)

  @OptionGroup var file: FileOptions

  func run() throws {
    let count = try file.database.read { db in
      var findings = Findings()
      try checkIntegrity(db, &findings)
      try checkForeignKeys(db, &findings)
      for table in try Catalog(db).tables where table.kind != .shadow {
        if let problem = table.problem { findings.add("\(table.name): can't be read: \(problem)") }
        checkIndexes(table, &findings)
        if table.kind == .table, table.problem == nil {
          checkValues(table, db, &findings)
        } else if table.kind == .view {
          checkView(table, db, &findings)
        }
      }
      return findings.count
    }
    Output.line(count == 0 ? "\(file.file): no findings" : count.counted("finding"))
    if count > 0 { throw ExitCode(1) }
  }

  /// See <https://www.sqlite.org/pragma.html#pragma_integrity_check>.
  private func checkIntegrity(_ db: Database, _ findings: inout Findings) throws {
    let messages = try String.fetchCursor(db, sql: "PRAGMA integrity_check")
    while let message = try messages.next() {
      if message != "ok" { findings.add("integrity: \(message)") }
    }
  }

  private func checkForeignKeys(_ db: Database, _ findings: inout Findings) throws {
    do {
      let violations = try db.foreignKeyViolations()
      while let violation = try violations.next() {
        findings.add((try? violation.failureDescription(db)) ?? violation.description)
      }
    } catch let error as DatabaseError {
      // The parent table is missing, or its key is not unique.
      findings.add("foreign keys: \(error.message ?? error.description)")
    }
  }

  /// Without an index, each deletion of a parent reads all children.
  ///
  /// See <https://www.sqlite.org/foreignkeys.html#fk_indexes>.
  private func checkIndexes(_ table: Catalog.Table, _ findings: inout Findings) {
    for key in table.foreignKeys where !table.hasIndex(beginningWith: key.columns) {
      let columns = key.columns.joined(separator: ", ")
      findings.add(
        "\(table.name): no index begins with the foreign key (\(columns)) to \(key.table)")
    }
  }

  private func checkView(_ view: Catalog.Table, _ db: Database, _ findings: inout Findings) {
    guard view.problem == nil else { return }
    do {
      _ = try db.makeStatement(sql: "SELECT * FROM \(view.quotedName)")
    } catch {
      findings.add("\(view.name): \((error as? DatabaseError)?.message ?? "\(error)")")
    }
  }

  private func checkValues(
    _ table: Catalog.Table, _ db: Database, _ findings: inout Findings
  ) {
    do {
      try countValues(table, db, &findings)
    } catch {
      // A damaged table is not the end.
      let message = (error as? DatabaseError)?.message ?? "\(error)"
      findings.add("\(table.name): can't be read: \(message)")
    }
  }

  /// Counts the values of each column that have another type than the column, in one scan.
  private func countValues(
    _ table: Catalog.Table, _ db: Database, _ findings: inout Findings
  ) throws {
    let checks = table.columns.compactMap(ValueCheck.init)
    guard !checks.isEmpty else { return }
    db.add(function: .isUTF8)
    let sums = checks.map { "COALESCE(SUM(\($0.condition)), 0)" }.joined(separator: ", ")
    let row = try Row.fetchOne(db, sql: "SELECT \(sums) FROM \(table.quotedName)")
    for (index, check) in checks.enumerated() {
      guard let row, let count = try row.decode(Int?.self, atIndex: index), count > 0 else {
        continue
      }
      findings.add(
        "\(table.name).\(check.column.name): \(count.counted("value")) \(check.complaint)")
    }
  }
}

/// Findings are written when they are found.
private struct Findings {
  private(set) var count = 0

  mutating func add(_ text: String) {
    count += 1
    Output.line(text.onOneLine)
  }
}

/// A condition that holds for the values that a column should not have.
private struct ValueCheck {
  var column: Catalog.Column
  var condition: String
  var complaint: String

  init?(_ column: Catalog.Column) {
    self.column = column
    let name = column.quotedName
    let kind = "typeof(\(name))"
    let isWrongText = "\(kind) = 'text' AND NOT quarry_is_utf8(CAST(\(name) AS BLOB))"
    switch column.affinity {
    case .integer:
      condition = "\(kind) NOT IN ('integer', 'null')"
      complaint = "in a column of integers with another type"
    case .real:
      condition = "\(kind) NOT IN ('real', 'integer', 'null')"
      complaint = "in a column of numbers with another type"
    case .numeric where !column.isDate:
      condition = "\(kind) NOT IN ('real', 'integer', 'null')"
      complaint = "in a column of numbers with another type"
    case .text:
      condition = "\(kind) = 'blob' OR \(isWrongText)"
      complaint = "in a column of texts: blobs, or texts that are not UTF-8"
    case .numeric, .blob:
      condition = isWrongText
      complaint = "that are texts but not UTF-8"
    }
  }
}

extension DatabaseFunction {
  fileprivate static let isUTF8 = DatabaseFunction(
    "quarry_is_utf8", argumentCount: 1, pure: true
  ) { values in
    guard case .blob(let data) = values[0].storage else { return true }
    return String(validating: data, as: UTF8.self) != nil
  }
}

extension Catalog.Table {
  /// Whether an index, or the key of the table, finds rows by the columns.
  func hasIndex(beginningWith columns: [String]) -> Bool {
    let keys = Set(columns.map(\.nameKey))
    let finds = { (names: [String?]) in
      names.count >= keys.count
        && Set(names.prefix(keys.count).compactMap { $0?.nameKey }) == keys
    }
    let rowID = rowIDColumn.map { [$0] } ?? (hasRowID ? [] : primaryKey)
    return finds(rowID) || indexes.contains { !$0.isPartial && finds($0.columns) }
  }
}
