import QuarryTestSupport
import Testing

@testable import Quarry

@Suite("Schema readers")
struct SchemaReaderTests {
  private static let tables = [
    "author", "publisher", "book", "review", "country", "stock", "stockMove", "shelf", "tagName",
    "note", "member", "employee", "bestseller",
  ]

  /// The report of a reader on a table, as text.
  private func facts(_ schema: any SchemaReader, _ table: String) throws -> [String] {
    let key = try schema.primaryKeyIfKnown(of: table)
    let foreignKeys = try schema.foreignKeys(from: table)
    return try [
      "\(schema.exists(table)) \(schema.isView(table)) \(schema.hasRowID(table))",
      schema.columns(of: table).map { "\($0.name) \($0.type) \($0.primaryKeyIndex)" }.joined(),
      key.map { "\($0.columns) \($0.rowIDColumn ?? "-") \($0.isRowID) \($0.rowIDName != nil)" }
        ?? "",
      foreignKeys.map { "\($0.id) \($0.destinationTable) \($0.mapping)" }.joined(),
    ]
  }

  @Test(arguments: tables)
  func `a literal schema has the same as a database`(table: String) throws {
    let expected = try withBookshop { try facts($0.schema, table) }
    #expect(try facts(LiteralSchemaReader.bookshop, table) == expected)
  }

  @Test(
    arguments: [
      ("book", ["id"], true), ("book", ["ID"], true), ("book", ["title", "id"], true),
      ("book", ["rowid"], true), ("book", ["title"], false), ("book", [], false),
      ("stock", ["isbn", "SHOP"], true), ("stock", ["shop"], false), ("stock", ["rowid"], true),
      ("shelf", ["rowid"], false), ("note", ["rowid"], true), ("note", ["text"], false),
      ("member", ["email"], true), ("member", ["nick"], false), ("bestseller", ["id"], false),
    ])
  func `columns make a unique key when they contain one`(
    table: String, columns: [String], isUnique: Bool
  ) throws {
    #expect(try LiteralSchemaReader.bookshop.hasUniqueKey(columns, in: table) == isUnique)
    #expect(try withBookshop { try $0.table(table, hasUniqueKey: columns) } == isUnique)
  }

  @Test(
    arguments: [
      ("a", true), ("b", false), ("c", true), ("d", true), ("e", false), ("rowid", true),
    ])
  func `an index with another collation than its column may be no unique key`(
    column: String, isUnique: Bool
  ) throws {
    try withBookshop { db in
      try db.execute(
        sql: """
          CREATE TABLE topic (
            a TEXT UNIQUE, b TEXT COLLATE NOCASE, c TEXT COLLATE NOCASE UNIQUE, d TEXT,
            e TEXT COLLATE NOCASE, UNIQUE (b COLLATE RTRIM), PRIMARY KEY (e COLLATE BINARY));
          CREATE UNIQUE INDEX topicD ON topic (d COLLATE NOCASE);
          """)
      #expect(try db.schema.hasUniqueKey([column], in: "topic") == isUnique)
      #expect(try db.table("topic", hasUniqueKey: [column]))
    }
  }
}
