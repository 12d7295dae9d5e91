import Testing

@testable import Quarry

/// See <https://www.sqlite.org/lang_expr.html#parameters>.
struct SQLParameterTests {
  static let texts: [(sql: String, names: [SQLParameterName], texts: [String])] = [
    (
      "SELECT ?, ?12, :a, @b, $c",
      [.next, .number(12), .name("a"), .name("b"), .name("c")], ["?", "?12", ":a", "@b", "$c"]
    ),
    (#"'?' "?" `?` [?] 'a''?' -- ?"# + "\n/* ? */ x'00' a$b ?", [.next], ["?"]),
    ("$a::b(c), :d::e", [.name("a::b(c)"), .name("d::e")], ["$a::b(c)", ":d::e"]),
    ("x=?AND y=?1AND z=:é$1", [.next, .number(1), .name("é$1")], ["?", "?1", ":é$1"]),
    ("", [], []),
  ]

  @Test(arguments: texts.indices)
  func `parameters are found, and not those in quotes and comments`(index: Int) {
    let (sql, names, texts) = Self.texts[index]
    let parameters = SQLTokens.parameters(sql)
    let bytes = Array(sql.utf8)
    #expect(parameters.map(\.name) == names)
    let found = parameters.map { String(decoding: bytes[$0.bytes], as: UTF8.self) }
    #expect(found == texts)
  }
}
