import Quarry

/// The schema of the main database, as far as two can be distinguished: the version of SQLite comes
/// again after a rollback, and may be that of a database that has taken the place of this one.
struct SchemaState: Equatable {
  private let version: Int32
  private let generation: Int

  init(_ db: Database) throws {
    version = try Int32.fetchOne(db, sql: "PRAGMA main.schema_version") ?? 0
    generation = db.schema.clearCount
  }
}
