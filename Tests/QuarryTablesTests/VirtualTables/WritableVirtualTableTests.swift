import Foundation
import QuarryTestSupport
import Testing

@testable import Quarry
@testable import QuarryTables

/// Books in memory, with unique titles, which take part in transactions.
private final class BookStore: TransactionalVirtualTable {
  let columns = [VirtualTableColumn("title", .text), VirtualTableColumn("year", .integer)]
  let log = Log<String>()
  private let state = Locked(State())

  private struct State {
    var books: [Int64: [DatabaseValue]] = [:]
    var snapshots: [(level: Int, books: [Int64: [DatabaseValue]])] = []
  }

  var titles: [String] {
    state.withLock { $0.books.sorted { $0.key < $1.key } }.map { "\($0.value[0])" }
  }

  func makeCursor(_ db: Database, for scan: VirtualTableScan) -> LoggedTable.Cursor {
    let books = state.withLock { $0.books }.sorted { $0.key < $1.key }
    return LoggedTable.Cursor(rows: books.map { (Int($0.key), $0.value) })
  }

  func insert(_ row: VirtualTableRow) throws -> Int64 {
    try state.withLock { state in
      let rowID = row.rowID ?? (state.books.keys.max() ?? 0) + 1
      guard state.books[rowID] == nil || row.conflictResolution == .replace else {
        throw DatabaseError(
          resultCode: .SQLITE_CONSTRAINT_ROWID, message: "rowid \(rowID) is taken")
      }
      try Self.check(row, in: &state, except: rowID)
      state.books[rowID] = row.values
      return rowID
    }
  }

  func update(_ key: DatabaseValue, to row: VirtualTableRow) throws {
    try state.withLock { state in
      guard let old = Int64.fromDatabaseValue(key), let new = row.rowID else { return }
      try Self.check(row, in: &state, except: old)
      state.books[old] = nil
      state.books[new] = row.values
    }
  }

  func delete(_ key: DatabaseValue) throws {
    state.withLock { state in
      if let rowID = Int64.fromDatabaseValue(key) { state.books[rowID] = nil }
    }
  }

  private static func check(
    _ row: VirtualTableRow, in state: inout State, except rowID: Int64
  ) throws {
    guard let other = state.books.first(where: { $0.key != rowID && $0.value[0] == row[0] })
    else { return }
    guard row.conflictResolution == .replace else {
      throw DatabaseError(
        resultCode: .SQLITE_CONSTRAINT_UNIQUE, message: "there is such a book: \(row[0])")
    }
    state.books[other.key] = nil
  }

  func begin() {
    log.append("begin")
    state.withLock { $0.snapshots = [(-1, $0.books)] }
  }

  func prepareToCommit() throws {
    log.append("prepare")
    if titles.contains("\"Forbidden\"") { throw TableFailure(description: "a book is forbidden") }
  }

  func commit() { log.append("commit") }

  func rollback() {
    log.append("rollback")
    state.withLock { $0.books = $0.snapshots[0].books }
  }

  func savepoint(_ level: Int) { state.withLock { $0.snapshots.append((level, $0.books)) } }

  func release(_ level: Int) { state.withLock { $0.snapshots.removeAll { $0.level >= level } } }

  func rollback(to level: Int) {
    state.withLock { state in
      state.snapshots.removeAll { $0.level > level }
      if let snapshot = state.snapshots.last { state.books = snapshot.books }
    }
  }
}

/// A table with a primary key, which logs its calls.
private struct KeyedTable: WritableVirtualTable {
  let columns = [
    VirtualTableColumn("isbn", .text).primaryKey(), VirtualTableColumn("title", .text),
  ]
  let log = Log<String>()

  func makeCursor(_ db: Database, for scan: VirtualTableScan) -> LoggedTable.Cursor {
    LoggedTable.Cursor(rows: [(1, ["111".databaseValue, "Emma".databaseValue])])
  }

  func insert(_ row: VirtualTableRow) -> Int64 {
    log.append("insert \(row.values) \(row.rowID as Any) \(row.conflictResolution.rawValue)")
    return 0
  }

  func update(_ key: DatabaseValue, to row: VirtualTableRow) {
    log.append("update \(key) \(row.values) \(row.conflictResolution.rawValue)")
  }

  func delete(_ key: DatabaseValue) { log.append("delete \(key)") }
}

