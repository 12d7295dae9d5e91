/// Migrations can't run.
public enum DatabaseMigrationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// No migration has this identifier: the registered ones are those of the second value.
  case undefinedMigration(String, registered: [String] = [])

  /// A migration registered after this one has already run.
  case migratedBeyond(String)

  /// The database has migrations that are not registered: a newer version of the application has
  /// opened it. See ``DatabaseMigrator/refusesNewerDatabases``.
  case superseded([String])

  /// The identifier at fault, and what is wrong with it.
  public var description: String {
    switch self {
    case .undefinedMigration(let identifier, let registered):
      ErrorLayout.text(
        "undefined migration: \"\(identifier)\"",
        findings: NameSuggestion.text(
          for: identifier, among: registered, orList: "the registered migrations are"),
        place: nil)
    case .migratedBeyond(let identifier):
      "database is already migrated beyond migration \"\(identifier)\""
    case .superseded(let identifiers):
      "database has migrations of a newer version: "
        + identifiers.map { "\"\($0)\"" }.joined(separator: ", ")
    }
  }
}
