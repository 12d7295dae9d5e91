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
    (.double(1e15), SQLiteVersion.linked < SQLiteVersion(3, 53) ? "1.0e+15" : "1000000000000000.0"),
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

  /// The operators of a few NUL characters are a chain, the depth of which SQLite limits.
  @Test(arguments: [99, 100, 498, 499, 5000])
  func `a text with many nul characters reads as the text`(count: Int) throws {
    for unit in ["\0", "a\0", "\0\u{e9}'"] {
      let value = String(repeating: unit, count: count).databaseValue
      for encoding in ["UTF-8", "UTF-16"] {
        try DatabaseQueue().inDatabase { db in
          try db.execute(sql: "PRAGMA encoding = '\(encoding)'")
          #expect(try DatabaseValue.fetchOne(db, sql: "SELECT \(value.sqlLiteral)") == value)
        }
      }
    }
  }

  @Test func `an invalid value is no valid SQL`() {
    #expect(DatabaseValue.invalid("it's").sqlLiteral == "invalid_value('it''s')")
  }

  @Test func `doubles that need more than 15 digits get those of the version`() {
    let literal = (0.1 + 0.2).databaseValue.sqlLiteral
    switch SQLiteVersion.linked {
    case ..<SQLiteVersion(3, 43):
      #expect(literal.hasPrefix("3.0000000000000004440"))
      #expect(literal.hasSuffix("e-01"))
    case ..<SQLiteVersion(3, 53): #expect(literal == "3.00000000000000044e-01")
    default: #expect(literal == "0.30000000000000004")
    }
  }

  @Test(arguments: [
    (DatabaseValue.Storage.double(1.5), "(CAST(3 AS REAL) / 2)"),
    (.double(-0.1), "(CAST(-3602879701896397 AS REAL) / 36028797018963968)"),
    (.double(3e20), "(CAST(286102294921875 AS REAL) * 1048576)"), (.double(-2), "-2.0"),
    (.double(.infinity), "9.0e+999"), (.double(.nan), "NULL"), (.int64(.min), "\(Int64.min)"),
    (.string("a\0b"), "('a' || char(0) || 'b')"), (.string("it's"), "'it''s'"),
    (.blob(Data([1])), "X'01'"), (.null, "NULL"),
  ])
  func `exact literals do not depend on the version`(
    storage: DatabaseValue.Storage, literal: String
  ) {
    #expect(DatabaseValue(storage: storage).exactLiteral == literal)
  }
}