@Suite("Virtual tables that can be written to")
struct WritableVirtualTableTests {
  private func withStore<T>(_ body: (BookStore, DatabaseQueue) throws -> T) throws -> T {
    let store = BookStore()
    let queue = try DatabaseQueue()
    try queue.inDatabase { db throws -> Void in try db.register(table: "book", store) }
    try queue.write { db in
      try db.execute(
        sql: "INSERT INTO book VALUES ('Emma', 1815), ('Dracula', 1897), ('Ulysses', 1922)")
    }
    return try body(store, queue)
  }

  @Test func `rows are inserted, updated, deleted`() throws {
    try withStore { store, queue throws in
      try queue.write { db in
        #expect(db.lastInsertedRowID == 3)
        try db.execute(sql: "UPDATE book SET year = year + 1 WHERE title = 'Emma'")
        try db.execute(sql: "DELETE FROM book WHERE year > 1900")
        try db.execute(sql: "INSERT INTO book (rowid, title) VALUES (12, 'Orlando')")
        try db.execute(sql: "UPDATE book SET rowid = 20 WHERE rowid = 2")
        #expect(
          try Row.fetchAll(db, sql: "SELECT rowid, * FROM book") == [
            ["rowid": 1, "title": "Emma", "year": 1816],
            ["rowid": 12, "title": "Orlando", "year": nil],
            ["rowid": 20, "title": "Dracula", "year": 1897],
          ])
        #expect(db.changesCount == 1)
      }
    }
  }

  @Test func `records are saved`() throws {
    struct Book: Codable, MutablePersistableRecord, FetchableRecord {
      static let databaseTableName = "book"
      var rowid: Int64?
      var title: String
      var year: Int
      mutating func didInsert(_ inserted: InsertionSuccess) { rowid = inserted.rowID }
      static var databaseSelection: [any SQLSelectable] { [AllColumns(), Column.rowID] }
    }
    try withStore { store, queue throws in
      try queue.write { db in
        var book = Book(title: "Orlando", year: 1928)
        try book.insert(db)
        #expect(book.rowid == 4)
        book.year = 1929
        try book.update(db)
        #expect(try Book.fetchOne(db, key: 4)?.year == 1929)
        #expect(try book.delete(db))
        #expect(try Book.fetchCount(db) == 3)
        let fetched = try Book(title: "Walden", year: 1854).insertAndFetch(db)
        #expect(fetched.rowid == 4)
        #expect(fetched.title == "Walden")
      }
    }
  }

  @Test func `a rolled back transaction has no effect`() throws {
    try withStore { store, queue throws in
      store.log.removeAll()
      #expect(throws: TableFailure.self) {
        try queue.write { db in
          try db.execute(sql: "DELETE FROM book")
          #expect(store.titles == [])
          throw TableFailure(description: "no")
        }
      }
      #expect(store.titles == ["\"Emma\"", "\"Dracula\"", "\"Ulysses\""])
      #expect(store.log.elements == ["begin", "rollback"])
    }
  }

  @Test func `savepoints are nested`() throws {
    try withStore { store, queue throws in
      try queue.write { db in
        try db.inSavepoint {
          try db.execute(sql: "DELETE FROM book WHERE title = 'Emma'")
          try db.inSavepoint {
            try db.execute(sql: "DELETE FROM book")
            return .rollback
          }
          return .commit
        }
      }
      #expect(store.titles == ["\"Dracula\"", "\"Ulysses\""])
    }
  }

  @Test func `a statement that fails has no effect`() throws {
    try withStore { store, queue throws in
      let error = databaseError {
        try queue.write { db in
          try db.execute(sql: "INSERT INTO book VALUES ('Orlando', 1928), ('Emma', 1815)")
        }
      }
      #expect(error?.extendedResultCode == .SQLITE_CONSTRAINT_UNIQUE)
      #expect(error?.message == "book: there is such a book: \"Emma\"")
      #expect(store.titles.count == 3)
    }
  }

  @Test func `conflicts are resolved as the statement says`() throws {
    try withStore { store, queue throws in
      try queue.write { db in
        try db.execute(
          sql: "INSERT OR IGNORE INTO book VALUES ('Emma', 1), ('Orlando', 1928), ('Emma', 2)")
        #expect(store.titles == ["\"Emma\"", "\"Dracula\"", "\"Ulysses\"", "\"Orlando\""])
        try db.execute(sql: "INSERT OR REPLACE INTO book VALUES ('Emma', 1816)")
        #expect(store.titles == ["\"Dracula\"", "\"Ulysses\"", "\"Orlando\"", "\"Emma\""])
        let error = databaseError {
          try db.execute(sql: "INSERT OR FAIL INTO book VALUES ('Walden', 1854), ('Emma', 1)")
        }
        #expect(error?.resultCode == .SQLITE_CONSTRAINT)
        #expect(store.titles.contains("\"Walden\""))
      }
      try queue.inDatabase { db throws -> Void in
        try db.beginTransaction()
        try db.execute(sql: "DELETE FROM book WHERE title <> 'Emma'")
        let error = databaseError {
          try db.execute(sql: "INSERT OR ROLLBACK INTO book VALUES ('Emma', 1)")
        }
        #expect(error?.resultCode == .SQLITE_CONSTRAINT)
        #expect(!db.isInsideTransaction)
        #expect(store.titles.count == 5)
      }
    }
  }

  @Test func `a commit that the table refuses is rolled back`() throws {
    try withStore { store, queue throws in
      store.log.removeAll()
      let error = databaseError {
        try queue.write { db in try db.execute(sql: "INSERT INTO book VALUES ('Forbidden', 1)") }
      }
      #expect(error?.message == "book: a book is forbidden")
      #expect(store.titles.count == 3)
      #expect(store.log.elements == ["begin", "prepare", "rollback"])
    }
  }

  @Test(arguments: ["'x'", "NULL", "1.5"])
  func `a rowid must be an integer`(value: String) throws {
    try withStore { store, queue throws in
      let error = databaseError {
        try queue.write { db in try db.execute(sql: "UPDATE book SET rowid = \(value)") }
      }
      #expect(error?.resultCode == .SQLITE_MISMATCH || error?.resultCode == .SQLITE_ERROR)
      #expect(store.titles.count == 3)
    }
  }

  @Test func `rows are known by their primary key`() throws {
    let table = KeyedTable()
    try withTable(table) { db throws in
      try db.execute(
        sql: """
          INSERT OR REPLACE INTO book VALUES ('222', 'Dracula');
          UPDATE book SET title = 'Emma II';
          UPDATE OR IGNORE book SET isbn = '333';
          DELETE FROM book WHERE isbn = '111'
          """)
      #expect(
        table.log.elements == [
          "insert [\"222\", \"Dracula\"] nil REPLACE",
          "update \"111\" [\"111\", \"Emma II\"] ABORT",
          "update \"111\" [\"333\", \"Emma\"] IGNORE",
          "delete \"111\"",
        ])
    }
  }

  @Test func `a primary key is not updated to NULL, and an inserted one is left to the table`()
    throws
  {
    let table = KeyedTable()
    try withTable(table) { db throws in
      let error = databaseError { try db.execute(sql: "UPDATE book SET isbn = NULL") }
      #expect(error?.resultCode == .SQLITE_CONSTRAINT)
      #expect(error?.message == "book: NOT NULL constraint failed: book.isbn")
      try db.execute(sql: "UPDATE OR IGNORE book SET isbn = NULL")
      #expect(table.log.elements == [])
      try db.execute(sql: "INSERT INTO book (title) VALUES ('Dracula')")
      #expect(table.log.elements == ["insert [NULL, \"Dracula\"] nil ABORT"])
    }
  }

  @Test func `two primary key columns can't be written to`() throws {
    struct Wide: WritableVirtualTable {
      let columns = [VirtualTableColumn("a").primaryKey(), VirtualTableColumn("b").primaryKey()]
      func makeCursor(_ db: Database, for scan: VirtualTableScan) -> LoggedTable.Cursor {
        LoggedTable.Cursor(rows: [])
      }
      func insert(_ row: VirtualTableRow) -> Int64 { 0 }
      func update(_ key: DatabaseValue, to row: VirtualTableRow) {}
      func delete(_ key: DatabaseValue) {}
    }
    let error = databaseError { try withTable(Wide(), named: "wide") { _ in } }
    #expect(
      error?.message == "wide: a table that can be written to has one primary key column at most")
  }

  @Test func `nothing is written where only reads are possible`() throws {
    try withStore { store, queue throws in
      let error = databaseError {
        try queue.read { db in try db.execute(sql: "DELETE FROM book") }
      }
      #expect(error?.resultCode == .SQLITE_READONLY)
      #expect(store.titles.count == 3)
    }
  }
}
