import Testing

@testable import Quarry

struct KeyByteTests {
  private enum OneKey: String, CodingKey { case only }

  private enum ThreeKeys: String, CodingKey, CaseIterable { case first, second, third }

  private enum BoolKeys: CodingKey { case yes, no }

  private enum NoKey: CodingKey {}

  /// An enumeration with associated values, of one byte.
  private enum NestedKey: CodingKey {
    case inner(ThreeKeys)
    case outer(Bool)

    init?(stringValue: String) { return nil }

    init?(intValue: Int) { return nil }

    var intValue: Int? { nil }

    var stringValue: String { "" }
  }

  private struct StructureKey: CodingKey {
    let content: ThreeKeys

    init?(stringValue: String) { return nil }

    init?(intValue: Int) { return nil }

    var intValue: Int? { nil }

    var stringValue: String { content.stringValue }
  }

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

  @Test func `the keys of enumerations are known`() {
    #expect(ThreeKeys.allKeys == ThreeKeys.allCases)
    #expect(BoolKeys.allKeys == [.yes, .no])
  }

  @Test func `the keys of other types are not known`() {
    #expect(OneKey.allKeys == nil)
    #expect(NoKey.allKeys == nil)
    #expect(ByteKey.allKeys == nil)
    #expect(NameKey.allKeys == nil)
    #expect(NestedKey.allKeys == nil)
    #expect(StructureKey.allKeys == nil)
  }
}
