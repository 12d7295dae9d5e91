import Foundation
import Testing

@testable import Quarry

struct DatabaseValueLiteralTests {
  @Test(arguments: [
    (DatabaseValue.null, "NULL"),
    (1.databaseValue, "1"),
    ((-12).databaseValue, "-12"),
    (Int64.min.databaseValue, "-9223372036854775808"),
    (true.databaseValue, "1"),
    (0.0.databaseValue, "0.0"),
    (1.0.databaseValue, "1.0"),
    (1.5.databaseValue, "1.5"),
    (0.1.databaseValue, "0.1"),
    ((-0.25).databaseValue, "-0.25"),
    (1e14.databaseValue, "100000000000000.0"),
    (1e15.databaseValue, "1.0e+15"),
    (1e20.databaseValue, "1.0e+20"),
    (1e-5.databaseValue, "1.0e-05"),
    (Double.infinity.databaseValue, "9.0e+999"),
    ((-Double.infinity).databaseValue, "-9.0e+999"),
    (Double.nan.databaseValue, "NULL"),
    ("".databaseValue, "''"),
    ("O'Brien".databaseValue, "'O''Brien'"),
    ("\u{e9}\n\"".databaseValue, "'\u{e9}\n\"'"),
    (Data().databaseValue, "X''"),
    (Data([0x01, 0xFF]).databaseValue, "X'01FF'"),
  ])
  func literalsAreThoseOfSQLite(value: DatabaseValue, literal: String) {
    #expect(value.sqlLiteral == literal)
  }

  @Test func aTextStopsAtItsFirstNulCharacterAsQuoteDoes() {
    #expect("a\0b".databaseValue.sqlLiteral == "'a'")
  }

  @Test func anInvalidValueIsNoValidSQL() {
    #expect(DatabaseValue.invalid("it's").sqlLiteral == "invalid_value('it''s')")
  }

  @Test func doublesThatNeedMoreThan15DigitsGet21() {
    #expect((0.1 + 0.2).databaseValue.sqlLiteral.hasPrefix("3.0000000000000004440"))
    #expect((0.1 + 0.2).databaseValue.sqlLiteral.hasSuffix("e-01"))
  }
}
