import Foundation
import Testing

/// `quarry migrate`, and `quarry check drift`.
struct MigrationFolderTests {
  /// Calls `body` with a folder of migrations, and the path of a database that does not exist yet.
  private func withMigrations(
    _ body: (_ scratch: Scratch, _ folder: String, _ path: String) throws -> Void
  ) throws {
    try withScratch { scratch in
      let folder = scratch / "Migrations"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      _ = try scratch.file("Migrations/1-books.sql", "CREATE TABLE book (title TEXT);")
      _ = try scratch.file("Migrations/2-pages.sql", "ALTER TABLE book ADD COLUMN pages INTEGER;")
      _ = try scratch.file("Migrations/2-pages.down.sql", "ALTER TABLE book DROP COLUMN pages;")
      try body(scratch, folder, scratch / "shop.sqlite")
    }
  }

  @Test func `migrations of a folder run, are undone, and drift`() throws {
    try withMigrations { scratch, folder, path in
      try #expect(
        Tool.quarry("migrate", "up", path, folder)
          == Run(output: "1-books\n2-pages\n", errors: "", code: 0))
      try #expect(Tool.quarry("migrate", "up", path, folder).output == "")
      try #expect(
        Tool.quarry("check", "drift", path, folder)
          == Run(output: "no drift\n", errors: "", code: 0))
      try #expect(
        Tool.quarry("migrate", "down", path, folder, "--to", "1-books")
          == Run(output: "2-pages\n", errors: "", code: 0))
      _ = try scratch.file("Migrations/1-books.sql", "CREATE TABLE book (name TEXT);")
      try #expect(
        Tool.quarry("check", "drift", path, folder)
          == Run(
            output: """
              migration "2-pages" has not run
              migration "1-books" has been edited since it ran
              schema: column book.name is missing
              schema: column book.title is unexpected

              """, errors: "", code: 1))
      let run = try Tool.quarry("migrate", "up", path, folder, "--rehearse")
      #expect(run.output.contains("ALTER TABLE book ADD COLUMN pages INTEGER;"))
      try #expect(Tool.quarry("check", path).output == "\(path): no findings\n")
    }
  }

  @Test func `mistakes are named`() throws {
    try withMigrations { scratch, folder, path in
      try #expect(
        Tool.quarry("check", "drift", path, folder).errors == "quarry: \(path): no such file\n")
      try #expect(Tool.quarry("migrate", "up", path, folder).code == 0)
      let down = try Tool.quarry("migrate", "down", path, folder, "--all")
      #expect(
        down.errors
          == "quarry: \(path): no way down for \"1-books\": write a file NAME.down.sql, or register the migration with `down`\n"
      )
      #expect(down.code == 2)
      try #expect(Tool.quarry("migrate", "down", path, folder).code == 64)
      _ = try scratch.file("Migrations/3-vacuum.sql", "\nVACUUM;")
      let up = try Tool.quarry("migrate", "up", path, folder)
      #expect(up.errors.hasPrefix("quarry: 3-vacuum.sql:2: VACUUM can't run in a transaction"))
      #expect(up.code == 2)
    }
  }

  private static let old = """
    CREATE TABLE book (id INTEGER PRIMARY KEY, name TEXT NOT NULL, year TEXT);
    INSERT INTO book VALUES (1, 'The Trial', '1925'), (2, 'The Castle', NULL);
    """

  @Test func `a draft is Swift or SQL, and is rehearsed`() throws {
    try withScratch { scratch in
      let path = try scratch.database("shop.sqlite", Self.old)
      let schema = try scratch.file(
        "schema.sql", "CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL, year TEXT)")
      let run = try Tool.quarry(
        "migrate", "draft", path, schema, "--rename", "book.name=title", "--identifier", "Titles",
        "--rehearse")
      #expect(
        run.output == """
          migrator.registerMigration("Titles") { db in
            try db.alter(table: "book") { t in
              t.rename(column: "name", to: "title")
            }
          }

          """)
      #expect(run.errors.hasPrefix("quarry: rehearsal: success in "))
      #expect(run.errors.hasSuffix("\nbook: 2 -> 2 rows\n"))
      #expect(run.code == 0)
      try #expect(
        Tool.quarry("migrate", "draft", path, schema, "--sql", "--rename", "book.name=title")
          == Run(
            output: "ALTER TABLE \"book\" RENAME COLUMN \"name\" TO \"title\";\n", errors: "",
            code: 0))
      try #expect(
        Tool.quarry("migrate", "draft", path, path)
          == Run(output: "", errors: "quarry: the schemas are the same\n", code: 0))
    }
  }

  @Test func `a draft loses no data without permission`() throws {
    try withScratch { scratch in
      let path = try scratch.database("shop.sqlite", Self.old)
      let schema = try scratch.file(
        "schema.sql", "CREATE TABLE book (id INTEGER PRIMARY KEY, name TEXT NOT NULL)")
      let refused = try Tool.quarry("migrate", "draft", path, schema)
      #expect(
        refused.errors == """
          quarry: \(path): the migration loses data, and needs permission (allowing: .dataLoss, --allow-data-loss), or a \
          new name for what it drops (renaming, --rename)
          - column book.year: 1 values

          """)
      #expect(refused.output == "")
      #expect(refused.code == 2)
      try #expect(
        Tool.quarry("migrate", "draft", path, schema, "--allow-data-loss", "--sql")
          == Run(
            output: "ALTER TABLE \"book\" DROP COLUMN \"year\";\n",
            errors: "quarry: lost: column book.year: 1 values\n", code: 0))
      let broken = try scratch.file("broken.sql", "CREATE TABLE book (")
      try #expect(Tool.quarry("migrate", "draft", path, broken).code == 2)
      try #expect(Tool.quarry("migrate", "draft", path, schema, "--rename", "x").code == 64)
    }
  }
}
