// swift-format-ignore-file: ReplaceForEachWithForLoop

import Testing

@testable import Quarry

struct CursorTests {
  struct Failure: Error {}

  /// A cursor of integers that throws after the last one, and counts the calls.
  final class Counter: Cursor {
    var calls = 0
    let limit: Int
    let failsAtEnd: Bool

    init(to limit: Int, failsAtEnd: Bool = false) {
      self.limit = limit
      self.failsAtEnd = failsAtEnd
    }

    func next() throws -> Int? {
      calls += 1
      if calls <= limit { return calls }
      if failsAtEnd { throw Failure() }
      return nil
    }
  }

  @Test func `any cursor iterates sequences iterators cursors and closures`() throws {
    #expect(try Array(AnyCursor([1, 2])) == [1, 2])
    #expect(try Array(AnyCursor(iterator: [1, 2].makeIterator())) == [1, 2])
    #expect(try Array(AnyCursor(Counter(to: 2))) == [1, 2])
    var count = 0
    let cursor = AnyCursor<Int> {
      count += 1
      return count > 2 ? nil : count
    }
    #expect(try Array(cursor) == [1, 2])
  }

  @Test func `iteration stops at the end or at an error`() throws {
    let cursor = Counter(to: 2, failsAtEnd: true)
    var elements: [Int] = []
    #expect(throws: Failure.self) { try cursor.forEach { elements.append($0) } }
    #expect(elements == [1, 2])
  }

  @Test func `emptiness consumes one element`() throws {
    let cursor = Counter(to: 1)
    #expect(try !cursor.isEmpty)
    #expect(try cursor.isEmpty)
    #expect(throws: Failure.self) { try Counter(to: 0, failsAtEnd: true).isEmpty }
  }

  @Test func `searching consumes up to the answer`() throws {
    let cursor = Counter(to: 5)
    #expect(try cursor.first { $0 > 1 } == 2)
    #expect(cursor.calls == 2)
    #expect(try cursor.contains(3))
    #expect(cursor.calls == 3)
    #expect(try cursor.contains { $0 == 5 })
    #expect(try !cursor.contains(1))
  }

  @Test func `reducing combines all elements`() throws {
    #expect(try Counter(to: 3).reduce(10, +) == 16)
    #expect(try Counter(to: 3).reduce(into: []) { $0.append($1) } == [1, 2, 3])
  }

  @Test func `extremes are found`() throws {
    let words = ["b", "aa", "ccc", "dd", "e", "fff"]
    #expect(try AnyCursor(words).min() == "aa")
    #expect(try AnyCursor(words).max() == "fff")
    #expect(try AnyCursor(words).min { $0.count < $1.count } == "b")
    #expect(try AnyCursor(words).max { $0.count < $1.count } == "ccc")
    #expect(try AnyCursor([Int]()).min() == nil)
    #expect(try AnyCursor([Int]()).max() == nil)
  }

  @Test func `strings are joined`() throws {
    #expect(try AnyCursor(["a", "b"]).joined() == "ab")
    #expect(try AnyCursor(["a", "b"]).joined(separator: ", ") == "a, b")
    #expect(try AnyCursor(["a"]).joined(separator: ", ") == "a")
    #expect(try AnyCursor([String]()).joined(separator: ", ") == "")
  }

  @Test func `map filter and compact map are lazy`() throws {
    let cursor = Counter(to: 4)
    let mapped = cursor.map { $0 * 10 }.filter { $0 != 20 }.compactMap { $0 == 30 ? nil : "\($0)" }
    #expect(cursor.calls == 0)
    #expect(try mapped.next() == "10")
    #expect(cursor.calls == 1)
    #expect(try mapped.next() == "40")
    #expect(try mapped.next() == nil)
  }

  @Test func `for each of transformations calls the body for each element`() throws {
    var elements: [String] = []
    try Counter(to: 3).filter { $0 != 2 }.map { "\($0)" }.enumerated().forEach { index, element in
      elements.append("\(index):\(element)")
    }
    #expect(elements == ["0:1", "1:3"])
  }

  @Test func `errors of transformations are thrown`() {
    let fail: (Int) throws -> Bool = { _ in throw Failure() }
    #expect(throws: Failure.self) { try Counter(to: 1).map(fail).next() }
    #expect(throws: Failure.self) { try Counter(to: 1).filter(fail).next() }
    #expect(throws: Failure.self) { try Counter(to: 1).drop(while: fail).next() }
    #expect(throws: Failure.self) { try Counter(to: 1).prefix(while: fail).next() }
    #expect(throws: Failure.self) { try Counter(to: 1).first(where: fail) }
    #expect(throws: Failure.self) { try Counter(to: 1).forEach { _ in throw Failure() } }
  }

  @Test func `elements are numbered from zero`() throws {
    let cursor = AnyCursor(["a", "b"]).enumerated()
    #expect(try #require(try cursor.next()) == (0, "a"))
    #expect(try #require(try cursor.next()) == (1, "b"))
    #expect(try cursor.next() == nil)
  }

  @Test func `segments are flattened`() throws {
    #expect(try Array(Counter(to: 3).flatMap { Array(repeating: $0, count: $0 - 1) }) == [2, 3, 3])
    #expect(try Array(Counter(to: 2).flatMap { Counter(to: $0) }) == [1, 1, 2])
    #expect(try Array([1, 2].flatMap { Counter(to: $0) }) == [1, 1, 2])
    #expect(try Array(AnyCursor([[1], [], [2, 3]]).joined()) == [1, 2, 3])
    #expect(try Array(AnyCursor([Counter(to: 1), Counter(to: 2)]).joined()) == [1, 1, 2])
  }

