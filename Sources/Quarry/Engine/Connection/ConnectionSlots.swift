// What floors above keep on a connection: compiled queries, record types. The connection knows when
// it ends, and nothing else of it.

/// An object that a floor above keeps on a connection. It is made when it is first needed.
class ConnectionStore {
  required init() {}

  /// Forgets what depends on the schema and on statements of the connection.
  func empty() {}

  /// Forgets what is only good as long as the schema needs not be verified.
  func doubtSchema() {}
}

/// The slots of a connection.
final class ConnectionSlots {
  static let count = 2
  private let slots = TypedSlots<ConnectionStore>(count: count)
  /// The stores that all threads use.
  private let shared = Locked<[ObjectIdentifier: ConnectionStore]>([:])

  /// The store of a key, for the thread of the connection.
  @inline(__always) subscript<Store: ConnectionStore>(key: SlotKey<Store>) -> Store {
    slots[key] ?? make(key)
  }

  private func make<Store: ConnectionStore>(_ key: SlotKey<Store>) -> Store {
    let store = Store()
    slots.fill(key, store)
    return store
  }

  /// Calls `body` with the store of a key, which is not counted meanwhile.
  @inline(__always) func use<Store: ConnectionStore, T>(
    _ key: SlotKey<Store>, _ body: (Store) throws -> T
  ) rethrows -> T {
    if let result = try slots.use(key, body) { return result }
    return try body(make(key))
  }

  /// The store of a type, for all threads.
  func shared<Store: ConnectionStore & Sendable>(_ type: Store.Type) -> Store {
    shared.withLock { stores in
      if let store = stores[ObjectIdentifier(type)] as? Store { return store }
      let store = Store()
      stores[ObjectIdentifier(type)] = store
      return store
    }
  }

  func empty() { slots.forEach { $0.empty() } }

  func doubtSchema() { slots.forEach { $0.doubtSchema() } }
}
