import Foundation
import Quarry

extension ShoppingList {
  /// Changes items and stores in a transaction, and adds an item that nobody changes.
  ///
  /// - parameter didCommit: Called with the key of the item.
  func changeAtRandom(_ didCommit: (String) -> Void) throws {
    let id = "kept \(UUID().uuidString)"
    try database.write { db in
      try Item(id: id, storeId: nil, title: "kept", amount: 1, isDone: false).insert(db)
      for _ in 0..<Int.random(in: 1...3) { try Self.changeAtRandom(db) }
    }
    didCommit(id)
  }

  private static func changeAtRandom(_ db: Database) throws {
    let name = ["baker", "grocer", "market"].randomElement() ?? ""
    let itemId = "item \(Int.random(in: 1...6))"
    let store = try Store.filter(Column("name") == name).fetchOne(db)
    switch Int.random(in: 0..<6) {
    case 0:
      // Both members may add the same store, and with it its unique name.
      if store == nil { try Store(id: UUID().uuidString, name: name).insert(db) }
    case 1: try store?.delete(db)
    case 2: try Item.deleteOne(db, key: itemId)
    case 3:
      guard var item = try Item.fetchOne(db, key: itemId) else { return }
      item.amount += 1
      item.isDone.toggle()
      try item.update(db)
    default:
      try Item(
        id: itemId, storeId: store?.id, title: name, amount: Int.random(in: 1...9), isDone: false
      ).save(db)
    }
  }
}
