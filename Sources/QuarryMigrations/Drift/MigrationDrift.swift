public import Quarry

/// The differences between the migrations of the code and those of a database.
///
/// ```swift
/// let drift = try dbQueue.read { try migrator.drift($0) }
/// guard drift.isEmpty else { fatalError("\(drift)") }
/// ```
public struct MigrationDrift: Hashable, Sendable, CustomStringConvertible {
  /// Registered migrations that have not run.
  public let pending: [String]

  /// Migrations that have run, and are not registered.
  public let unknown: [String]

  /// Migrations that have run, and that pending ones have merged.
  public let merged: [String]

  /// Migrations that have run, or are going to run, after one that is registered behind them. Those
  /// that merge others are left out, since these may have run in time.
  public let outOfOrder: [String]

  /// Migrations from files that have changed since they ran, white space and comments aside.
  public let edited: [String]

  /// The differences of the schema from the one that the migrations make which have run: each in
  /// words. Not compared if some of them are unknown or merged.
  public let schema: [String]

  /// The differences of record types from the schema.
  public let records: [SchemaDifference]

  /// Whether the database has all migrations of the code, and no other change.
  public var isEmpty: Bool {
    pending.isEmpty && unknown.isEmpty && merged.isEmpty && outOfOrder.isEmpty && edited.isEmpty
      && schema.isEmpty && records.isEmpty
  }

  /// One difference a line.
  public var description: String {
    guard !isEmpty else { return "no drift" }
    let lines =
      pending.map { "migration \"\($0)\" has not run" }
      + unknown.map { "migration \"\($0)\" has run, and is not registered" }
      + merged.map {
        "migration \"\($0)\" has run, and a pending one has merged it: schemas are not compared"
      }
      + outOfOrder.map { "migration \"\($0)\" is out of order: one behind it has run before" }
      + edited.map { "migration \"\($0)\" has been edited since it ran" }
      + schema.map { "schema: \($0)" } + records.map { "record \($0)" }
    return lines.joined(separator: "\n")
  }
}

extension DatabaseMigrator {
  /// Compares the migrations that are registered with those that a database has.
  ///
  /// The schema of the database is compared with that of a new temporary database, where the
  /// migrations run which this one has: a difference is a migration that was edited, or a change
  /// without migration.
  ///
  /// ```swift
  /// let drift = try dbQueue.read { db in
  ///   try migrator.drift(db, records: [Author.self, Book.self])
  /// }
  /// print(drift)
  /// // migration "3-loans" has not run
  /// // migration "2-books" has been edited since it ran
  /// // schema: column book.pages is unexpected
  /// ```
  ///
  /// - parameter db: A connection.
  /// - parameter types: Record types that are compared with the schema, as
  ///   `Database.schemaDifferences(of:associations:)` does.
  /// - throws: A `DatabaseError`, or the error of a migration.
  public func drift(
    _ db: Database, records types: [any TableRecord.Type] = []
  ) throws -> MigrationDrift {
    let applied = try appliedInOrder(db)
    let pending = migrations.filter { !applied.contains($0) }
    let unknown = try unknownIdentifiers(db)
    let texts = try MigrationFileRecord.all(db)
    let edited = registered.filter { migration in
      guard let sql = migration.sql, let text = texts[migration.identifier] else { return false }
      return Self.key(sql) != Self.key(text)
    }
    let merged = try recordedIdentifiers(
      db, mergedBy: registered.filter { !applied.contains($0.identifier) })
    return try MigrationDrift(
      pending: pending, unknown: unknown, merged: merged, outOfOrder: outOfOrder(applied + pending),
      edited: edited.map(\.identifier),
      schema: unknown.isEmpty && merged.isEmpty ? schemaDifferences(db, after: applied) : [],
      records: types.isEmpty ? [] : db.schemaDifferences(of: types))
  }

  /// The registered migrations that have run, in the order of their runs.
  private func appliedInOrder(_ db: Database) throws -> [String] {
    guard try db.tableExists("grdb_migrations", in: "main") else { return [] }
    let identifiers = try String.fetchAll(
      db, sql: "SELECT identifier FROM main.grdb_migrations ORDER BY rowid")
    return identifiers.filter(migrations.contains)
  }

  private func outOfOrder(_ identifiers: [String]) -> [String] {
    var last = -1
    return identifiers.filter { identifier in
      let index = migrations.firstIndex(of: identifier) ?? 0
      guard registered[index].mergedIdentifiers.isEmpty else { return false }
      defer { last = max(last, index) }
      return index < last
    }
  }

  private static func key(_ sql: String) -> String { (try? SQLScript(sql).key) ?? sql }

  private func schemaDifferences(_ db: Database, after applied: [String]) throws -> [String] {
    guard !applied.isEmpty else { return [] }
    var migrator = self
    migrator.registered.removeAll { !applied.contains($0.identifier) }
    migrator.eraseDatabaseOnSchemaChange = false
    return try db.withTemporaryDatabase(attached: .copied) { queue in
      try migrator.migrate(queue)
      let expected = try queue.read { try SchemaModel($0) }
      return try SchemaModel(db).differences(from: expected)
    }
  }
}
