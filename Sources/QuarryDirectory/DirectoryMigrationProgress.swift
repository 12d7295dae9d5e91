/// How far the migration of all databases of a directory is: a database was migrated, or was not.
///
/// ```swift
/// try directory.migrate(with: migrator) { progress in
///   print("\(progress.completedCount)/\(progress.count) \(progress.key)", progress.error ?? "")
/// }
/// ```
public struct DirectoryMigrationProgress: Sendable {
  /// The key of the database.
  public let key: String

  /// The error of its migration. Nil if it has succeeded.
  public let error: (any Error)?

  /// The number of databases that have been tried, this one included.
  public let completedCount: Int

  /// The number of all databases.
  public let count: Int
}
