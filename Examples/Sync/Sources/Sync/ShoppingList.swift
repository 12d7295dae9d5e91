import Foundation
import Quarry
import QuarryChanges

/// A store where things are bought.
struct Store: Codable, Identifiable, FetchableRecord, PersistableRecord {
  var id: String
  var name: String
}

/// A thing to buy.
struct Item: Codable, Identifiable, FetchableRecord, PersistableRecord {
  var id: String
  var storeId: String?
  var title: String
  var amount: Int
  var isDone: Bool
}

/// A shopping list of which each member of a household has a copy.
///
/// Keys are random, since two members add items at the same time.
struct ShoppingList {
  let database: DatabaseQueue
  let log: ChangeLog

  /// Opens the list of a member in a file.
  init(path: String, member: String, policy: Policy = .lastWriterWins) throws {
    var configuration = Configuration()
    configuration.busyMode = .timeout(10)
    configuration.journalMode = .wal
    try self.init(
      DatabaseQueue(path: path, configuration: configuration), member: member, policy: policy)
  }

  init(_ database: DatabaseQueue, member: String, policy: Policy = .lastWriterWins) throws {
    self.database = database
    try Self.migrator.migrate(database)
    log = try ChangeLog(
      database, tables: ["store", "item"], identity: member, policy: policy.conflictPolicy)
  }

  private static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("list") { db in
      try db.create(table: "store") { t in
        t.primaryKey("id", .text)
        t.column("name", .text).notNull().unique()
      }
      try db.create(table: "item") { t in
        t.primaryKey("id", .text)
        t.column("storeId", .text).references("store", onDelete: .setNull)
        t.column("title", .text).notNull()
        t.column("amount", .integer).notNull()
        t.column("isDone", .boolean).notNull()
      }
    }
    return migrator
  }
}

/// What an item is after two members have changed it.
enum Policy: String, CaseIterable {
  /// What the last one of them has written.
  case lastWriterWins
  /// It is done if one has done it, the amount is the larger one, and it is deleted if all have
  /// deleted it.
  case merge

  var conflictPolicy: ConflictPolicy {
    switch self {
    case .lastWriterWins: .lastWriterWins
    case .merge: ConflictPolicy(Self.merge)
    }
  }

  private static func merge(_ conflict: RowConflict) throws -> Row? {
    let rows = conflict.versions.compactMap(\.row)
    guard conflict.table == "item", var item = try rows.last.map(Item.init(row:)) else {
      return rows.last
    }
    for other in try rows.map(Item.init(row:)) {
      item.amount = max(item.amount, other.amount)
      item.isDone = item.isDone || other.isDone
    }
    return try Row(item.databaseDictionary)
  }
}
