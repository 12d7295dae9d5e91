import Testing

@testable import Quarry

struct SQLBufferTests {
  @Test(arguments: [
    ("book", #""book""#), ("", #""""#), (#"a"b"#, #""a""b""#), (#"""#, #""""""#),
    ("café 🎉", #""café 🎉""#), (#"x"; DROP TABLE book; --"#, #""x""; DROP TABLE book; --""#),
  ])
  func `identifiers are quoted`(_ name: String, expected: String) {
    var buffer = SQLBuffer()
    buffer.append(identifier: name)
    #expect(buffer.string == expected)
    #expect(buffer.string == name.quotedDatabaseIdentifier)
  }

  @Test(arguments: [0, 9, 10, 1234, -1, .max, .min])
  func `numbers`(_ number: Int) {
    var buffer = SQLBuffer()
    buffer.append("LIMIT ")
    buffer.append(number)
    #expect(buffer.string == "LIMIT \(number)")
  }

  @Test func `named and positional arguments of raw SQL`() throws {
    let sql: SQL = """
      \(sql: "a = :a AND b = ?", arguments: ["a": 1] + [2]) AND \(Column("c") == 3)
      """
    let context = PlanningContext(schema: EmptySchema())
    let text = try SQLWriter.write(literal: sql, in: context)
    #expect(text.sql == #"a = :a AND b = ? AND "c" = ?"#)
    #expect(text.arguments == ["a": 1] + [2, 3])
  }
}

private final class EmptySchema: SchemaReader {
  func exists(_ table: String) -> Bool { false }
  func isView(_ table: String) -> Bool { false }
  func columns(of table: String) -> [ColumnInfo] { [] }
  func primaryKeyIfKnown(of table: String) -> PrimaryKeyInfo? { nil }
  func foreignKeys(from table: String) -> [ForeignKeyInfo] { [] }
  func indexes(on table: String) -> [IndexInfo] { [] }
  func hasRowID(_ table: String) -> Bool { false }
}
