import Foundation
import Quarry
import QuarryTestSupport
import Testing

struct CharacterConversionTests {
  @Test func `characters are texts of one`() {
    #expect(("é" as Character).databaseValue == "é".databaseValue)
    #expect(Character.fromDatabaseValue("\u{1f468}\u{200d}\u{1f469}".databaseValue) != nil)
    #expect(Character.fromDatabaseValue("e\u{301}".databaseValue) == "é")
    #expect(Character.fromDatabaseValue(Data("a".utf8).databaseValue) == "a")
    for value in ["".databaseValue, "ab".databaseValue, 1.databaseValue, .null] {
      #expect(Character.fromDatabaseValue(value) == nil)
    }
  }

  @Test func `scalars are texts of one`() {
    #expect(("é" as Unicode.Scalar).databaseValue == "\u{e9}".databaseValue)
    #expect(Unicode.Scalar.fromDatabaseValue("x".databaseValue) == "x")
    for value in ["".databaseValue, "e\u{301}".databaseValue, 1.databaseValue, .null] {
      #expect(Unicode.Scalar.fromDatabaseValue(value) == nil)
    }
  }

  @Test func `a text of several characters is an error`() throws {
    try DatabaseQueue().inDatabase { db throws in
      #expect(try Character.fetchOne(db, sql: "SELECT 'a'") == "a")
      #expect(try Substring.fetchAll(db, sql: "SELECT 'a' UNION ALL SELECT 12") == ["a", "12"])
      #expect(
        errorText { try Character.fetchAll(db, sql: "SELECT 'ab' AS c") } == """
          could not decode Character from database value "ab" - column: "c", column index: 0, \
          row: [c:"ab"], sql: `SELECT 'ab' AS c`, arguments: []
          """)
    }
  }

  @Test func `strings are interpolated as values`() throws {
    func sql<S: StringProtocol>(_ string: S) -> SQL { "SELECT \(string)" }
    let name = "Ursula"
    try DatabaseQueue().inDatabase { db in
      for literal: SQL in [
        "SELECT \(name)", "SELECT \(name.dropFirst(0))", "SELECT \("Ursula")", sql(name),
        sql(name.prefix(9)),
      ] {
        let (text, arguments) = try literal.build(db)
        #expect(text == "SELECT ?")
        #expect(arguments == ["Ursula"])
      }
      let initial: Character = "U"
      let request: SQLRequest<String> = "SELECT \(initial) WHERE 'U' IN \([initial, "V"])"
      #expect(try request.fetchOne(db) == "U")
    }
  }

  @Test func `records read characters of texts`() throws {
    struct Line: FetchableRecord {
      var initial: Character
      var rest: Substring

      init(row: Row) {
        initial = row["initial"]
        rest = row["rest"]
      }
    }
    try DatabaseQueue().inDatabase { db in
      let line = try Line.fetchOne(db, sql: "SELECT 'U' AS initial, 'rsula' AS rest")
      #expect(line?.initial == "U")
      #expect(line?.rest == "rsula")
      let text = errorText { try Line.fetchOne(db, sql: "SELECT 1.5 AS initial, NULL AS rest") }
      #expect(text?.hasPrefix("could not decode Character from database value 1.5") == true)
    }
  }
}
