import Foundation
import Quarry
import Testing

@testable import Sync

/// The copies of two members in memory, and a mailbox in a directory.
final class ShoppingListTests {
  private let directory: URL
  private var mailbox: Mailbox { Mailbox(directory: directory) }

  init() throws {
    directory = FileManager.default.temporaryDirectory
      .appendingPathComponent("sync-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: directory) }

  private func makeLists(_ policy: Policy = .lastWriterWins) throws -> (ShoppingList, ShoppingList)
  {
    (
      try ShoppingList(DatabaseQueue(), member: "ann", policy: policy),
      try ShoppingList(DatabaseQueue(), member: "bob", policy: policy)
    )
  }

  private func exchange(_ ann: ShoppingList, _ bob: ShoppingList) throws {
    for _ in 0..<3 {
      try ann.exchange(with: "bob", through: mailbox)
      try bob.exchange(with: "ann", through: mailbox)
    }
  }

  private func items(_ list: ShoppingList) throws -> [String] {
    try list.database.read { db in
      try Item.order(Column("id")).fetchAll(db).map { "\($0.id) \($0.amount) \($0.isDone)" }
    }
  }

  private func insert(_ list: ShoppingList, _ id: String, _ storeId: String? = nil) throws {
    try list.database.write { db in
      try Item(id: id, storeId: storeId, title: id, amount: 1, isDone: false).insert(db)
    }
  }

  private func change(_ list: ShoppingList, _ id: String, _ change: (inout Item) -> Void) throws {
    try list.database.write { db in
      var item = try #require(try Item.fetchOne(db, key: id))
      change(&item)
      try item.update(db)
    }
  }

  @Test func `items come to the other member, and letters end when all is confirmed`() throws {
    let (ann, bob) = try makeLists()
    try insert(ann, "milk")
    try insert(bob, "tea")
    #expect(try !ann.exchange(with: "bob", through: mailbox))
    try exchange(ann, bob)
    for list in [ann, bob] { try #expect(items(list) == ["milk 1 false", "tea 1 false"]) }
    #expect(try ann.exchange(with: "bob", through: mailbox))
    // What all have is no longer in the log.
    try ann.database.read { db in
      try #expect(Int.fetchOne(db, sql: "SELECT count(*) FROM changeLog") == 0)
    }
  }

  @Test func `the last writer wins`() throws {
    let (ann, bob) = try makeLists()
    try insert(ann, "milk")
    try exchange(ann, bob)
    try change(ann, "milk") { $0.amount = 5 }
    try change(bob, "milk") { $0.isDone = true }
    try exchange(ann, bob)
    for list in [ann, bob] { try #expect(items(list) == ["milk 1 true"]) }
  }

  @Test func `a policy merges items`() throws {
    let (ann, bob) = try makeLists(.merge)
    try insert(ann, "milk")
    try insert(ann, "tea")
    try exchange(ann, bob)
    try change(ann, "milk") { $0.amount = 5 }
    try change(bob, "milk") { $0.isDone = true }
    try change(bob, "tea") { $0.amount = 2 }
    _ = try ann.database.write { db in try Item.deleteOne(db, key: "tea") }
    try exchange(ann, bob)
    for list in [ann, bob] { try #expect(items(list) == ["milk 5 true", "tea 2 false"]) }
  }

  @Test
  func `a store that both add is one, and an item of the other one comes back with its store`()
    throws
  {
    let (ann, bob) = try makeLists()
    try ann.database.write { db in try Store(id: "a", name: "baker").insert(db) }
    try insert(ann, "bread", "a")
    try bob.database.write { db in try Store(id: "b", name: "baker").insert(db) }
    try exchange(ann, bob)
    for list in [ann, bob] {
      try list.database.read { db in try #expect(Store.fetchAll(db).map(\.id) == ["b"]) }
      try #expect(items(list) == [])
    }
    try ann.database.write { db in
      try db.execute(sql: "UPDATE store SET name = 'market' WHERE id = 'b'")
    }
    try exchange(ann, bob)
    for list in [ann, bob] {
      try list.database.read { db in
        try #expect(Set(Store.fetchAll(db).map(\.id)) == ["a", "b"])
      }
      try #expect(items(list) == ["bread 1 false"])
    }
  }
}
