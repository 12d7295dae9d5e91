import Dispatch
import Testing

@testable import Quarry

private enum Shelf<Content> {}

@Suite("Names of types")
struct TypeNamesTests {
  /// 4,096 types: four for each place of the table.
  private static let types: [Any.Type] = {
    var types: [Any.Type] = [Shelf<Int>.self]
    func nest<T>(_ type: T.Type) -> [Any.Type] { [Shelf<T>.self, [T].self] }
    for _ in 0..<12 { types = types.flatMap { _openExistential($0, do: nest) } }
    return types
  }()

  @Test
  func `each type has its name, computed once, also where places are taken`() {
    let names = TypeNames()
    var count = 0
    for _ in 0..<2 {
      for type in Self.types {
        let name = names.name(of: type) {
          count += 1
          return "\(type)"
        }
        #expect(name == "\(type)")
      }
    }
    #expect(Set(Self.types.map(ObjectIdentifier.init)).count == 4096)
    #expect(count == 4096)
  }

  @Test
  func `threads that ask for the same names get them`() {
    let names = TypeNames()
    let types = Self.types.prefix(512)
    let expected = types.map { "\($0)" }
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for (index, type) in types.enumerated() {
        #expect(names.name(of: type) { "\(type)" } == expected[index])
      }
    }
  }
}
