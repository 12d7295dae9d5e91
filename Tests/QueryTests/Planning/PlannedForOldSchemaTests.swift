import Quarry
import QuarryMigrations
import QuarryTestSupport
import Testing

/// Requests and records that would be planned with keys that another connection, or a rollback, has
/// replaced.
@Suite("Plans and changes of the schema")
struct PlannedForOldSchemaTests {
  /// The key is `a` at first, then `b`.
  struct Item: Codable, FetchableRecord, PersistableRecord, Equatable {
    var a: Int
    var b: Int
  }

  static let newKey = """
    CREATE TABLE new (a INTEGER NOT NULL, b INTEGER PRIMARY KEY);
    INSERT INTO new SELECT a, b FROM item;
    DROP TABLE item;
    ALTER TABLE new RENAME TO item;
    """

  /// Who looks up by key before and after the change, and how.
  enum Access: CaseIterable {
    case read, write, inDatabase, transactionsOfOneAccess, savepointsOfOneAccess
    case deferredTransaction, deferredTransactionOfOneAccess, begin, savepoint
  }

  func withItems(
    _ configuration: Configuration = Configuration(),
    _ body: (_ queue: DatabaseQueue, _ changeKey: () throws -> Void) throws -> Void
  ) throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/library.sqlite"
      let other = try DatabaseQueue(path: path)
      try other.write { db in
        try db.execute(
          sql: """
            CREATE TABLE item (a INTEGER PRIMARY KEY, b INTEGER NOT NULL);
            INSERT INTO item VALUES (1, 2), (2, 1);
            """)
      }
      try body(DatabaseQueue(path: path, configuration: configuration)) {
        try other.write { db in try db.execute(sql: Self.newKey) }
      }
    }
  }

  /// Calls `before`, changes the key, and calls `after`.
  private func run(
    _ access: Access, before: (Database) throws -> Void, after: (Database) throws -> Void
  ) throws {
    try withItems { queue, changeKey in
      switch access {
      case .read:
        try queue.read(before)
        try changeKey()
        try queue.read(after)
      case .write:
        try queue.write(before)
        try changeKey()
        try queue.write(after)
      case .inDatabase:
        try queue.inDatabase(before)
        try changeKey()
        try queue.inDatabase(after)
      case .transactionsOfOneAccess:
        try queue.inDatabase { db in
          try before(db)
          try changeKey()
          try db.inTransaction {
            try after(db)
            return .commit
          }
        }
      case .savepointsOfOneAccess:
        try queue.inDatabase { db in
          try db.inSavepoint {
            try before(db)
            return .commit
          }
          try changeKey()
          try after(db)
        }
      case .deferredTransaction:
        try queue.inDatabase(before)
        try changeKey()
        try queue.inDatabase { db in try runDeferred(db, after) }
      case .deferredTransactionOfOneAccess:
        try queue.inDatabase { db in
          try before(db)
          try changeKey()
          try runDeferred(db, after)
        }
      case .begin, .savepoint:
        try queue.inDatabase(before)
        try changeKey()
        try queue.inDatabase { db in
          try db.execute(sql: access == .begin ? "BEGIN" : "SAVEPOINT loans")
          try after(db)
          try db.execute(sql: access == .begin ? "COMMIT" : "RELEASE loans")
        }
      }
    }
  }

  func runDeferred(_ db: Database, _ body: (Database) throws -> Void) throws {
    try db.inTransaction(.deferred) {
      try body(db)
      return .commit
    }
  }

  @Test(arguments: Access.allCases)
  func `a request by key asks for the new key`(access: Access) throws {
    try run(access) { db throws in
      #expect(try Item.fetchOne(db, key: 1) == Item(a: 1, b: 2))
    } after: { db throws in
      #expect(try Item.fetchOne(db, key: 1) == Item(a: 2, b: 1))
    }
  }

  @Test(arguments: Access.allCases.filter { $0 != .read })
  func `a record is updated by its new key`(access: Access) throws {
    try run(access) { db in
      try Item(a: 1, b: 2).update(db)
    } after: { db throws in
      // Writes nothing where `a` is taken for the key: the row with `a` 3 does not exist.
      try Item(a: 3, b: 2).update(db)
      #expect(
        try Item.order(Column("b")).fetchAll(db) == [Item(a: 2, b: 1), Item(a: 3, b: 2)])
    }
  }

  /// A request for it learns of a change of the key of `item` in the middle of planning, after the
  /// look-up of the key: by its look-up of `shelf`, which was no table before.
  private let ofShelf = Item.filter(key: 1).filter(Table("shelf").filter(key: 1).exists())

  private func withNewShelf(
    before: (Database) throws -> Void = { _ in }, _ body: (Database) throws -> Void,
    later: (Database) throws -> Void = { _ in }
  ) throws {
    try withItems { queue, changeKey in
      try queue.inDatabase { db throws in
        #expect(try Item.fetchOne(db, key: 1) == Item(a: 1, b: 2))
        try before(db)
        try changeKey()
        try DatabaseQueue(path: queue.path).write { db in
          try db.execute(
            sql: "CREATE TABLE shelf (id INTEGER PRIMARY KEY); INSERT INTO shelf VALUES (1)")
        }
        try body(db)
      }
      try queue.read(later)
    }
  }

  /// What comes for the second time is remembered.
  @Test(arguments: [0, 1, 2])
  func `a request that meets a change of the schema while it is planned asks for the new key`(
    earlierTries: Int
  ) throws {
    try withNewShelf { db in
      for _ in 0..<earlierTries {
        #expect(throws: DatabaseError.self) { try ofShelf.fetchOne(db) }
      }
    } _: { db throws in
      #expect(try ofShelf.fetchOne(db) == Item(a: 2, b: 1))
    } later: { db throws in
      for _ in 1...3 { #expect(try ofShelf.fetchOne(db) == Item(a: 2, b: 1)) }
    }
  }

  /// What is done with a request, other than to fetch its rows.
  enum Action: CaseIterable { case count, sql, execution, deletion, update }

  @Test(arguments: Action.allCases)
  func `what meets a change of the schema while it is planned asks for the new key`(
    action: Action
  ) throws {
    try withNewShelf { db throws in
      switch action {
      case .count: #expect(try ofShelf.filter(Column("a") == 2).fetchCount(db) == 1)
      case .sql: #expect(try SQLRequest<Item>("\(ofShelf)").fetchAll(db) == [Item(a: 2, b: 1)])
      case .execution:
        try db.execute(literal: "DELETE FROM item WHERE a IN (\(ofShelf.select(Column("a"))))")
        #expect(try Item.fetchAll(db) == [Item(a: 1, b: 2)])
      case .deletion: #expect(try ofShelf.deleteAndFetchAll(db) == [Item(a: 2, b: 1)])
      case .update:
        let updated = try ofShelf.updateAndFetchAll(db, [Column("a").set(to: 7)])
        #expect(updated == [Item(a: 7, b: 1)])
      }
    }
  }

  @Test func `a request is planned anew only where the schema changes between two look-ups`() throws
  {
    let calls = Log<Int>()
    let counted = { (request: QueryInterfaceRequest<Item>) in
      request.filterWhenConnected { _ in
        calls.append(1)
        return Column("a") > 0
      }
    }
    try withNewShelf { db throws in
      #expect(try counted(ofShelf).fetchOne(db) == Item(a: 2, b: 1))
    }
    #expect(calls.elements == [1, 1])
    try withItems { queue, changeKey in
      let request = counted(Item.filter(key: 1))
      calls.removeAll()
      try queue.read { db throws in #expect(try request.fetchOne(db) == Item(a: 1, b: 2)) }
      #expect(calls.elements == [1])
      try changeKey()
      try queue.read { db throws in #expect(try request.fetchOne(db) == Item(a: 2, b: 1)) }
      #expect(calls.elements == [1, 1])
    }
  }

  @Test func `the version of the schema is asked for once in an access, and in a transaction`()
    throws
  {
    let recorder = SQLRecorder()
    let version = "PRAGMA main.schema_version"
    try withItems(recorder.recording()) { queue, _ in
      try queue.read { db in _ = try Item.fetchOne(db, key: 1) }
      _ = recorder.take()
      try queue.read { db in
        for key in 1...3 { _ = try Item.fetchOne(db, key: key) }
      }
      let select = #"SELECT * FROM "item" WHERE "a" = ?"#
      #expect(
        recorder.take() == [
          "BEGIN DEFERRED TRANSACTION", version, select, select, select, "COMMIT TRANSACTION",
        ])
      try queue.inDatabase { db in _ = try Item.fetchOne(db, key: 1) }
      _ = recorder.take()
      try queue.inDatabase { db in
        for key in 1...2 { _ = try Item.fetchOne(db, key: key) }
        try db.inTransaction {
          for key in 1...2 { _ = try Item.fetchOne(db, key: key) }
          return .commit
        }
      }
      #expect(recorder.take().filter { $0 == version }.count == 2)
      try queue.read { db in try db.execute(sql: "SELECT a FROM item") }
      #expect(!recorder.take().contains(version))
    }
  }

  @Test(arguments: Access.allCases.filter { $0 != .read })
  func `a record is deleted by its new key`(access: Access) throws {
    try run(access) { db throws in
      #expect(try Item.fetchOne(db, key: 1) == Item(a: 1, b: 2))
    } after: { db throws in
      #expect(try Item.deleteOne(db, key: 1))
      #expect(try Item.fetchAll(db) == [Item(a: 1, b: 2)])
    }
  }

  /// The first statement takes the lock: it is planned before the schema can be read.
  @Test(arguments: [false, true])
  func `a deferred transaction is not committed where the schema has changed since its beginning`(
    asksAgain: Bool
  ) throws {
    try withItems { queue, changeKey in
      try queue.inDatabase { db throws in
        #expect(try Item.fetchOne(db, key: 1) == Item(a: 1, b: 2))
        let text = errorText {
          try db.inTransaction(.deferred) {
            try changeKey()
            _ = try Item.deleteOne(db, key: 1)
            if asksAgain {
              let error = databaseError { try Item.fetchOne(db, key: 1) }
              #expect(error?.resultCode == .SQLITE_SCHEMA)
            }
            return .commit
          }
        }
        #expect(
          text == """
            SQLite error 17: another connection has changed the schema since the deferred \
            transaction has begun
            run the transaction again, or begin it as `.immediate`
            """)
        #expect(try Item.order(Column("b")).fetchAll(db) == [Item(a: 2, b: 1), Item(a: 1, b: 2)])
        try runDeferred(db) { db throws in #expect(try Item.deleteOne(db, key: 1)) }
        #expect(try Item.fetchAll(db) == [Item(a: 1, b: 2)])
      }
    }
  }

  @Test func `a deferred transaction may change the schema itself`() throws {
    try withItems { queue, _ in
      try queue.inDatabase { db throws in
        #expect(try Item.fetchOne(db, key: 1) == Item(a: 1, b: 2))
        try runDeferred(db) { db throws in
          try Item(a: 1, b: 2).update(db)
          try db.execute(sql: Self.newKey)
          #expect(try Item.fetchOne(db, key: 1) == Item(a: 2, b: 1))
        }
      }
    }
  }

  /// These change the version of the schema, but no schema that the library knows.
  @Test(arguments: ["PRAGMA schema_version = 100", "PRAGMA optimize = 0x10002"])
  func `a deferred transaction may change the version of the schema itself`(sql: String) throws {
    try withItems { queue, _ in
      try queue.write { db in try db.execute(sql: "CREATE INDEX item_on_b ON item (b)") }
      try queue.inDatabase { db throws in
        #expect(try Item.filter(Column("b") == 2).fetchAll(db) == [Item(a: 1, b: 2)])
        try runDeferred(db) { db in
          try Item(a: 1, b: 3).update(db)
          try db.execute(sql: "SELECT a FROM item WHERE b = 3")
          try db.execute(sql: sql)
        }
        #expect(try Item.order(Column("b")).fetchAll(db) == [Item(a: 2, b: 1), Item(a: 1, b: 3)])
      }
    }
  }

  @Test func `a change of the schema does not hide that of another connection`() throws {
    try withItems { queue, changeKey in
      try queue.inDatabase { db throws in
        #expect(try Item.fetchOne(db, key: 1) == Item(a: 1, b: 2))
        let error = databaseError {
          try db.inTransaction(.deferred) {
            try changeKey()
            _ = try Item.deleteOne(db, key: 1)
            try db.execute(sql: "CREATE TABLE shelf (room)")
            return .commit
          }
        }
        #expect(error?.resultCode == .SQLITE_SCHEMA)
        #expect(try Item.order(Column("b")).fetchAll(db) == [Item(a: 2, b: 1), Item(a: 1, b: 2)])
        #expect(try !db.tableExists("shelf"))
      }
    }
  }

  /// The definition of a view is planned with the key, and changes the schema itself.
  @Test func `a view is not defined with the old key`() throws {
    try withItems { queue, changeKey in
      try queue.inDatabase { db throws in
        #expect(try Item.fetchOne(db, key: 1) == Item(a: 1, b: 2))
        let error = databaseError {
          try db.inTransaction(.deferred) {
            try changeKey()
            try db.create(view: "first", as: Item.filter(key: 1))
            return .commit
          }
        }
        #expect(error?.resultCode == .SQLITE_SCHEMA)
        #expect(try !db.viewExists("first"))
      }
    }
  }

  @Test func `a foreign key does not reference the old key`() throws {
    try withItems { queue, changeKey in
      try queue.inDatabase { db throws in
        #expect(try Item.fetchOne(db, key: 1) == Item(a: 1, b: 2))
        let error = databaseError {
          try db.inTransaction(.deferred) {
            try changeKey()
            try db.create(table: "shelf") { t in t.belongsTo("item") }
            return .commit
          }
        }
        #expect(error?.resultCode == .SQLITE_SCHEMA)
        #expect(try !db.tableExists("shelf"))
      }
    }
  }

  @Test(arguments: [false, true])
  func `a trigger does not find rows by the old key`(deletes: Bool) throws {
    try withItems { queue, changeKey in
      try queue.inDatabase { db throws in
        try db.create(table: "loan") { t in t.column("id") }
        #expect(try Item.fetchOne(db, key: 1) == Item(a: 1, b: 2))
        let error = databaseError {
          try db.inTransaction(.deferred) {
            try changeKey()
            try db.create(trigger: "lent", .after, .insert, on: "loan") { t in
              if deletes {
                t.delete(Item.filter(key: 1))
              } else {
                t.update(Item.filter(key: 1), [Column("a").set(to: 3)])
              }
            }
            return .commit
          }
        }
        #expect(error?.resultCode == .SQLITE_SCHEMA)
        #expect(
          try Row.fetchAll(db, sql: "SELECT * FROM sqlite_master WHERE type = 'trigger'") == [])
      }
    }
  }

  @Test func `a view that is defined again does not find rows by the old key`() throws {
    try withItems { queue, changeKey in
      let request = Item.filter(key: 1)
      try queue.inDatabase { db throws in
        for _ in 1...3 {
          #expect(try request.fetchOne(db) == Item(a: 1, b: 2))
          try db.create(view: "first", as: request)
          try db.drop(view: "first")
        }
        #expect(try request.fetchOne(db) == Item(a: 1, b: 2))
        let error = databaseError {
          try db.inTransaction(.deferred) {
            try changeKey()
            try db.create(view: "first", as: request)
            return .commit
          }
        }
        #expect(error?.resultCode == .SQLITE_SCHEMA)
        #expect(try !db.viewExists("first"))
      }
    }
  }
}
