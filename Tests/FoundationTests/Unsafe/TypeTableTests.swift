import Foundation
import Testing

@testable import Quarry

struct TypeTableTests {
  @Test func `the value of a type is made once`() {
    let table = TypeTable<Int>()
    #expect(table.value(of: Int.self) { 1 } == 1)
    #expect(table.value(of: Int.self) { 2 } == 1)
    #expect(table.value(of: String.self) { 3 } == 3)
    #expect(table.value(of: Int.self) { 4 } == 1)
  }

  @Test func `more types than places have their values`() {
    let table = TypeTable<Int>()
    let types = Self.nestedTypes(count: 300)
    for _ in 1...2 {
      for (index, type) in types.enumerated() {
        #expect(table.value(of: type) { index } == index)
      }
    }
    for (index, type) in types.enumerated() {
      #expect(table.value(of: type) { -1 } == index)
    }
  }

  @Test func `threads find the same values`() {
    let table = TypeTable<Token>()
    let types = Self.nestedTypes(count: 300)
    let values = types.map { type in table.value(of: type) { Token() } }
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for (type, value) in zip(Self.nestedTypes(count: 300), values) {
        #expect(table.value(of: type) { Token() } === value)
      }
    }
  }

  private final class Token: Sendable {}

  /// `Int`, `[Int]`, `[[Int]]`, and so on.
  private static func nestedTypes(count: Int) -> [Any.Type] {
    func wrapped<T>(_ type: T.Type) -> Any.Type { [T].self }
    var types: [Any.Type] = []
    var type: Any.Type = Int.self
    for _ in 0..<count {
      types.append(type)
      type = _openExistential(type, do: wrapped)
    }
    return types
  }
}
