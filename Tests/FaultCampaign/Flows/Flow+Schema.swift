import Foundation
import Quarry
import QuarryMigrations

extension Flow {
  private static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("tags") { db in
      try db.create(table: "tag") { t in
        t.primaryKey("id", .integer)
        t.belongsTo("entry")
        t.column("name", .text)
      }
      try db.execute(sql: "INSERT INTO tag SELECT id, id, 'tag ' || id FROM entry WHERE number = 0")
    }
    migrator.registerMigration("deletions") { db in
      // Children without parent come and go: foreign keys are checked at the end.
      try db.rebuild(table: "author") { t in
        t.autoIncrementedPrimaryKey("id")
        t.column("name", .text).notNull().unique()
      }
      try db.alter(table: "tag") { t in t.add(column: "score", .integer).defaults(to: 0) }
    }
    migrator.registerMigration("index", foreignKeyChecks: .immediate) { db in
      try db.create(index: "tag_name", on: "tag", columns: ["name"])
    }
    return migrator
  }

  static let migration = Flow(
    name: "migration",
    run: { course in
      var isMigrated = false
      for number in 1...2 {
        course.step("migrate \(number)") {
          try migrator.migrate(course.database)
          isMigrated = true
        }
      }
      course.step("look") {
        let applied = try course.database.read(migrator.appliedMigrations)
        course.expect(!isMigrated || applied == migrator.migrations, "migrated up to \(applied)")
      }
      course.step("write") { try course.commit(1) }
    },
    check: { db in
      let applied = try migrator.appliedMigrations(db)
      let hasTable = try db.tableExists("tag")
      let hasScore = try hasTable && db.columns(in: "tag").contains { $0.name == "score" }
      let hasIndex = try hasTable && db.indexes(on: "tag").contains { $0.name == "tag_name" }
      let count = try hasTable ? Int.fetchOne(db, sql: "SELECT count(*) FROM tag") : 60
      let found = [("tags", hasTable), ("deletions", hasScore), ("index", hasIndex)]
      return found.filter { applied.contains($0.0) != $0.1 }.map { "\($0.0) is half applied" }
        + (count == 60 ? [] : ["tags are lost"])
    })

  static let rebuild = Flow(
    name: "rebuild",
    prepare: { db in
      try db.execute(
        sql: """
          CREATE VIEW long AS SELECT id FROM entry WHERE length(text) > 10;
          CREATE TRIGGER named AFTER DELETE ON author BEGIN DELETE FROM entry WHERE authorId = old.id; END;
          """)
    },
    run: { course in
      for number in 1...2 {
        course.step("rebuild \(number)") {
          try course.commit(number) { _ in }
          try course.database.writeWithoutTransaction { db throws -> Void in
            try db.rebuild(table: "entry") { t in
              t.autoIncrementedPrimaryKey("id")
              t.column("number", .integer).notNull()
              t.column("text", .text).notNull()
              t.column("size", .integer).notNull().defaults(to: number)
              t.belongsTo("author").notNull()
            }
          }
        }
      }
      course.step("columns") {
        try course.database.read { db in
          let columns = try db.columns(in: "entry").map(\.name)
          let actual = try Row.fetchOne(db, sql: "SELECT * FROM entry").map {
            Array($0.columnNames)
          }
          course.expect(columns == actual, "the columns are \(actual ?? []), not \(columns)")
        }
      }
      course.step("write") { try course.commit(3) }
    },
    check: { db in
      let names = try String.fetchAll(
        db,
        sql: """
          SELECT name FROM sqlite_master WHERE name NOT LIKE 'sqlite_%' ORDER BY name
          """)
      let expected = ["author", "entry", "entry_on_authorId", "entry_on_number", "long", "named"]
      return names == expected ? [] : ["the schema has \(names)"]
    })

  static let attachment = Flow(
    name: "attachment", connections: [.queue],
    run: { course in
      let other = course.system.uri(course.path("other"))
      var isAttached = false
      for _ in 1...2 where !isAttached {
        course.step("attach") {
          try course.database.writeWithoutTransaction { db throws -> Void in
            try db.execute(sql: "ATTACH DATABASE ? AS other", arguments: [other])
          }
          isAttached = true
        }
      }
      guard isAttached else { return }
      for number in 1...2 {
        course.step("write \(number)") {
          try course.commit(number) { db in
            try db.execute(
              sql: """
                CREATE TABLE IF NOT EXISTS other.copy (number INTEGER);
                INSERT INTO other.copy VALUES (\(number));
                """)
          }
        }
      }
      course.step("look") {
        let (entries, copies) = try course.database.read { db in
          try (
            Int.fetchAll(db, sql: "SELECT DISTINCT number FROM entry WHERE number > 0 ORDER BY 1"),
            db.tableExists("copy", in: "other")
              ? Int.fetchAll(db, sql: "SELECT number FROM other.copy ORDER BY 1") : []
          )
        }
        course.expect(entries == copies, "the files have \(entries) and \(copies)")
      }
      course.step("detach") {
        try course.database.writeWithoutTransaction { db throws -> Void in
          try db.execute(sql: "DETACH DATABASE other")
        }
      }
    })

  static let fullText = Flow(
    name: "full text",
    prepare: { db in
      try db.create(virtualTable: "words", using: FTS5()) { t in
        t.synchronize(withTable: "entry")
        t.column("text")
      }
    },
    run: { course in
      for number in 1...2 { course.step("write") { try course.commit(number) } }
      course.step("match") {
        let found = try course.database.read { db in
          try Int.fetchOne(db, sql: "SELECT count(*) FROM words WHERE words MATCH 'entry'")
        }
        let count = try course.database.read(Entry.fetchCount)
        course.expect(found == count, "the index finds \(found ?? 0) of \(count)")
      }
    },
    check: { db in
      try db.execute(sql: "INSERT INTO words(words) VALUES ('integrity-check')")
      return []
    })
}
