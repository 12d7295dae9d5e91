import Quarry
import QuarryTestSupport
import Testing

@testable import QuarryChanges

/// How lists change.
@Suite struct ListChangeTests {
  private struct Item: Identifiable, Equatable, Sendable {
    let id: Int
    var name = ""
  }

  @Test func `insertions, removals, moves, and updates`() throws {
    let old = [Item(id: 1), Item(id: 2), Item(id: 3)]
    let new = [Item(id: 3), Item(id: 1, name: "new"), Item(id: 4)]
    let change = ListChange(from: old, to: new)
    #expect(change.elements == new)
    #expect(change.updates == [Item(id: 1, name: "new")])
    #expect(old.map(\.id).applying(ids(change.difference)) == [3, 1, 4])
    let inserted = change.difference.insertions.map(Self.element)
    let removed = change.difference.removals.map(Self.element)
    #expect(inserted.contains { $0.element == Item(id: 4) && !$0.isMove })
    #expect(removed.contains { $0.element == Item(id: 2) && !$0.isMove })
    // Either the first or the last one has moved.
    #expect(inserted.count(where: \.isMove) == 1)
    #expect(removed.count(where: \.isMove) == 1)
  }

  private static func element(
    of change: CollectionDifference<Item>.Change
  ) -> (element: Item, isMove: Bool) {
    switch change {
    case .insert(_, let element, let other), .remove(_, let element, let other):
      (element, other != nil)
    }
  }

  private func ids(_ difference: CollectionDifference<Item>) -> CollectionDifference<Int> {
    CollectionDifference(
      difference.map { change in
        switch change {
        case .insert(let offset, let element, let other):
          .insert(offset: offset, element: element.id, associatedWith: other)
        case .remove(let offset, let element, let other):
          .remove(offset: offset, element: element.id, associatedWith: other)
        }
      }) ?? [].difference(from: [])
  }

  @Test func `equal lists have no change`() {
    let list = [Item(id: 1), Item(id: 2)]
    #expect(ListChange(from: list, to: list).isEmpty)
  }

  @Test(arguments: [ConnectionKind.queue, .pool])
  func `an observation reports the changes of a list`(kind: ConnectionKind) async throws {
    try await kind.withDatabase { writer async throws in
      try await writer.write { db in
        try db.execute(
          sql: """
            CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT);
            INSERT INTO item (name) VALUES ('b'), ('c');
            """)
      }
      let observation = ValueObservation.tracking { db in
        try Row.fetchAll(db, sql: "SELECT id, name FROM item ORDER BY name").map { row in
          Item(id: row["id"], name: row["name"])
        }
      }
      var changes = observation.differences().values(in: writer).makeAsyncIterator()
      let first = try #require(try await changes.next())
      #expect(first.difference.insertions.count == 2)
      #expect(first.updates == [])
      try await writer.write { db in try db.execute(sql: "UPDATE item SET name = name") }
      try await writer.write { db in
        try db.execute(
          sql: "INSERT INTO item (name) VALUES ('a'); UPDATE item SET name = 'd' WHERE id = 2")
      }
      let second = try #require(try await changes.next())
      #expect(second.elements.map(\.id) == [3, 1, 2])
      #expect(
        second.difference.insertions == [
          .insert(offset: 0, element: Item(id: 3, name: "a"), associatedWith: nil)
        ])
      #expect(second.difference.removals == [])
      #expect(second.updates == [Item(id: 2, name: "d")])
    }
  }
}
