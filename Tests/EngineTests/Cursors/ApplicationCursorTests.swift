import CSQLite
import Dispatch
import Foundation
import QuarryTestSupport
import Testing

@testable import Quarry

/// Cursors that an application makes: classes that conform to `DatabaseCursor`.
struct ApplicationCursorTests {
  private struct Failure: Error {}

  /// The base class of a library on top of this one: its subclasses decode the elements.
  private class QueryCursor<Element>: DatabaseCursor {
    var _isDone = false
    let _statement: Statement

    init(_ statement: Statement) { _statement = statement }

    func _element(sqliteStatement: SQLiteStatement) throws -> Element { throw Failure() }
  }

  /// The texts of the first column. NULL is an error.
  private final class TitleCursor: QueryCursor<String> {
    override func _element(sqliteStatement: SQLiteStatement) throws -> String {
      guard let text = sqlite3_column_text(sqliteStatement, 0) else { throw Failure() }
      return String(cString: text)
    }
  }

  /// A cursor that resets its statement when it goes, as C code does.
  private final class ResettingCursor: QueryCursor<Int> {
    override func _element(sqliteStatement: SQLiteStatement) -> Int {
      Int(sqlite3_column_int64(sqliteStatement, 0))
    }

    deinit { sqlite3_reset(_statement.sqliteStatement) }
  }

  /// A cursor that calls a function for each row.
  private final class CallingCursor: QueryCursor<Void> {
    let body: () throws -> Void

    init(_ statement: Statement, _ body: @escaping () throws -> Void) {
      self.body = body
      super.init(statement)
    }

    override func _element(sqliteStatement: SQLiteStatement) throws { try body() }
  }

  /// A cursor without a base class: the compiler infers its elements.
  private final class CountCursor: DatabaseCursor {
    let _statement: Statement
    var _isDone = false

    init(_ statement: Statement) { _statement = statement }

    func _element(sqliteStatement: SQLiteStatement) -> Int? {
      Int.fromStatement(sqliteStatement, atUncheckedIndex: 0)
    }
  }

  private static let schema = """
    CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT);
    INSERT INTO book VALUES (1, 'Emma'), (2, 'Ulysses'), (3, 'Walden');
    """
  private static let titles = "SELECT title FROM book ORDER BY id"

  private func inLibrary<T>(_ body: (Database) throws -> T) throws -> T {
    let queue = try DatabaseQueue()
    return try queue.inDatabase { db in
      try db.execute(sql: Self.schema)
      return try body(db)
    }
  }

  private func running(_ db: Database) -> [String] {
    var statements: [String] = []
    _ = db.owner.running.first { statement in
      statements.append(statement.sql)
      return false
    }
    return statements
  }

  @Test func `a cursor gives its elements, and then nil for ever`() throws {
    try inLibrary { db throws in
      let cursor = try TitleCursor(db.makeStatement(sql: Self.titles))
      for expected in ["Emma", "Ulysses", "Walden", nil, nil] {
        #expect(try cursor.next() == expected)
      }
      #expect(cursor._isDone)
      #expect(cursor.sql == Self.titles)
      #expect(cursor.columnNames == ["title"])
      #expect(cursor.columnCount == 1)
      #expect(cursor.databaseRegion.description == "book(id,title)")
    }
  }

  @Test func `a cursor has all that cursors have`() throws {
    try inLibrary { db throws in
      let statement = try db.makeStatement(sql: Self.titles)
      var titles: [String] = []
      let loop = TitleCursor(statement)
      try loop.forEach { titles.append($0) }
      #expect(titles == ["Emma", "Ulysses", "Walden"])
      #expect(try Array(TitleCursor(statement)) == titles)
      #expect(try Array(TitleCursor(statement).map(\.count)) == [4, 7, 6])
      #expect(try TitleCursor(statement).first { $0 > "F" } == "Ulysses")
      let counts = try CountCursor(db.makeStatement(sql: "SELECT 3 UNION ALL SELECT NULL"))
      #expect(try Array(counts) == [3, nil])
      let cursor: any DatabaseCursor<String> = TitleCursor(statement)
      #expect(try cursor.next() == "Emma")
    }
  }

  @Test func `the last row ends the execution`() throws {
    try inLibrary { db throws in
      let cursor = try TitleCursor(db.makeStatement(sql: Self.titles))
      #expect(running(db) == [])
      for _ in 1...3 { _ = try cursor.next() }
      #expect(running(db) == [Self.titles])
      #expect(databaseError { try db.execute(sql: "DROP TABLE book") } != nil)
      #expect(try cursor.next() == nil)
      #expect(running(db) == [])
      try db.execute(sql: "DROP TABLE book")
    }
  }

