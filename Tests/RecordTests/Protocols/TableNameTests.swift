import Testing

@testable import Quarry

private struct HTTPRequest: TableRecord {}
private struct My_Book: TableRecord {}
private struct Gen<Value>: TableRecord {}
private enum Outer {
  struct Inner: TableRecord {}
}
private struct Named: TableRecord {
  static let databaseTableName = "other"
}

struct TableNameTests {
  @Test(arguments: [
    ("Book", "book"), ("TOEFL", "toefl"), ("book", "book"), ("HTTPRequest", "httpRequest"),
    ("URLCache2", "urlCache2"), ("ABook", "aBook"), ("My_Book", "my_Book"), ("Gen<Int>", "gen"),
    ("A", "a"), ("Élan", "Élan"),
  ])
  func `The name of a type gives the name of its table`(type: String, table: String) {
    #expect(String(tableOfTypeNamed: type) == table)
  }

  @Test func `The name of the table has neither module, nor outer type, nor generic arguments`() {
    #expect(HTTPRequest.databaseTableName == "httpRequest")
    #expect(My_Book.databaseTableName == "my_Book")
    #expect(Gen<Gen<Int>>.databaseTableName == "gen")
    #expect(Outer.Inner.databaseTableName == "inner")
  }

  @Test func `A type chooses the name of its table`() {
    #expect(Named.databaseTableName == "other")
  }
}
