import Testing

@testable import Quarry

struct KeyByteTests {
  private enum OneKey: String, CodingKey { case only }

  private enum ThreeKeys: String, CodingKey, CaseIterable { case first, second, third }

  /// 256 keys, as the largest enumeration of one byte has.
  private struct ByteKey: CodingKey {
    let content: UInt8

    init(_ content: UInt8) {
      self.content = content
    }

    init?(intValue: Int) {
      return nil
    }

    init?(stringValue: String) {
      guard let content = UInt8(stringValue) else { return nil }
      self.content = content
    }

    var intValue: Int? { nil }

    var stringValue: String { "\(content)" }
  }

  private struct NameKey: CodingKey {
    let stringValue: String

    init(stringValue: String) {
      self.stringValue = stringValue
    }

    init?(intValue: Int) {
      return nil
    }

    var intValue: Int? { nil }
  }

  private func number<Key: CodingKey>(_ key: Key) -> UInt8 { key.byte }

  @Test func `different keys have different numbers`() {
    #expect(OneKey.isByte)
    #expect(number(OneKey.only) == 0)
    #expect(ThreeKeys.isByte)
    #expect(Set(ThreeKeys.allCases.map(number)).count == 3)
    #expect(Set((0...UInt8.max).map { number(ByteKey($0)) }).count == 256)
  }

  @Test func `larger keys, and those with references, have none`() {
    #expect(!NameKey.isByte)
  }
}