  @Test(arguments: [false, true])
  func `a cursor that is dropped in the middle ends before the next statement`(
    isCached: Bool
  ) throws {
    try inLibrary { db throws in
      for _ in 1...3 {
        var cursor: TitleCursor? = try TitleCursor(
          isCached ? db.cachedStatement(sql: Self.titles) : db.makeStatement(sql: Self.titles))
        #expect(try cursor?.next() == "Emma")
        cursor = nil
        #expect(try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM book") == 3)
        #expect(running(db) == [])
        #expect(db.owner.keptStatements.isEmpty)
      }
      try db.execute(sql: "DROP TABLE book")
    }
  }

  @Test(arguments: [false, true])
  func `a cursor that resets its statement when it is dropped leaves nothing`(
    isCached: Bool
  ) throws {
    try inLibrary { db throws in
      let sql = "SELECT id FROM book ORDER BY id"
      for _ in 1...3 {
        var cursor: ResettingCursor? = try ResettingCursor(
          isCached ? db.cachedStatement(sql: sql) : db.makeStatement(sql: sql))
        #expect(try cursor?.next() == 1)
        cursor = nil
      }
      try db.execute(sql: "DROP TABLE book")
      #expect(running(db) == [])
    }
  }

  @Test func `statements of dropped cursors don't outlive their access, and their connection`()
    throws
  {
    weak var statement: Statement?
    var queue: DatabaseQueue? = try DatabaseQueue()
    weak let connection = queue
    try queue?.inDatabase { db in
      try db.execute(sql: Self.schema)
      let cursor = try TitleCursor(db.makeStatement(sql: Self.titles))
      _ = try cursor.next()
      statement = cursor._statement
    }
    #expect(statement == nil)
    try queue?.inDatabase { db throws in #expect(running(db) == []) }
    try queue?.close()
    queue = nil
    #expect(connection == nil)
  }

  @Test func `a statement that C code has reset begins again`() throws {
    try inLibrary { db throws in
      let cursor = try TitleCursor(db.makeStatement(sql: Self.titles))
      _ = try (cursor.next(), cursor.next())
      sqlite3_reset(cursor._statement.sqliteStatement)
      #expect(try Array(cursor) == ["Emma", "Ulysses", "Walden"])
      #expect(try cursor.next() == nil)
      cursor._isDone = false
      #expect(try cursor.next() == "Emma")
    }
  }

  @Test func `C code binds values, before the first row and after a reset`() throws {
    try inLibrary { db throws in
      let sql = "SELECT title FROM book WHERE id >= ? AND title < ? ORDER BY id"
      let statement = try db.makeStatement(sql: sql)
      let cursor = TitleCursor(statement)
      sqlite3_bind_int64(statement.sqliteStatement, 1, 2)
      quarry_bind_text_copy(statement.sqliteStatement, 2, "V", 1)
      #expect(try cursor.next() == "Ulysses")
      sqlite3_reset(statement.sqliteStatement)
      sqlite3_bind_int64(statement.sqliteStatement, 1, 1)
      #expect(try Array(cursor) == ["Emma", "Ulysses"])
      // Arguments of Swift are there no more: nobody else may guess that C code has bound them.
      #expect(statement.arguments.isEmpty)
      let error = databaseError { try String.fetchAll(statement) }
      #expect(error?.message == "wrong number of statement arguments: 0")
      #expect(try String.fetchAll(statement, arguments: [3, "Z"]) == ["Walden"])
    }
  }

  @Test func `arguments are bound as for other cursors, and C code replaces them`() throws {
    try inLibrary { db throws in
      let statement = try db.makeStatement(sql: "SELECT title FROM book WHERE id >= ? ORDER BY id")
      try statement.setArguments([2])
      #expect(try Array(TitleCursor(statement)) == ["Ulysses", "Walden"])
      sqlite3_bind_int64(statement.sqliteStatement, 1, 3)
      #expect(try Array(TitleCursor(statement)) == ["Walden"])
      statement.setUncheckedArguments([Data()])
      #expect(try Array(TitleCursor(statement)) == [])
    }
  }

  @Test func `an element that can't be decoded throws, and the cursor goes on`() throws {
    try inLibrary { db throws in
      let cursor = try TitleCursor(
        db.makeStatement(sql: "SELECT NULLIF(title, 'Ulysses') FROM book ORDER BY id"))
      #expect(try cursor.next() == "Emma")
      #expect(throws: Failure.self) { try cursor.next() }
      #expect(try cursor.next() == "Walden")
      #expect(try cursor.next() == nil)
    }
  }

  @Test func `an error of SQLite is thrown for ever, and ends the statement`() throws {
    try inLibrary { db throws in
      let sql = "SELECT abs(CASE id WHEN 2 THEN -9223372036854775807 - 1 ELSE id END) FROM book"
      let cursor = try TitleCursor(db.makeStatement(sql: sql))
      #expect(try cursor.next() == "1")
      for _ in 1...3 {
        let error = databaseError { try cursor.next() }
        #expect(error?.message == "integer overflow")
        #expect(error?.sql == sql)
      }
      #expect(running(db) == [])
      try db.execute(sql: "DROP TABLE book")
      let failing = try TitleCursor(db.makeStatement(sql: "SELECT abs(-9223372036854775807 - 1)"))
      for _ in 1...2 {
        #expect(databaseError { try failing.next() }?.message == "integer overflow")
      }
    }
  }

  @Test func `a cursor whose statement is executed again throws`() throws {
    let executions: [(Statement) throws -> Void] = [
      { try $0.execute() }, { _ = try String.fetchAll($0) }, { _ = try Row.fetchCursor($0) },
      { _ = try TitleCursor($0).next() },
    ]
    try inLibrary { db throws in
      for execution in executions {
        let statement = try db.makeStatement(sql: Self.titles)
        let cursor = TitleCursor(statement)
        #expect(try cursor.next() == "Emma")
        try execution(statement)
        for _ in 1...2 {
          let error = databaseError { try cursor.next() }
          #expect(error?.resultCode == .SQLITE_MISUSE)
          #expect(error?.message == "the statement of the cursor was executed again")
        }
        #expect(try Array(TitleCursor(statement)) == ["Emma", "Ulysses", "Walden"])
      }
      // The other way around.
      let statement = try db.makeStatement(sql: Self.titles)
      let cursor = try String.fetchCursor(statement)
      #expect(try cursor.next() == "Emma")
      #expect(try TitleCursor(statement).next() == "Emma")
      #expect(
        databaseError { try cursor.next() }?.message
          == "the statement of the cursor was executed again")
    }
  }

