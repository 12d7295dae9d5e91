import Foundation
import QuarryTestSupport
import Testing

@testable import Quarry

/// What floors above keep on a connection.
struct ConnectionSlotsTests {
  @Test func `each key has a slot of its own`() {
    let numbers = [
      SlotKey<CompiledQueryCache>.compiledQueries.number,
      SlotKey<PersistenceCache>.recordTypes.number,
    ]
    #expect(numbers.sorted() == Array(0..<ConnectionSlots.count))
  }

  @Test func `an object stays in its slot`() {
    let slots = TypedSlots<NSObject>(count: 2)
    let key = SlotKey<NSMutableString>(number: 1)
    #expect(slots[key] == nil)
    let object = NSMutableString(string: "kept")
    slots.fill(key, object)
    #expect(slots[key] === object)
    #expect(slots[SlotKey<NSMutableString>(number: 0)] == nil)
  }

  @Test func `stores are emptied with the statements of the connection`() throws {
    try DatabaseQueue().inDatabase { db in
      let store = db.compiledQueries
      let types = db.persistenceCache
      for _ in 0..<2 { _ = try Table("sqlite_master").fetchCount(db) }
      #expect(store.count == 1)
      let generation = types.generation
      try db.execute(sql: "CREATE TABLE book (id INTEGER PRIMARY KEY)")
      #expect(store.count == 0)
      #expect(types.generation > generation)
      #expect(db.compiledQueries === store)
      #expect(db.persistenceCache === types)
    }
  }

  @Test func `all threads get the same shared store`() {
    nonisolated(unsafe) let slots = ConnectionSlots()
    let found = Locked<Set<ObjectIdentifier>>([])
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      let store = slots.shared(SharedStore.self)
      found.withLock { _ = $0.insert(ObjectIdentifier(store)) }
    }
    #expect(found.withLock { $0.count } == 1)
  }
}

private final class SharedStore: ConnectionStore, @unchecked Sendable {}