  @Test func `first elements are dropped`() throws {
    #expect(try Array(Counter(to: 3).dropFirst()) == [2, 3])
    #expect(try Array(Counter(to: 3).dropFirst(0)) == [1, 2, 3])
    #expect(try Array(Counter(to: 3).dropFirst(2)) == [3])
    #expect(try Array(Counter(to: 3).dropFirst(4)) == [])
    let all = Counter(to: 3).dropFirst(4)
    #expect(try all.next() == nil)
    #expect(try all.next() == nil)
    #expect(try Counter(to: 3).drop { _ in true }.next() == nil)
  }

  @Test func `the predicate of drop while is not called again`() throws {
    var calls = 0
    let cursor = AnyCursor([1, 2, 1]).drop {
      calls += 1
      return $0 == 1
    }
    #expect(try Array(cursor) == [2, 1])
    #expect(calls == 2)
  }

  @Test func `prefix does not consume further elements`() throws {
    let cursor = Counter(to: 3)
    let prefix = cursor.prefix(2)
    #expect(try Array(prefix) == [1, 2])
    #expect(try prefix.next() == nil)
    #expect(cursor.calls == 2)
    #expect(try cursor.next() == 3)
    #expect(try Array(Counter(to: 2).prefix(5)) == [1, 2])
    #expect(try Array(Counter(to: 2).prefix(0)) == [])
  }

  @Test func `prefix while stops forever`() throws {
    let cursor = AnyCursor([1, 2, 1]).prefix { $0 == 1 }
    #expect(try Array(cursor) == [1])
    #expect(try cursor.next() == nil)
  }

  @Test(
    arguments: [
      (0, [1, 2, 3], []), (1, [1, 2], [3]), (2, [1], [2, 3]), (3, [], [1, 2, 3]),
      (4, [], [1, 2, 3]),
    ] as [(Int, [Int], [Int])])
  func `last elements are dropped or kept`(count: Int, dropLast: [Int], suffix: [Int]) throws {
    #expect(try Counter(to: 3).dropLast(count) == dropLast)
    #expect(try Counter(to: 3).suffix(count) == suffix)
  }

  @Test func `the last element is dropped by default`() throws {
    #expect(try Counter(to: 3).dropLast() == [1, 2])
  }

  @Test func `negative counts stop the program`() async {
    await #expect(processExitsWith: .failure) { _ = try? AnyCursor([1]).dropLast(-1) }
    await #expect(processExitsWith: .failure) { _ = try? AnyCursor([1]).suffix(-1) }
    await #expect(processExitsWith: .failure) { _ = AnyCursor([1]).dropFirst(-1) }
    await #expect(processExitsWith: .failure) { _ = AnyCursor([1]).prefix(-1) }
  }
}

struct CollectionsFromCursorsTests {
  @Test func `collections are made of cursors`() throws {
    #expect(try Array(AnyCursor([1, 2])) == [1, 2])
    #expect(try Array(AnyCursor([1, 2]), minimumCapacity: 100).capacity >= 100)
    #expect(try ContiguousArray(AnyCursor([1, 2])) == [1, 2])
    #expect(try String(AnyCursor("ab")) == "ab")
    var array = [1]
    try array.append(contentsOf: AnyCursor([2, 3]))
    #expect(array == [1, 2, 3])
  }

  @Test func `sets are made of cursors`() throws {
    #expect(try Set(AnyCursor([1, 2, 1])) == [1, 2])
    #expect(try Set(AnyCursor([1, 2, 1]), minimumCapacity: 100).capacity >= 100)
    #expect(try Set([1]).union(AnyCursor([2])) == [1, 2])
    #expect(try Set([1, 2]).intersection(AnyCursor([2, 3])) == [2])
    var set: Set = [1, 2]
    try set.formUnion(AnyCursor([3]))
    #expect(set == [1, 2, 3])
    try set.formIntersection(AnyCursor([3, 4]))
    #expect(set == [3])
  }

  @Test func `dictionaries group the elements`() throws {
    let words = ["a", "bb", "c"]
    #expect(
      try Dictionary(grouping: AnyCursor(words), by: \.count) == [1: ["a", "c"], 2: ["bb"]])
    #expect(
      try Dictionary(minimumCapacity: 10, grouping: AnyCursor(words), by: \.count)
        == [1: ["a", "c"], 2: ["bb"]])
  }

  @Test func `dictionaries have unique keys`() throws {
    let pairs = [("a", 1), ("b", 2)]
    #expect(try Dictionary(uniqueKeysWithValues: AnyCursor(pairs)) == ["a": 1, "b": 2])
    #expect(
      try Dictionary(minimumCapacity: 10, uniqueKeysWithValues: AnyCursor(pairs))
        == ["a": 1, "b": 2])
  }

  @Test func `a key that repeats is an error`() throws {
    let cursor = AnyCursor([("k", 1), ("k", 2)])
    let error = #expect(throws: DatabaseError.self) {
      try Dictionary(uniqueKeysWithValues: cursor)
    }
    #expect(error?.message == "Duplicate values for key: 'k'")
  }
}
