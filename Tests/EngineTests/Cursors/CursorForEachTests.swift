// swift-format-ignore-file: ReplaceForEachWithForLoop

import Quarry
import Testing

/// Cursors that have a loop of their own: what is made of all elements goes through it.
struct CursorForEachTests {
  private struct Failure: Error {}

  /// A cursor that has nothing but its loop.
  private final class Shelf<Element>: Cursor {
    private let elements: [Element]

    init(_ elements: [Element]) {
      self.elements = elements
    }

    func next() throws -> Element? { throw Failure() }

    func forEach(_ body: (Element) throws -> Void) throws {
      for element in elements { try body(element) }
    }
  }

  private let titles = ["Maps", "Tides", "Ferns", "Tides"]
  private var shelf: Shelf<String> { Shelf(titles) }

  @Test func `collections use the loop of the cursor`() throws {
    #expect(try Array(shelf) == titles)
    #expect(try Array(shelf, minimumCapacity: 4) == titles)
    var array = ["Atlas"]
    try array.append(contentsOf: shelf)
    #expect(array == ["Atlas"] + titles)
    #expect(try Set(shelf) == Set(titles))
    #expect(try Set(shelf, minimumCapacity: 4) == Set(titles))
    #expect(try Set(["Atlas"]).union(shelf) == Set(titles + ["Atlas"]))
    #expect(try Set(["Atlas", "Maps"]).intersection(shelf) == ["Maps"])
    var set: Set = ["Atlas", "Maps"]
    try set.formIntersection(shelf)
    #expect(set == ["Maps"])
    #expect(
      try Dictionary(grouping: shelf, by: \.count) == [
        4: ["Maps"], 5: ["Tides", "Ferns", "Tides"],
      ])
    #expect(
      try Dictionary(uniqueKeysWithValues: Shelf([("Maps", 1), ("Tides", 2)]))
        == ["Maps": 1, "Tides": 2])
    #expect(throws: (any Error).self) {
      try Dictionary(uniqueKeysWithValues: Shelf([("Maps", 1), ("Maps", 2)]))
    }
  }

  @Test func `derived cursors use the loop of their cursor`() throws {
    #expect(try Array(AnyCursor(shelf)) == titles)
    #expect(try Array(shelf.map(\.count)) == [4, 5, 5, 5])
    #expect(try Array(shelf.filter { $0 != "Tides" }) == ["Maps", "Ferns"])
    #expect(try Array(shelf.compactMap { $0 == "Tides" ? nil : $0.count }) == [4, 5])
    #expect(try Array(shelf.enumerated()).map(\.0) == [0, 1, 2, 3])
    #expect(try Array(shelf.dropFirst()) == ["Tides", "Ferns", "Tides"])
    #expect(try Array(shelf.dropFirst(3)) == ["Tides"])
    #expect(try Array(shelf.dropFirst(9)) == [])
    #expect(try Array(shelf.drop { $0 != "Ferns" }) == ["Ferns", "Tides"])
    #expect(try Array(shelf.flatMap { [$0, $0] }).count == 8)
    #expect(try Array(Shelf([shelf, shelf]).joined()) == titles + titles)
  }

  @Test func `a loop takes up where the steps before it stopped`() throws {
    let cursors: [AnyCursor<String>] = [
      AnyCursor(AnyCursor(titles).dropFirst()),
      AnyCursor(AnyCursor(titles).drop { $0 == "Maps" }),
      AnyCursor(AnyCursor([["Maps"], ["Tides", "Ferns"], ["Tides"]]).joined().dropFirst()),
    ]
    for cursor in cursors {
      #expect(try cursor.next() == "Tides")
      #expect(try Array(cursor) == ["Ferns", "Tides"])
      #expect(try cursor.next() == nil)
    }
  }

  @Test func `the error of a loop is thrown`() {
    #expect(throws: Failure.self) { try shelf.map { _ in throw Failure() }.forEach { (_: Int) in } }
    #expect(throws: Failure.self) { try Array(shelf.prefix(2)) }
  }
}