  @Test func `a new cursor does not continue where a dropped one was`() throws {
    try inLibrary { db throws in
      let statement = try db.makeStatement(sql: Self.titles)
      for _ in 1...20 {
        let cursor = TitleCursor(statement)
        #expect(try cursor.next() == "Emma")
        #expect(try cursor.next() == "Ulysses")
      }
    }
  }

  @Test func `a cursor that is kept after its access throws`() throws {
    let queue = try DatabaseQueue()
    let cursor = try queue.inDatabase { db in
      try db.execute(sql: Self.schema)
      let cursor = try TitleCursor(db.makeStatement(sql: Self.titles))
      #expect(try cursor.next() == "Emma")
      return cursor
    }
    let misuse = "a statement or its cursor was used outside of its access"
    #expect(databaseError { try cursor.next() }?.message == misuse)
    try queue.inDatabase { db throws in
      let message = databaseError { try cursor.next() }?.message
      #expect(message == "the cursor was used outside of its access")
      try db.execute(sql: "DROP TABLE book")
    }
  }

  @Test func `a cursor throws on another thread, and is released there`() throws {
    try inLibrary { db throws in
      nonisolated(unsafe) var cursor: TitleCursor? = try TitleCursor(
        db.makeStatement(sql: Self.titles))
      #expect(try cursor?.next() == "Emma")
      let message = Locked<String?>(nil)
      let done = DispatchSemaphore(value: 0)
      Thread {
        message.withLock { $0 = databaseError { _ = try cursor?.next() }?.message }
        cursor = nil
        done.signal()
      }.start()
      done.wait()
      #expect(message.withLock { $0 } == "a statement or its cursor was used outside of its access")
      try db.execute(sql: "DROP TABLE book")
      #expect(running(db) == [])
    }
  }

