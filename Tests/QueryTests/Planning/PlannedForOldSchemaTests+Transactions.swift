import Quarry
import QuarryMigrations
import QuarryTestSupport
import Testing

/// Transactions and savepoints while another connection changes the key, or that change it
/// themselves and are rolled back.
extension PlannedForOldSchemaTests {
  /// What runs in the savepoint.
  enum Use: CaseIterable { case nothing, read, deletion }

  @Test(arguments: Use.allCases)
  func `a rolled back savepoint does not hide a change of the schema`(use: Use) throws {
    try withItems { queue, changeKey in
      try queue.inDatabase { db throws in
        #expect(try Item.fetchOne(db, key: 1) == Item(a: 1, b: 2))
        let error = databaseError {
          try db.inTransaction(.deferred) {
            let items = try Item.filter(key: 1).deleteAndFetchCursor(db)
            try changeKey()
            try db.inSavepoint {
              switch use {
              case .nothing: break
              case .read: _ = try Item.fetchOne(db, key: 1)
              case .deletion: _ = try Item.filter(key: 1).deleteAndFetchAll(db)
              }
              return .rollback
            }
            if use == .nothing { while try items.next() != nil {} }
            return .commit
          }
        }
        #expect(error?.resultCode == .SQLITE_SCHEMA)
        #expect(try Item.fetchCount(db) == 2)
      }
    }
  }

