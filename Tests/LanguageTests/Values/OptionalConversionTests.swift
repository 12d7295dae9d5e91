import Foundation
import Testing

@testable import Quarry

struct OptionalConversionTests {
  @Test func `nil is stored as null`() {
    #expect(Int?.none.databaseValue == .null)
    #expect(Int?(12).databaseValue.storage == .int64(12))
    #expect(String??.some(.none).databaseValue == .null)
  }

  @Test func `null converts to nil`() {
    let decoded: Int?? = Int?.fromDatabaseValue(.null)
    #expect(decoded == .some(nil))
  }

  @Test func `values that do not convert are failures and not nil`() {
    #expect(Int?.fromDatabaseValue(12.databaseValue) == .some(12))
    #expect(Int?.fromDatabaseValue("a".databaseValue) == .none)
  }

  @Test func `only optionals accept missing columns`() {
    #expect(Int?.fromMissingColumn() == .some(nil))
    #expect(Int.fromMissingColumn() == nil)
    #expect(DatabaseValue.fromMissingColumn() == nil)
  }
}

struct DecodingPlaceholderTests {
  static let types: [Any.Type] = [
    Bool.self, Int.self, Int8.self, Int16.self, Int32.self, Int64.self, UInt.self, UInt8.self,
    UInt16.self, UInt32.self, UInt64.self, Float.self, Double.self, CGFloat.self, Decimal.self,
    String.self, Data.self, Date.self, UUID.self, URL.self, DatabaseValue.self,
    DatabaseDateComponents.self, [Int].self, Set<Int>.self, [String: Int].self, Thread?.self,
  ]

  private func hasPlaceholder<Value>(_ type: Value.Type) -> Bool { Placeholder.make(type) != nil }

  @Test func `built in types have a placeholder`() {
    for type in Self.types {
      let isFound = hasPlaceholder(type)
      #expect(isFound, "\(type)")
    }
    #expect(Placeholder.make(Thread.self) == nil)
  }

  @Test func `the placeholder of an optional is nil`() {
    #expect(Placeholder.make(Int?.self) == .some(nil))
    #expect(Placeholder.make(Int.self) == 0)
    #expect(Placeholder.make(String.self) == "")
  }
}
