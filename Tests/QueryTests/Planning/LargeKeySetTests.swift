import QuarryTestSupport
import Testing

@testable import Quarry

/// Filters on many keys: one argument, and one SQL text, for any number of them.
struct LargeKeySetTests {
  @Test func `many primary keys are one argument`() throws {
    let rendered = try sql(of: Book.filter(keys: 1...101))
    #expect(
      rendered.sql
        == #"SELECT * FROM "book" WHERE "id" IN (SELECT +"value" FROM json_each(?))"#)
    #expect(rendered.arguments.values.count == 1)
    #expect(try sql(of: Book.filter(keys: 1...100)).arguments.values.count == 100)
  }

  @Test func `keys that JSON lacks are a list`() throws {
    let keys = (1...101).map { Double($0) + 0.5 }
    #expect(try sql(of: Book.filter(keys: keys)).arguments.values.count == 101)
  }

  @Test func `definitions have no arguments`() throws {
    let subquery = Book.filter(keys: 1...101).sqlSubquery
    let text = try SQLWriter.literalSQL(subquery: subquery, schema: LiteralSchemaReader.bookshop)
    #expect(text.hasSuffix("99, 100, 101)"))
  }

  private func stockKeys(_ count: Int) -> [[String: (any DatabaseValueConvertible)?]] {
    (0..<count).map { ["shop": "s\($0 % 7)", "isbn": "i\($0)"] }
  }

  @Test func `many compound keys are one argument`() throws {
    let rendered = try sql(of: Stock.filter(keys: stockKeys(101)))
    #expect(
      rendered.sql == """
        SELECT * FROM "stock" WHERE ("isbn", "shop") IN (\
        SELECT JSON_EXTRACT("value", '$[0]'), JSON_EXTRACT("value", '$[1]') FROM json_each(?))
        """)
    #expect(rendered.arguments.values.count == 1)
  }

  @Test(arguments: [100, 101, 5000])
  func `compound keys find their rows`(_ count: Int) throws {
    let database = try makeBookshopDatabase()
    let keys = stockKeys(count)
    let found = try database.write { db in
      for key in keys.prefix(10) {
        try db.execute(
          sql: "INSERT INTO stock VALUES (?, ?, 1)",
          arguments: [key["shop"] ?? nil, key["isbn"] ?? nil])
      }
      return try Stock.filter(keys: keys).fetchCount(db)
    }
    #expect(found == 10)
  }

  @Test func `compound keys with NULLs are alternatives`() throws {
    let database = try makeBookshopDatabase()
    var keys: [[String: (any DatabaseValueConvertible)?]] = (0..<2000).map {
      ["email": "\($0)@example.com"]
    }
    keys.append(["email": nil])
    keys.append(["email": "a@example.com"])
    let nicks = try database.read { db in
      try Member.filter(keys: keys).fetchAll(db).compactMap(\.nick).sorted()
    }
    #expect(nicks == ["ann", "cat"])
  }

  @Test func `their columns must be unique`() throws {
    let keys = (0..<101).map { ["title": "\($0)"] }
    #expect(
      try invalidity(of: sql(of: Book.filter(keys: keys)))
        == "table book has no unique key on column(s) title")
  }
}
