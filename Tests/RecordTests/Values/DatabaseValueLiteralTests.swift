import Foundation
import Testing

@testable import Quarry

struct DatabaseValueLiteralTests {
  static let literals: [(DatabaseValue.Storage, String)] = [
    (.null, "NULL"),
    (.int64(1), "1"),
    (.int64(-12), "-12"),
    (.int64(.min), "-9223372036854775808"),
    (.double(0), "0.0"),
    (.double(-0.0), "0.0"),
    (.double(1), "1.0"),
    (.double(1.5), "1.5"),
    (.double(0.1), "0.1"),
    (.double(-0.25), "-0.25"),
    (.double(1e14), "100000000000000.0"),
    (.double(1e15), "1.0e+15"),
    (.double(1e20), "1.0e+20"),
    (.double(1e-5), "1.0e-05"),
    (.double(.infinity), "9.0e+999"),
    (.double(-.infinity), "-9.0e+999"),
    (.double(.nan), "NULL"),
    (.string(""), "''"),
    (.string("O'Brien"), "'O''Brien'"),
    (.string("\u{e9}\n\""), "'\u{e9}\n\"'"),
    (.blob(Data()), "X''"),
    (.blob(Data([0x01, 0xFF])), "X'01FF'"),
  ]

  @Test(arguments: literals)
  func `literals are those of SQLite`(storage: DatabaseValue.Storage, literal: String) {
    #expect(DatabaseValue(storage: storage).sqlLiteral == literal)
  }

  @Test(arguments: [
    ("a\0b", "('a' || char(0) || 'b')"), ("\0", "('' || char(0) || '')"),
    ("it's\0\0\u{e9}", "('it''s' || char(0) || '' || char(0) || '\u{e9}')"),
  ])
  func `a text with a nul character is an expression`(text: String, literal: String) throws {
    #expect(text.databaseValue.sqlLiteral == literal)
    for encoding in ["UTF-8", "UTF-16"] {
      try DatabaseQueue().inDatabase { db in
        try db.execute(sql: "PRAGMA encoding = '\(encoding)'")
        let value = try DatabaseValue.fetchOne(db, sql: "SELECT \(literal)")
        #expect(value == text.databaseValue)
      }
    }
  }

  @Test func `an invalid value is no valid SQL`() {
    #expect(DatabaseValue.invalid("it's").sqlLiteral == "invalid_value('it''s')")
  }

  @Test func `doubles that need more than 15 digits get 21`() {
    #expect((0.1 + 0.2).databaseValue.sqlLiteral.hasPrefix("3.0000000000000004440"))
    #expect((0.1 + 0.2).databaseValue.sqlLiteral.hasSuffix("e-01"))
  }
}
