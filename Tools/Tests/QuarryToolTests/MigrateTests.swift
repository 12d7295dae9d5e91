import Foundation
import Testing

/// `MigrateCommand`, in the program of Tests/MigrateTarget.
struct MigrateTests {
  private func migrate(_ arguments: String...) throws -> Run {
    try Tool.run(Tool.url("MigrateTarget"), arguments)
  }

  @Test func `a rehearsal shows the SQL, and leaves the file alone`() throws {
    try withScratch { scratch in
      let path = try scratch.database("shop.sqlite", "")
      let run = try migrate("--rehearse", path)
      #expect(run.output.contains("-- authors ("))
      #expect(run.output.contains("CREATE TABLE \"author\""))
      #expect(run.output.contains("CREATE UNIQUE INDEX \"index_author_on_name\""))
      #expect(run.code == 0)
      try #expect(
        Tool.quarry("query", path, "SELECT name FROM sqlite_master", "--format", "csv").output
          == "name\n")
    }
  }

  @Test func `a migration that fails is found by the rehearsal`() throws {
    try withScratch { scratch in
      let path = scratch / "shop.sqlite"
      try #expect(
        migrate(path, "--up-to", "authors") == Run(output: "1/1 authors\n", errors: "", code: 0))
      let sql = "INSERT INTO author (name) VALUES ('A'), ('A')"
      try #expect(Tool.quarry("query", path, sql, "--write").code == 0)
      let run = try migrate("--rehearse", path)
      #expect(
        run.output.contains("-- failed: SQLite error 19: UNIQUE constraint failed: author.name"))
      #expect(run.code == 1)
      try #expect(
        Tool.quarry("query", path, "DELETE FROM author WHERE id = 2", "--write").code == 0)
      try #expect(migrate(path) == Run(output: "1/1 unique names\n", errors: "", code: 0))
      try #expect(migrate("--rehearse", path).output == "no migration to run\n")
    }
  }

  @Test func `a rehearsal needs a file`() throws {
    try withScratch { scratch in
      let run = try migrate("--rehearse", scratch / "none.sqlite")
      #expect(run.errors.contains("none.sqlite: no such file"))
      #expect(run.code == 64)
      #expect(!FileManager.default.fileExists(atPath: scratch / "none.sqlite"))
    }
  }

  @Test func `drift is a migration that has not run, or a change without one`() throws {
    try withScratch { scratch in
      let path = scratch / "shop.sqlite"
      try #expect(migrate(path, "--up-to", "authors").code == 0)
      try #expect(
        migrate("--drift", path)
          == Run(output: "migration \"unique names\" has not run\n", errors: "", code: 1))
      try #expect(migrate(path).code == 0)
      try #expect(migrate("--drift", path) == Run(output: "no drift\n", errors: "", code: 0))
      try #expect(Tool.quarry("query", path, "CREATE TABLE note (x)", "--write").code == 0)
      try #expect(
        migrate("--drift", path)
          == Run(output: "schema: table note is unexpected\n", errors: "", code: 1))
      try #expect(migrate("--drift", "--rehearse", path).code == 64)
    }
  }
}
