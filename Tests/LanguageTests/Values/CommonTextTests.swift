import Foundation
import QuarryTestSupport
import Testing

@testable import Quarry

/// Texts of dates and numbers in their common forms have parsers of their own, which agree with
/// those of all forms.
struct CommonTextTests {
  private func bits<Value>(_ value: Value) -> [UInt8] {
    withUnsafeBytes(of: value) { Array($0) }
  }

  private func short(_ text: String) -> Decimal? {
    text.withUTF8Bytes { Decimal(shortText: $0) }
  }

  private func common(_ text: String) -> Int64? {
    text.withUTF8Bytes { DateText.commonMilliseconds(utf8: $0) }
  }

  @Test(arguments: [
    "0", "-0", "0.00", "7", "-7", "007", "1200", "12.50", "-0.05", ".5", "5.", "1000000.000",
    "9223372036854775807", "9999999999999999999", "0.12345678901234567",
  ])
  func `short decimals have the bits of the general parser`(text: String) throws {
    #expect(bits(try #require(short(text))) == bits(try #require(DecimalText(text)?.decimal)))
  }

  @Test(arguments: [
    "", "-", ".", "-.", "+5", " 5", "5 ", "1e3", "1.2.3", "--1", "1-", "1,5", "0x10",
    "10000000000000000000", "-9999999999999999999",
  ])
  func `other texts are left to the general parser`(text: String) {
    #expect(short(text) == nil)
  }

  @Test func `random texts of digits, signs and points`() throws {
    let run = RandomRun("common decimals")
    var random = run.generator
    var shortCount = 0
    for _ in 0..<20_000 {
      let alphabet = random.chance(4) ? "0123456789.-+e " : "00123456789."
      let sign = random.chance(3) ? "-" : ""
      let text = sign + String((0..<random.below(23)).map { _ in random.pick(alphabet) })
      guard let decimal = short(text) else { continue }
      shortCount += 1
      let general = try #require(DecimalText(text)?.decimal, "'\(text)', seed \(run.seed)")
      #expect(bits(decimal) == bits(general), "'\(text)', seed \(run.seed)")
    }
    #expect(shortCount > 2000)
  }

  @Test func `random amounts come back as they were`() throws {
    let run = RandomRun("amounts")
    var random = run.generator
    try DatabaseQueue().inDatabase { db throws in
      for _ in 0..<2000 {
        let digits = Int64.random(in: -999_999_999_999...999_999_999_999, using: &random)
        let amount = Decimal(digits) * pow(10, -random.below(8))
        let read = try Decimal.fetchOne(db, sql: "SELECT ?", arguments: [amount])
        #expect(read.map(bits) == bits(amount), "\(amount), seed \(run.seed)")
      }
    }
  }

  @Test(arguments: [
    "2025-11-22", "2025-11-22 17:40:01", "2025-11-22 17:40:01.250", "1583-01-01",
    "9999-12-31 23:59:59.999", "2000-02-29", "2001-02-29", "2020-12-99 99:99:99.999",
  ])
  func `common dates have the instant of the general parser`(text: String) throws {
    let general = try #require(DateText(text)?.millisecondsSince1970)
    #expect(common(text) == general)
  }

  @Test(arguments: [
    "", "2025", "1582-12-31", "2025-00-10", "2025-13-10", "2025-11-22T17:40:01", "2025-11-22 17:40",
    "2025-11-22 17:40:01Z", "2025-11-22 17:40:01.25", "2025-11-22 17:40:01.250Z", "2025/11/22",
    "2025-11-2a", "2025-11-22 17:40:0/", "2025-11-22 17:40:01.2:0", "+025-11-22",
  ])
  func `other dates are left to the general parser`(text: String) {
    #expect(common(text) == nil)
  }

  @Test func `random dates, with mistakes`() throws {
    let run = RandomRun("common dates")
    var random = run.generator
    var commonCount = 0
    for _ in 0..<20_000 {
      var bytes = Array(dateText(&random).utf8)
      if random.chance(3) { bytes[random.below(bytes.count)] = random.pick("09/:-. Tx".utf8) }
      let text = String(decoding: bytes, as: UTF8.self)
      guard let milliseconds = common(text) else { continue }
      commonCount += 1
      #expect(
        DateText(text)?.millisecondsSince1970 == milliseconds, "'\(text)', seed \(run.seed)")
    }
    #expect(commonCount > 5000)
  }

  private func dateText(_ random: inout SplitMix64) -> String {
    let date = String(
      format: "%04d-%02d-%02d", 1500 + random.below(8500), random.below(14), random.below(33))
    let time = String(
      format: " %02d:%02d:%02d", random.below(25), random.below(61), random.below(61))
    return switch random.below(4) {
    case 0: date
    case 1: date + time
    case 2: date + time + String(format: ".%03d", random.below(1000))
    default: date + time + random.pick([".5", "Z", "+02:00", ".1234"])
    }
  }
}