  @Test func `an element that uses its own cursor or statement throws`() throws {
    try inLibrary { db throws in
      let statement = try db.makeStatement(sql: Self.titles)
      let message = "a statement can't be used by a function or a record that it is calling"
      var messages: [String?] = []
      let cursor = CallingCursor(statement) {
        messages.append(databaseError { _ = try TitleCursor(statement).next() }?.message)
        messages.append(databaseError { try statement.execute() }?.message)
        messages.append(try String.fetchOne(db, sql: "SELECT 'other statements work'"))
      }
      try cursor.forEach {}
      #expect(
        messages
          == Array(repeating: [message, message, "other statements work"], count: 3).flatMap { $0 })
    }
  }

  @Test func `an interruption ends the cursor`() throws {
    try inLibrary { db throws in
      let cursor = try TitleCursor(db.makeStatement(sql: Self.titles))
      #expect(try cursor.next() == "Emma")
      db.interrupt()
      for _ in 1...2 {
        #expect(databaseError { try cursor.next() }?.resultCode == .SQLITE_INTERRUPT)
      }
      #expect(try String.fetchOne(db, sql: Self.titles) == "Emma")
    }
  }
}

/// The writes of such cursors.
extension ApplicationCursorTests {
  private static let insertion = "INSERT INTO book VALUES (4, 'Dune'), (5, 'Kim') RETURNING title"

  private final class Observer: TransactionObserver {
    var events: [String] = []

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { true }
    func databaseDidChange(with event: DatabaseEvent) {
      events.append("\(event.tableName) \(event.rowID)")
    }
    func databaseDidCommit(_ db: Database) { events.append("commit") }
    func databaseDidRollback(_ db: Database) { events.append("rollback") }
  }

  private func observing(_ body: (Database, Observer) throws -> Void) throws {
    let queue = try DatabaseQueue()
    try queue.write { db in try db.execute(sql: Self.schema) }
    let observer = Observer()
    queue.add(transactionObserver: observer)
    try queue.inDatabase { db in try body(db, observer) }
    try queue.inDatabase { db throws in
      #expect(try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM book") == 5)
    }
    #expect(observer.events == ["book 4", "book 5", "commit"])
  }

  @Test func `observers are notified of the writes of a cursor`() throws {
    try observing { db, observer throws in
      let cursor = try TitleCursor(db.makeStatement(sql: Self.insertion))
      #expect(try cursor.next() == "Dune")
      #expect(try cursor.next() == "Kim")
      // The commit may still fail.
      #expect(observer.events == [])
      #expect(try cursor.next() == nil)
      #expect(observer.events == ["book 4", "book 5", "commit"])
    }
  }

  @Test func `a cursor that writes and is dropped in the middle has written all`() throws {
    try observing { db, observer throws in
      _ = try TitleCursor(db.makeStatement(sql: Self.insertion)).next()
      #expect(try String.fetchOne(db, sql: "SELECT title FROM book WHERE id = 5") == "Kim")
      #expect(observer.events.last == "commit")
    }
  }

  @Test func `a cursor that writes and is reset by C code has written all`() throws {
    try observing { db, observer throws in
      var cursor: QueryCursor<Int>? = try ResettingCursor(
        db.makeStatement(sql: Self.insertion))
      _ = try cursor?.next()
      cursor = nil
      #expect(try String.fetchOne(db, sql: "SELECT title FROM book WHERE id = 5") == "Kim")
    }
  }

  @Test func `a commit ends a cursor that writes`() throws {
    try observing { db, observer throws in
      try db.beginTransaction()
      let cursor = try TitleCursor(db.makeStatement(sql: Self.insertion))
      #expect(try cursor.next() == "Dune")
      try db.commit()
      #expect(
        databaseError { try cursor.next() }?.message
          == "the statement of the cursor was ended by a commit")
    }
  }

  @Test func `a cursor can't write in a read`() throws {
    let queue = try DatabaseQueue()
    try queue.write { db in try db.execute(sql: Self.schema) }
    try queue.read { db throws in
      let cursor = try TitleCursor(db.makeStatement(sql: Self.insertion))
      #expect(databaseError { try cursor.next() }?.resultCode == .SQLITE_READONLY)
    }
  }

  @Test func `an observation tracks the region of a cursor`() async throws {
    let queue = try DatabaseQueue()
    try await queue.write { db in try db.execute(sql: Self.schema) }
    let observation = ValueObservation.tracking { db in
      try Array(TitleCursor(db.makeStatement(sql: Self.titles))).count
    }
    var counts: [Int] = []
    for try await count in observation.values(in: queue) {
      counts.append(count)
      if counts.count == 2 { break }
      try await queue.write { db in
        _ = try Array(TitleCursor(db.makeStatement(sql: Self.insertion)))
      }
    }
    #expect(counts == [3, 5])
  }
}
