import Foundation
import Quarry
import QuarryTestSupport
import Testing

@Suite("Index definitions")
struct IndexTests {
  private func bookshop(_ body: (Database) throws -> Void) throws {
    try DatabaseQueue().write { db in
      try db.create(table: "author") { t in
        t.autoIncrementedPrimaryKey("id")
        t.column("name", .text)
        t.column("year", .integer)
      }
      try body(db)
    }
  }

  @Test func `an index has a name, columns, options and a condition`() throws {
    try bookshop { db in
      let statements = try db.statements {
        try db.create(index: "i", on: "author", columns: ["name"])
        try db.create(
          index: "j", on: "author", columns: ["name", "year"], options: [.unique, .ifNotExists],
          condition: Column("year") > 3)
        try db.create(index: "k", on: "author", columns: ["year"], unique: true, ifNotExists: true)
        try db.create(indexOn: "author", columns: ["id", "name"])
      }
      #expect(
        statements == [
          #"CREATE INDEX "i" ON "author"("name")"#,
          #"CREATE UNIQUE INDEX IF NOT EXISTS "j" ON "author"("name", "year") WHERE "year" > 3"#,
          #"CREATE UNIQUE INDEX IF NOT EXISTS "k" ON "author"("year")"#,
          #"CREATE INDEX "index_author_on_id_name" ON "author"("id", "name")"#,
        ])
    }
  }

  @Test func `an index on expressions is no index on columns`() throws {
    try bookshop { db in
      let statements = try db.statements {
        try db.create(
          index: "i", on: "author",
          expressions: [
            Column("name").collating(.nocase), length(Column("name")), SQL("id + \(1)"),
          ])
      }
      #expect(
        statements == [
          #"CREATE INDEX "i" ON "author"("name" COLLATE NOCASE, LENGTH("name"), id + 1)"#
        ])
      #expect(try db.indexes(on: "author").isEmpty)
    }
  }

  @Test func `an index is dropped by its name, or by its columns`() throws {
    try bookshop { db in
      try db.create(index: "i", on: "author", columns: ["name"])
      try db.create(index: "j", on: "author", columns: ["name", "year"])
      let statements = try db.statements {
        try db.drop(index: "i")
        try db.drop(indexOn: "AUTHOR", columns: ["NAME", "Year"])
      }
      #expect(statements.suffix(1) == [#"DROP INDEX "j""#])
      #expect(statements.contains(#"DROP INDEX "i""#))
      #expect(try db.indexes(on: "author").isEmpty)
    }
  }

  @Test func `nothing is dropped when no index, or more than one, has the columns`() throws {
    try bookshop { db in
      try db.create(index: "i", on: "author", columns: ["name"])
      try db.create(index: "j", on: "author", columns: ["name"])
      try db.drop(indexOn: "author", columns: ["name"])
      try db.drop(indexOn: "author", columns: ["year"])
      #expect(try db.indexes(on: "author").count == 2)
    }
  }

  @Test(arguments: [("byLength", "byLength"), ("by length", #""by length""#)])
  func `a collation is indexed again`(name: String, sql: String) throws {
    try bookshop { db throws in
      #expect(try db.statements { try db.reindex(collation: .nocase) } == ["REINDEX NOCASE"])
      let own = DatabaseCollation(name) { left, right in
        left.count < right.count ? .orderedAscending : .orderedSame
      }
      db.add(collation: own)
      #expect(try db.statements { try db.reindex(collation: own) } == ["REINDEX \(sql)"])
    }
  }
}
