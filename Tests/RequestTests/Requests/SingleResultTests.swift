import QuarryFunctions
import QuarryTestSupport
import Testing

@testable import Quarry

private let y = Column("year")
private let t = Column("title")
private let id = Column("id")
private let email = Column("email")
private let shop = Column("shop")
private let isbn = Column("isbn")

/// When does `fetchOne` need `LIMIT 1`?
struct SingleResultTests {
  static let limited: [SQLSubquery] = [
    Book.all().sqlSubquery,
    Book.filter(y == 1).sqlSubquery,
    Book.order(y).sqlSubquery,
    Book.filter(id > 1).sqlSubquery,
    Book.filter(id == 1 || y == 2).sqlSubquery,
    Book.filter([1, 2].contains(id)).sqlSubquery,
    Book.filter(id == y).sqlSubquery,
    Book.filter(sql: "id = 1").sqlSubquery,
    Book.filter(id == SQL("1").sqlExpression).sqlSubquery,
    Book.filter(!(id == 1)).sqlSubquery,
    Book.filter(abs(id) == 1).sqlSubquery,
    Book.filter(id + id == 1).sqlSubquery,
    Book.filter(keys: [1, 2]).sqlSubquery,
    Stock.filter(shop == "a").sqlSubquery,
    Stock.filter(SQLRowValue(shop, Column("qty")) == SQLRowValue("a", 1)).sqlSubquery,
    Stock.filter(SQLRowValue(shop, isbn) > SQLRowValue("a", "b")).sqlSubquery,
    Stock.filter(SQLRowValue(shop, isbn) == SQLRowValue("a", shop)).sqlSubquery,
    Book.filter(SQLCase().when(y, then: id) == 1).sqlSubquery,
    Book.select(max(y).over()).sqlSubquery,
    Book.select(SQLCase().when(y, then: max(y))).sqlSubquery,
    Bestseller.filter(id == 1).sqlSubquery,
    Book.select(max(y)).group(t).sqlSubquery,
    Book.select(abs(max(y))).sqlSubquery,
    Book.select(cast(max(y), as: .text)).sqlSubquery,
    Book.select(sql: "COUNT(*)").sqlSubquery,
    Book.select(max(y, 1)).sqlSubquery,
    Book.select(max(y).like("1")).sqlSubquery,
    Book.joining(optional: Book.author).filter(id == 1).sqlSubquery,
    Book.joining(optional: Book.author).select(max(y)).sqlSubquery,
  ]

  static let unlimited: [SQLSubquery] = [
    Book.limit(3).sqlSubquery,
    Book.filter(id == 1).sqlSubquery,
    Book.filter(1 == id).sqlSubquery,
    Book.filter(id === 1).sqlSubquery,
    Book.filter(id == nil).sqlSubquery,
    Book.filter([1].contains(id)).sqlSubquery,
    Book.filter(id == 1 && y == 2).sqlSubquery,
    Book.filter(Column.rowID == 1).sqlSubquery,
    Book.filter(key: 1).sqlSubquery,
    Book.filter(id: 1).sqlSubquery,
    Book.filter(!(id != 1)).sqlSubquery,
    Book.filter(id == 1).distinct().sqlSubquery,
    Book.filter(id == 1).group(y).sqlSubquery,
    Book.filter(-id == 1).sqlSubquery,
    Book.filter((id ?? 0) == 1).sqlSubquery,
    Book.filter(hex(id) == "31").sqlSubquery,
    Book.filter(quote(id) == "1").sqlSubquery,
    Book.filter(id == abs(1.databaseValue) + 1).sqlSubquery,
    Book.filter(
      [id.sqlExpression, "x".databaseValue.sqlExpression].joined(operator: .concat) == "1x"
    ).sqlSubquery,
    Book.filter(Column("ID") == 1).sqlSubquery,
    Member.filter(email == "a").sqlSubquery,
    Member.filter(email == nil).sqlSubquery,
    Member.filter(email.collating(.nocase) == "a").sqlSubquery,
    Stock.filter(shop == "a" && isbn == "b").sqlSubquery,
    Stock.filter(SQLRowValue(shop, isbn) == SQLRowValue("a", "b")).sqlSubquery,
    Stock.filter(SQLRowValue("b", "a") === SQLRowValue(isbn, shop)).sqlSubquery,
    Book.filter(Column("id").asJSON == 1).sqlSubquery,
    Book.select(groupConcat(y)).sqlSubquery,
    Book.select(.countAll).sqlSubquery,
    Book.select(SQLExpression.aggregate("MEDIAN", y)).sqlSubquery,
    Book.select(Database.jsonGroupArray(y)).sqlSubquery,
    Stock.filter(shop == "a").filter(isbn == "b").sqlSubquery,
    Stock.filter(key: ["shop": "a", "isbn": "b"]).sqlSubquery,
    Book.select(max(y)).sqlSubquery,
    Book.select(y, max(y)).sqlSubquery,
    Book.select(max(y) + 1).sqlSubquery,
    Book.select(max(y).forKey("m")).sqlSubquery,
    Book.select(max(y) == 1).sqlSubquery,
    Book.select(-max(y)).sqlSubquery,
    Book.select((1...2).contains(max(y))).sqlSubquery,
    Book.select(count(filter: y > 1)).sqlSubquery,
  ]

  @Test(arguments: limited.indices)
  func `requests with several rows are limited`(index: Int) throws {
    let request = Self.limited[index]
    let plain = try sql(of: request)
    #expect(
      try sql(of: request, forSingleResult: true)
        == RenderedSQL(plain.sql + " LIMIT 1", plain.arguments))
  }

  @Test(arguments: unlimited.indices)
  func `requests with one row are not`(index: Int) throws {
    let request = Self.unlimited[index]
    #expect(try sql(of: request, forSingleResult: true) == sql(of: request))
  }

  @Test func `aliases do not hide the key`() throws {
    let b = TableAlias(name: "b")
    let outer = TableAlias(name: "o")
    #expect(
      try sql(of: Book.aliased(b).filter(b[id] == 1), forSingleResult: true).sql
        == #"SELECT "b".* FROM "book" "b" WHERE "b"."id" = ?"#)
    let correlated = Author.aliased(outer).filter(
      Book.filter(id == outer[id]).exists() && outer[id] == 1)
    #expect(try !sql(of: correlated, forSingleResult: true).sql.hasSuffix("LIMIT 1"))
  }
}
