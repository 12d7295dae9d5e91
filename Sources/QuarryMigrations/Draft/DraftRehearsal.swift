public import Foundation
public import Quarry

/// The effects of a drafted migration on a copy of a database.
public struct DraftRehearsal: Sendable, CustomStringConvertible {
  /// The differences between the schema after the migration and the new one, in words.
  public let differences: [String]

  /// The number of rows of each table, before and after. Nil for a table that is not there.
  public let rowCounts: [RowCount]

  /// The rows that reference a missing row, in words.
  public let violations: [String]

  /// What the integrity check of SQLite reports after the migration only, or more often than
  /// before: the first hundred. A NULL that it reports, and that is not there, is left out.
  public let damages: [String]

  /// How long the migration took, in seconds.
  public let duration: TimeInterval

  /// Whether the migration makes the new schema, and keeps the number of rows of each table that
  /// stays, without violated foreign keys and damage.
  public var isSuccessful: Bool {
    differences.isEmpty && violations.isEmpty && damages.isEmpty
      && !rowCounts.contains(where: \.hasChanged)
  }

  /// The number of rows of a table.
  public struct RowCount: Hashable, Sendable {
    /// The table, by its new name if it has one.
    public let table: String
    /// The number of rows before.
    public let before: Int?
    /// The number of rows after.
    public let after: Int?

    fileprivate var hasChanged: Bool { before != nil && after != nil && before != after }
  }

  /// One finding a line, after the time and the numbers of rows.
  public var description: String {
    let time = String(format: "%.3f s", duration)
    let counts = rowCounts.map { count in
      let numbers = [count.before, count.after].map { $0.map { "\($0)" } ?? "-" }
      let mark = count.hasChanged ? "! " : ""
      return "\(mark)\(count.table): \(numbers.joined(separator: " -> ")) rows"
    }
    return
      (["\(isSuccessful ? "success" : "failure") in \(time)"] + counts
      + (differences + violations + damages).map { "! \($0)" }).joined(separator: "\n")
  }
}

extension MigrationDraft {
  /// Runs the migration on a copy of a database, which goes afterwards.
  ///
  /// ```swift
  /// let rehearsal = try draft.rehearse(dbQueue)
  /// guard rehearsal.isSuccessful else { fatalError("\(rehearsal)") }
  /// ```
  ///
  /// - parameter reader: A database with the old schema.
  /// - throws: A `DatabaseError` for a statement that fails, such as for a violated constraint, and
  ///   when the database can't be copied.
  public func rehearse(_ reader: any DatabaseReader) throws -> DraftRehearsal {
    try reader.read { db in
      try db.withTemporaryDatabase(attached: .copied) { copy in
        try copy.inDatabase { copy in
          try db.backup(to: copy)
          return try rehearse(on: copy)
        }
      }
    }
  }

  private func rehearse(on copy: Database) throws -> DraftRehearsal {
    try copy.execute(sql: "PRAGMA foreign_keys = OFF")
    let (before, faultsBefore) = try (rowCounts(copy), copy.integrityFaults())
    let start = Date()
    try copy.inTransaction {
      try copy.execute(sql: sql)
      return .commit
    }
    let duration = Date().timeIntervalSince(start)
    let after = try rowCounts(copy)
    let violations = try Array(copy.foreignKeyViolations()).map { try $0.failureDescription(copy) }
    let schema = try SchemaModel(copy)
    let damages = try copy.integrityFaults().filter { fault, count in
      try count > faultsBefore[fault, default: 0] && !copy.isFalseAlarm(fault, schema)
    }
    return DraftRehearsal(
      differences: schema.differences(from: target),
      rowCounts: merge(before, after), violations: violations,
      damages: Array(damages.keys.sorted().prefix(100)), duration: duration)
  }

  private func rowCounts(_ db: Database) throws -> [(table: String, count: Int)] {
    try SchemaModel(db).tables.map { table in
      let sql = "SELECT count(*) FROM \(table.name.quotedDatabaseIdentifier)"
      return (table.name, try Int.fetchOne(db, sql: sql) ?? 0)
    }
  }

  private func merge(
    _ before: [(table: String, count: Int)], _ after: [(table: String, count: Int)]
  ) -> [DraftRehearsal.RowCount] {
    let renames = steps.compactMap { step -> (BinaryText, String)? in
      guard case .renameTable(let old, let new) = step else { return nil }
      return (old.identifierKey, new)
    }
    let newNames = Dictionary(renames, uniquingKeysWith: { first, _ in first })
    var rest = Dictionary(
      after.map { ($0.table.identifierKey, $0.count) }, uniquingKeysWith: { first, _ in first })
    let old = before.map { table, count in
      let name = newNames[table.identifierKey] ?? table
      let after = rest.removeValue(forKey: name.identifierKey)
      return DraftRehearsal.RowCount(table: name, before: count, after: after)
    }
    let added = after.filter { rest[$0.table.identifierKey] != nil }
    return old
      + added.map { DraftRehearsal.RowCount(table: $0.table, before: nil, after: $0.count) }
  }
}
