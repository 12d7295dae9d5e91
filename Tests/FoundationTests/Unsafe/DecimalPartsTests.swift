import Foundation
import QuarryTestSupport
import Testing

@testable import Quarry

struct DecimalPartsTests {
  #if os(Linux)
    @Test func `the layout is known`() {
      #expect(DecimalParts(1) != nil)
    }
  #endif

  @Test(arguments: [
    "1", "-1", "12.5", "0.05", "-0.001", "100", "18446744073709551615", "-0.00000000000000000001",
    "1844674407370955161.5",
  ])
  func `the text is the number`(_ text: String) throws {
    let number = try #require(Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")))
    #expect(number.databaseValue == text.databaseValue)
  }

  @Test func `the text has the zeros of the number`() {
    let hundred = Decimal(sign: .plus, exponent: -2, significand: 10_000)
    #expect(hundred.databaseValue == hundred.description.databaseValue)
    let thousand = Decimal(sign: .minus, exponent: 3, significand: 1)
    #expect(thousand.databaseValue == "-1000".databaseValue)
  }

  @Test(arguments: [
    Decimal(0), .greatestFiniteMagnitude, .leastNormalMagnitude, .pi,
    Decimal(sign: .minus, exponent: 0, significand: 0),
  ])
  func `other numbers have their descriptions`(_ number: Decimal) {
    #expect(DecimalParts(number) == nil || number != 0)
    #expect(number.databaseValue == number.description.databaseValue)
  }

  @Test func `random numbers have the texts of their descriptions`() {
    let run = RandomRun("decimals")
    run.repeated(seconds: 0.5, atMost: 20_000) { random in
      let significand = Decimal(random.next() >> UInt64(random.below(64)))
      let number = Decimal(
        sign: random.chance(2) ? .plus : .minus, exponent: random.below(256) - 128,
        significand: significand)
      let price = Decimal(random.below(1_000_000)) / 100
      let numbers = [number, price, price * price, price / 3, -price + 1]
      for number in numbers where !number.isNaN {
        #expect(number.databaseValue == number.description.databaseValue, "seed \(run.seed)")
      }
    }
  }
}
