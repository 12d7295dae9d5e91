import QuarryTestSupport
import Testing

@testable import Quarry

private let schema = LiteralSchemaReader.bookshop
private let all = SQLSelection(.allColumns)

/// The statements that persist records.
struct RecordStatementWriterTests {
  private func rendered(_ text: SQLText) -> RenderedSQL {
    RenderedSQL(text.sql, text.arguments)
  }

  @Test func `insert`() throws {
    #expect(
      rendered(
        try RecordStatementWriter.insert(
          table: "author", columns: ["id", "name", "country", "birthYear"], schema: schema))
        == RenderedSQL(
          #"INSERT INTO "author" ("id", "name", "country", "birthYear") VALUES (?,?,?,?)"#))
    #expect(
      try RecordStatementWriter.insert(
        table: "author", columns: ["id"], conflict: "REPLACE", schema: schema
      ).sql == #"INSERT OR REPLACE INTO "author" ("id") VALUES (?)"#)
  }

  @Test func `insert RETURNING`() throws {
    let expression = (Column("id") + 7).forKey("i2")
    #expect(
      rendered(
        try RecordStatementWriter.insert(
          table: "author", columns: ["id"],
          returning: [Column("name").sqlSelection, expression], schema: schema))
        == RenderedSQL(
          #"INSERT INTO "author" ("id") VALUES (?) RETURNING "name", "id" + ? AS "i2""#, [7]))
    let excluding = AllColumnsExcluding(["name"]).sqlSelection
    #expect(
      try RecordStatementWriter.insert(
        table: "author", columns: ["id"], returning: [excluding], schema: schema
      ).sql
        == #"INSERT INTO "author" ("id") VALUES (?) RETURNING "id", "country", "birthYear""#)
  }

  @Test func `update`() throws {
    #expect(
      try RecordStatementWriter.update(
        table: "author", columns: ["name", "country"], keyColumns: ["id"], schema: schema
      ).sql == #"UPDATE "author" SET "name"=?, "country"=? WHERE "id"=?"#)
    #expect(
      try RecordStatementWriter.update(
        table: "stock", columns: ["qty"], keyColumns: ["shop", "isbn"], conflict: "IGNORE",
        returning: [all], schema: schema
      ).sql
        == #"UPDATE OR IGNORE "stock" SET "qty"=? WHERE "shop"=? AND "isbn"=? RETURNING *"#)
  }

  @Test func `delete and exists`() throws {
    #expect(
      try RecordStatementWriter.delete(
        table: "author", keyColumns: ["id"], schema: LiteralSchemaReader.bookshop)
        == #"DELETE FROM "author" WHERE "id"=?"#)
    #expect(
      try RecordStatementWriter.delete(
        table: "stock", keyColumns: ["shop", "isbn"], schema: LiteralSchemaReader.bookshop)
        == #"DELETE FROM "stock" WHERE "shop"=? AND "isbn"=?"#)
    #expect(
      try RecordStatementWriter.exists(
        table: "book", keyColumns: ["id"], schema: LiteralSchemaReader.bookshop)
        == #"SELECT EXISTS (SELECT 1 FROM "book" WHERE "id"=?)"#)
  }

  @Test func `upsert`() throws {
    let text = try RecordStatementWriter.upsert(
      table: "author", columns: ["id", "name", "country"], conflictTarget: [], assignments: [],
      overwriting: ["name", "country"], fallbackColumn: "id", returning: [],
      rowIDName: "rowid", schema: schema)
    #expect(
      text.sql == """
        INSERT INTO "author" ("id", "name", "country") VALUES (?,?,?) ON CONFLICT DO UPDATE SET \
        "name" = "excluded"."name", "country" = "excluded"."country" RETURNING "rowid"
        """)
  }

  @Test func `upsert with assignments`() throws {
    let excluded = TableAlias<Void>(name: "excluded")
    let assignments = [
      Column("birthYear").set(to: Column("birthYear") + 1),
      Column("name").set(to: excluded[Column("name")]),
      Column("country").noOverwrite,
    ]
    let text = try RecordStatementWriter.upsert(
      table: "author", columns: ["id", "name"], conflictTarget: ["name"],
      assignments: assignments, overwriting: [], fallbackColumn: "id", returning: [all],
      rowIDName: "rowid", schema: schema)
    #expect(
      rendered(text)
        == RenderedSQL(
          """
          INSERT INTO "author" ("id", "name") VALUES (?,?) ON CONFLICT("name") DO UPDATE SET \
          "birthYear" = "birthYear" + ?, "name" = "excluded"."name" RETURNING *, "rowid"
          """, [1]))
  }

  @Test func `upsert of nothing`() throws {
    let text = try RecordStatementWriter.upsert(
      table: "tagName", columns: ["name"], conflictTarget: [], assignments: [], overwriting: [],
      fallbackColumn: "name", returning: [], rowIDName: nil, schema: schema)
    #expect(
      text.sql == """
        INSERT INTO "tagName" ("name") VALUES (?) ON CONFLICT DO UPDATE SET "name" = "name"
        """)
  }

  @Test func `names cannot end identifiers`() throws {
    #expect(
      try RecordStatementWriter.insert(table: #"a"b"#, columns: [#""; DROP"#], schema: schema).sql
        == #"INSERT INTO "a""b" ("""; DROP") VALUES (?)"#)
  }
}