  @Test func `a savepoint that meets a change of the schema does not end its transaction`() throws {
    try withItems { queue, changeKey in
      try queue.inDatabase { db throws in
        try db.execute(sql: "CREATE TEMP TABLE note (text)")
        #expect(try Item.fetchOne(db, key: 1) == Item(a: 1, b: 2))
        try db.beginTransaction(.deferred)
        try db.execute(sql: "INSERT INTO note VALUES ('before')")
        try changeKey()
        #expect(throws: CancellationError.self) {
          try db.inSavepoint {
            _ = try Item.fetchOne(db, key: 1)
            throw CancellationError()
          }
        }
        #expect(db.isInsideTransaction)
        #expect(databaseError { try db.commit() }?.resultCode == .SQLITE_SCHEMA)
        try db.rollback()
        #expect(try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM note") == 0)
      }
    }
  }

  @Test func `a look-up does not hide a change of the schema from a prepared request`() throws {
    try withItems { queue, changeKey in
      try queue.inDatabase { db throws in
        #expect(try Item.fetchOne(db, key: 1) == Item(a: 1, b: 2))
        let error = databaseError {
          try db.inTransaction(.deferred) {
            let items = try Item.filter(key: 1).fetchCursor(db)
            try changeKey()
            _ = try db.tableExists("shelf")
            _ = try items.next()
            return .commit
          }
        }
        #expect(error?.resultCode == .SQLITE_SCHEMA)
      }
    }
  }

  /// The version is not known after a change of the schema by the connection itself, and after an
  /// error, nothing but the plan of the record is.
  @Test func `a record is updated by its new key, also where the former version is unknown`() throws
  {
    try withItems { queue, changeKey in
      try queue.inDatabase { db throws in
        #expect(try Item.fetchOne(db, key: 1) == Item(a: 1, b: 2))
        try db.execute(sql: "CREATE TABLE shelf (room)")
        try Item(a: 1, b: 2).update(db)
        #expect(throws: DatabaseError.self) { try db.execute(sql: "SELECT nonsense") }
        try db.beginTransaction(.deferred)
        try changeKey()
        let error = databaseError {
          try Item(a: 1, b: 5).update(db)
          try db.commit()
        }
        // Planned with the old key, the update would be committed.
        #expect(error != nil)
        try db.rollback()
        #expect(try Item.order(Column("b")).fetchAll(db) == [Item(a: 2, b: 1), Item(a: 1, b: 2)])
      }
    }
  }

  /// A lock hides the version from the beginning of the transaction.
  @Test func `a record is updated by its new key when the database was locked`() throws {
    let commit = Log<@Sendable () -> Void>()
    var configuration = Configuration()
    configuration.busyMode = .callback { numberOfTries in
      guard let commit = commit.elements.first else { return false }
      commit()
      return numberOfTries < 10
    }
    try withItems(configuration) { queue, _ in
      var unsafe = Configuration()
      unsafe.allowsUnsafeTransactions = true
      let other = try DatabaseQueue(path: queue.path, configuration: unsafe)
      try queue.inDatabase { db throws in
        #expect(try Item.fetchOne(db, key: 1) == Item(a: 1, b: 2))
        try db.execute(sql: "CREATE TABLE shelf (room)")
        try Item(a: 1, b: 2).update(db)
        try other.inDatabase { db in try db.execute(sql: "BEGIN EXCLUSIVE; \(Self.newKey)") }
        try db.beginTransaction(.deferred)
        commit.append {
          try? other.inDatabase { db in
            if db.isInsideTransaction { try db.execute(sql: "COMMIT") }
          }
        }
        try Item(a: 5, b: 2).update(db)
        try db.commit()
        #expect(try Item.order(Column("b")).fetchAll(db) == [Item(a: 2, b: 1), Item(a: 5, b: 2)])
      }
    }
  }

  /// After an error, the library does not know the attached databases any more.
  @Test(arguments: [nil, .immediate, .deferred] as [Database.TransactionKind?])
  func `a record in a file beside a database in memory is updated by its new key`(
    kind: Database.TransactionKind?
  ) throws {
    try withItems { file, changeKey in
      let queue = try DatabaseQueue()
      try queue.inDatabase { db in
        try db.execute(sql: "ATTACH ? AS archive", arguments: [file.path])
        try Item(a: 1, b: 2).update(db)
        #expect(throws: DatabaseError.self) { try db.execute(sql: "SELECT nonsense") }
      }
      try changeKey()
      try queue.inDatabase { db throws in
        if let kind { try db.beginTransaction(kind) }
        try Item(a: 5, b: 2).update(db)
        if kind != nil { try db.commit() }
        #expect(try Item.order(Column("b")).fetchAll(db) == [Item(a: 2, b: 1), Item(a: 5, b: 2)])
      }
    }
  }

  @Test func `a deferred transaction that begins with a write reads the version before it begins`()
    throws
  {
    let recorder = SQLRecorder()
    try withItems(recorder.recording()) { queue, _ in
      try queue.write { db in try Item(a: 1, b: 3).update(db) }
      _ = recorder.take()
      try queue.inDatabase { db in
        try db.inTransaction(.deferred) {
          try Item(a: 1, b: 4).update(db)
          try Item(a: 1, b: 5).update(db)
          return .commit
        }
      }
      let update = #"UPDATE "item" SET "b"=? WHERE "a"=?"#
      let version = "PRAGMA main.schema_version"
      #expect(
        recorder.take() == [
          version, "BEGIN DEFERRED TRANSACTION", update, version, update, "COMMIT TRANSACTION",
        ])
      try queue.inDatabase { db in try runDeferred(db) { db in try Item(a: 1, b: 6).update(db) } }
      #expect(
        recorder.take() == [
          version, "BEGIN DEFERRED TRANSACTION", update, version, "COMMIT TRANSACTION",
        ])
    }
  }

  @Test func `a database in memory has no other connections`() throws {
    let recorder = SQLRecorder()
    let queue = try DatabaseQueue(configuration: recorder.recording())
    try queue.write { db in try db.execute(sql: "CREATE TABLE item (a INTEGER PRIMARY KEY, b)") }
    try queue.read { db in _ = try Item.fetchOne(db, key: 1) }
    #expect(!recorder.take().contains { $0.contains("schema_version") })
  }

  /// How a transaction that changed the key is undone.
  enum Undoing: CaseIterable {
    case rollback, rollbackToSavepoint, rollbackBySQLite, rollbackBySQLiteOutsideOfBlocks
  }

  @Test(arguments: Undoing.allCases)
  func `what was planned in a transaction that is rolled back is forgotten`(undoing: Undoing) throws
  {
    try withItems { queue, _ in
      try queue.inDatabase { db throws in
        try db.execute(sql: "CREATE TABLE single (a UNIQUE); INSERT INTO single VALUES (1)")
        try Item(a: 1, b: 2).update(db)
        try changeKeyAndUndo(db, undoing)
        #expect(!db.isInsideTransaction)
        try Item(a: 1, b: 7).update(db)
        #expect(try Item.fetchAll(db) == [Item(a: 1, b: 7), Item(a: 2, b: 1)])
        #expect(try Item.fetchOne(db, key: 1) == Item(a: 1, b: 7))
      }
    }
  }

  private func changeKeyAndUndo(_ db: Database, _ undoing: Undoing) throws {
    let useNewKey = { (db: Database) throws in
      try db.execute(sql: Self.newKey)
      try Item(a: 3, b: 2).update(db)
      #expect(try Item.fetchOne(db, key: 2) == Item(a: 3, b: 2))
    }
    switch undoing {
    case .rollback:
      try db.inTransaction {
        try useNewKey(db)
        return .rollback
      }
    case .rollbackToSavepoint:
      try db.inTransaction {
        try db.inSavepoint {
          try useNewKey(db)
          return .rollback
        }
        return .commit
      }
    case .rollbackBySQLite:
      #expect(throws: DatabaseError.self) {
        try db.inTransaction {
          try useNewKey(db)
          try db.execute(sql: "INSERT OR ROLLBACK INTO single VALUES (1)")
          return .commit
        }
      }
    case .rollbackBySQLiteOutsideOfBlocks:
      try db.beginTransaction()
      try useNewKey(db)
      #expect(throws: DatabaseError.self) {
        try db.execute(sql: "INSERT OR ROLLBACK INTO single VALUES (1)")
      }
    }
  }

  @Test(arguments: ["BEGIN", "BEGIN IMMEDIATE", "SAVEPOINT outer"])
  func `a table of a transaction that SQLite rolls back is gone, whatever has begun it`(
    begin: String
  ) throws {
    try DatabaseQueue().inDatabase { db throws in
      try db.execute(sql: "CREATE TABLE single (a UNIQUE); INSERT INTO single VALUES (1)")
      try db.execute(sql: begin)
      try db.create(table: "shelf") { $0.column("room") }
      #expect(try db.columns(in: "shelf").map(\.name) == ["room"])
      #expect(throws: DatabaseError.self) {
        try db.execute(sql: "INSERT OR ROLLBACK INTO single VALUES (1)")
      }
      #expect(!db.isInsideTransaction)
      #expect(try !db.tableExists("shelf"))
    }
  }
}
