import QuarryTestSupport
import Testing

@testable import Quarry

/// A name without schema is that of the first schema that has it: a temporary table hides the
/// others.
///
/// See <https://www.sqlite.org/lang_naming.html>.
@Suite struct HiddenTableTests {
  private let notes = SQLRequest<String>(sql: "SELECT text FROM note")

  @Test func `a region is notified when its table is hidden, and shown again`() throws {
    try withShop { db throws in
      let notified = try notifications(
        notes, in: db,
        [
          "CREATE TEMP TABLE note (text TEXT)", "INSERT INTO note VALUES ('a')",
          "CREATE TEMP TABLE IF NOT EXISTS note (text TEXT)",
          "CREATE TABLE IF NOT EXISTS note (text TEXT)", "CREATE TABLE other (a)",
          "DROP TABLE note", "BEGIN; CREATE TEMP VIEW note AS SELECT 'b' AS text; COMMIT",
          "BEGIN; DROP VIEW note; COMMIT", "BEGIN; CREATE TEMP TABLE note (text); ROLLBACK",
          "BEGIN; SAVEPOINT a; CREATE TEMP TABLE note (text); ROLLBACK TO a; COMMIT",
          "BEGIN; CREATE TEMP TABLE note (text); DROP TABLE note; COMMIT",
          "CREATE TEMP TABLE tape (text TEXT); ALTER TABLE tape RENAME TO note",
          "ALTER TABLE note RENAME TO tape",
        ])
      #expect(notified == [1, 1, 0, 0, 0, 1, 1, 1, 0, 0, 1, 1, 1])
    }
  }

  @Test func `tables of attached databases are hidden by those of the main one`() throws {
    try withShop { db throws in
      try db.execute(sql: "ATTACH ':memory:' AS att; CREATE TABLE att.film (text TEXT)")
      let films = SQLRequest<String>(sql: "SELECT text FROM film")
      let notified = try notifications(
        films, in: db, ["CREATE TABLE main.film (text TEXT)", "DROP TABLE main.film"])
      #expect(notified == [1, 1])
    }
  }

  /// The readers of a pool lack the temporary tables of the writer.
  @Test func `a temporary table hides nothing for the readers of a pool`() throws {
    try withTemporaryDirectory { directory in
      var configuration = Configuration()
      configuration.prepareDatabase { db in
        try db.execute(sql: "ATTACH '\(directory)/other.sqlite' AS att")
      }
      let pool = try DatabasePool(path: directory + "/pool.sqlite", configuration: configuration)
      let notified = try pool.writeWithoutTransaction { db in
        try db.execute(
          sql: "CREATE TABLE att.film (text TEXT); CREATE TEMP TABLE film (text TEXT)")
        let films = SQLRequest<String>(sql: "SELECT text FROM film")
        return try notifications(
          films, in: db, ["CREATE TABLE main.film (text TEXT)", "DROP TABLE main.film"])
      }
      #expect(notified == [1, 1])
    }
  }

  @Test func `the full database is notified, too`() throws {
    try withShop { db throws in
      let notified = try notifications(
        DatabaseRegion.fullDatabase, in: db,
        ["CREATE TEMP TABLE note (text TEXT)", "CREATE TEMP TABLE tape (a)", "DROP TABLE note"])
      #expect(notified == [1, 0, 1])
    }
  }

  @Test func `a request that reads nothing is notified, too: it may fail from now on`() throws {
    try withShop { db throws in
      let none = Table("note").order(Column.rowID).none()
      #expect(try none.databaseRegion(db).isEmpty)
      let notified = try notifications(
        none, in: db,
        ["INSERT INTO note VALUES ('a')", "CREATE TEMP VIEW note AS SELECT 1 AS text"])
      #expect(notified == [0, 1])
    }
  }

  @Test func `the rows of the table that hides are those of the value`() async throws {
    try await ConnectionKind.queue.withShop { writer async throws in
      try writer.run("INSERT INTO note VALUES ('main')")
      let report = Report<[String]>()
      let notes = notes
      let observation = ValueObservation.tracking { db in try notes.fetchAll(db) }
      let cancellable = observation.record(in: writer, into: report)
      try await report.values.first(1)
      try writer.run("CREATE TEMP TABLE note (text TEXT)")
      try writer.run("INSERT INTO note VALUES ('temp')")
      try writer.run("DROP TABLE note")
      #expect(try await report.values.first(4) == [["main"], [], ["temp"], ["main"]])
      cancellable.cancel()
    }
  }
}
