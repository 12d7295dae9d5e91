public import Quarry

extension DatabaseMigrator {
  /// Undoes the migrations that have run and are registered after the given one, the last one
  /// first.
  ///
  /// ```swift
  /// try migrator.migrateDown(dbQueue, to: "1-authors")
  /// ```
  ///
  /// Each is undone in a transaction of its own, with the foreign key checks of its registration:
  /// an error leaves those that have been undone before. All must have a down side: else nothing
  /// happens. The order is that of the registration, whatever the order of the runs. A migration
  /// that another process undoes meanwhile is passed over.
  ///
  /// - parameter writer: A database.
  /// - parameter identifier: The last migration that stays. Nil to undo all of them.
  /// - returns: The identifiers of the migrations that were undone, in this order.
  /// - throws: A ``MigrationDownError`` or a `DatabaseMigrationError` before anything changes, and
  ///   the error of a migration, after its transaction was rolled back.
  @discardableResult
  public func migrateDown(_ writer: any DatabaseWriter, to identifier: String?) throws -> [String] {
    try writer.barrierWriteWithoutTransaction { db in
      try db.withSchemaSource(nil) {
        var undone: [String] = []
        for migration in try migrationsToUndo(db, to: identifier) where try undo(migration, db) {
          undone.append(migration.identifier)
        }
        return undone
      }
    }
  }

  private func migrationsToUndo(_ db: Database, to identifier: String?) throws -> [Migration] {
    let unknown = try unknownIdentifiers(db)
    guard unknown.isEmpty else { throw DatabaseMigrationError.superseded(unknown) }
    let applied = try appliedIdentifiers(db)
    var start = 0
    if let identifier {
      guard let index = migrations.firstIndex(of: identifier) else {
        throw DatabaseMigrationError.undefinedMigration(identifier, registered: migrations)
      }
      guard applied.contains(identifier) else { throw MigrationDownError.notApplied(identifier) }
      start = index + 1
    }
    let merged = try recordedIdentifiers(db, mergedBy: registered[start...])
    guard merged.isEmpty else { throw MigrationDownError.merged(merged) }
    let undone = registered[start...].reversed().filter { applied.contains($0.identifier) }
    let withoutDown = undone.filter { $0.down == nil }.map(\.identifier)
    guard withoutDown.isEmpty else { throw MigrationDownError.withoutDown(withoutDown) }
    return undone
  }

  /// The migrations that a database has, and that others replace.
  func recordedIdentifiers(
    _ db: Database, mergedBy migrations: some Sequence<Migration>
  ) throws -> [String] {
    let merged = Set(migrations.flatMap(\.mergedIdentifiers)).subtracting(self.migrations)
    return try appliedIdentifiers(db).intersection(merged).sorted()
  }

  /// Undoes a migration. Returns false when another process has undone it.
  private func undo(_ migration: Migration, _ db: Database) throws -> Bool {
    var isUndone = false
    do {
      try migration.inTransaction(db) {
        // The migrations were read before this transaction.
        guard try appliedIdentifiers(db).contains(migration.identifier) else { return }
        isUndone = true
        try migration.down?(db)
        try MigrationRunner.forget([migration.identifier], db)
        try MigrationFileRecord.delete(migration.identifier, db)
      }
    } catch var error as DatabaseError {
      error.addDetails("while undoing migration \"\(migration.identifier)\"")
      throw error
    }
    return isUndone
  }
}

/// Migrations can't be undone.
public enum MigrationDownError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The migration that is to stay has not run.
  case notApplied(String)

  /// These migrations have no down side. The last one of the registration comes first.
  case withoutDown([String])

  /// The database has these migrations, which one that is to be undone has merged.
  case merged([String])

  /// The migrations, and the way out.
  public var description: String {
    switch self {
    case .notApplied(let identifier):
      "the database can't go down to migration \"\(identifier)\", which has not run"
    case .withoutDown(let identifiers):
      "no way down for " + identifiers.map { "\"\($0)\"" }.joined(separator: ", ")
        + ": write a file NAME.down.sql, or register the migration with `down`"
    case .merged(let identifiers):
      "the database can't go down: later migrations have merged "
        + identifiers.map { "\"\($0)\"" }.joined(separator: ", ")
        + ": call `migrate` first, which replaces them"
    }
  }
}
