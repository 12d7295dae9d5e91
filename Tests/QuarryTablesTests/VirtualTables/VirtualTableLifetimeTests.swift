import Foundation
import QuarryTestSupport
import Testing

@testable import Quarry
@testable import QuarryTables

/// A table that is counted as long as it lives, and calls a closure for each scan.
private final class Witness: VirtualTable {
  let columns = [VirtualTableColumn("name", .text)]
  let name: String
  let log: Log<String>
  let onScan: @Sendable (Database) throws -> Void

  init(
    _ name: String, _ log: Log<String> = Log(),
    onScan: @escaping @Sendable (Database) throws -> Void = { _ in }
  ) {
    self.name = name
    self.log = log
    self.onScan = onScan
  }

  deinit { log.append("end of \(name)") }

  func makeCursor(_ db: Database, for scan: VirtualTableScan) throws -> LoggedTable.Cursor {
    try onScan(db)
    return LoggedTable.Cursor(rows: (1...3).map { ($0, ["\(name)\($0)".databaseValue]) })
  }

  func rename(to name: String) { log.append("rename to \(name)") }

  func destroy() { log.append("destroy \(name)") }
}

/// A table that calls a closure for each insertion.
private struct Shelf: WritableVirtualTable {
  let columns = [VirtualTableColumn("title", .text)]
  let log: Log<String>
  let onInsert: @Sendable () throws -> Void

  func makeCursor(_ db: Database, for scan: VirtualTableScan) -> LoggedTable.Cursor {
    LoggedTable.Cursor(rows: [])
  }

  func insert(_ row: VirtualTableRow) throws -> Int64 {
    try onInsert()
    return 1
  }

  func update(_ key: DatabaseValue, to row: VirtualTableRow) {}

  func delete(_ key: DatabaseValue) {}

  func destroy() { log.append("destroy") }
}

@Suite("Lifetimes of virtual tables")
struct VirtualTableLifetimeTests {
  @Test func `a table lives as long as it is registered`() throws {
    let log = Log<String>()
    let queue = try DatabaseQueue()
    try queue.inDatabase { db throws -> Void in
      try db.register(table: "t", Witness("one", log))
      #expect(try String.fetchOne(db, sql: "SELECT name FROM t") == "one1")
      try db.register(table: "t", Witness("two", log))
      #expect(try String.fetchOne(db, sql: "SELECT name FROM t") == "two1")
    }
    #expect(log.elements == ["end of one"])
    try queue.close()
    #expect(log.elements == ["end of one", "end of two"])
  }

  @Test func `a removed table is gone`() throws {
    let log = Log<String>()
    try DatabaseQueue().inDatabase { db throws -> Void in
      try db.register(table: "t", Witness("one", log))
      let statement = try db.makeStatement(sql: "SELECT name FROM t")
      #expect(try String.fetchOne(statement) == "one1")
      try db.unregister(module: "t")
      #expect(databaseError { try String.fetchOne(statement) }?.message == "no such table: t")
      #expect(databaseError { try Table("t").fetchCount(db) }?.message == "no such table: t")
      try db.unregister(module: "t")
      try db.unregister(module: "never there")
    }
    #expect(log.elements == ["end of one"])
  }

  @Test func `a table that is replaced while a statement runs serves it to its end`() throws {
    try DatabaseQueue().inDatabase { db throws -> Void in
      try db.register(table: "t", Witness("a"))
      let cursor = try String.fetchCursor(db, sql: "SELECT name FROM t")
      #expect(try cursor.next() == "a1")
      try db.register(table: "t", Witness("b"))
      #expect(try String.fetchAll(db, sql: "SELECT name FROM t") == ["b1", "b2", "b3"])
      #expect(try cursor.next() == "a2")
      #expect(try cursor.next() == "a3")
      #expect(try cursor.next() == nil)
    }
  }

  @Test func `columns of a replaced table are read anew`() throws {
    try DatabaseQueue().inDatabase { db throws -> Void in
      try db.register(table: "t", rows: [1]) { t in t.column("a") { $0 } }
      #expect(try Row.fetchOne(db, sql: "SELECT * FROM t") == ["a": 1])
      #expect(try db.columns(in: "t").map(\.name) == ["a"])
      try db.register(table: "t", rows: [1]) { t in
        t.column("b") { $0 }
        t.column("c") { $0 + 1 }
      }
      #expect(try Row.fetchOne(db, sql: "SELECT * FROM t") == ["b": 1, "c": 2])
      #expect(try db.columns(in: "t").map(\.name) == ["b", "c"])
    }
  }

  @Test func `a table replaces itself after the statement that scans it`() throws {
    try DatabaseQueue().inDatabase { db throws -> Void in
      let second = Witness("second")
      try db.register(
        table: "t", Witness("first") { db in try db.register(table: "t", second) })
      #expect(
        try String.fetchAll(db, sql: "SELECT name FROM t") == ["first1", "first2", "first3"])
      #expect(try String.fetchOne(db, sql: "SELECT name FROM t") == "second1")
    }
  }

  @Test func `a cursor runs other statements`() throws {
    try DatabaseQueue().inDatabase { db throws -> Void in
      try db.execute(sql: "CREATE TABLE visit (n)")
      let log = Log<String>()
      try db.register(
        table: "t",
        Witness("x") { db in
          log.append("\(try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM visit") ?? 0)")
        })
      try db.execute(sql: "INSERT INTO visit VALUES (1), (2)")
      #expect(try String.fetchAll(db, sql: "SELECT name FROM t").count == 3)
      #expect(log.elements == ["2"])
    }
  }

  @Test func `tables that use each other without end are an error`() throws {
    let error = databaseError {
      try DatabaseQueue().inDatabase { db throws -> Void in
        try db.register(
          table: "t",
          Witness("x") { db in
            let statement = try db.makeStatement(sql: "SELECT name FROM t")
            _ = try String.fetchAll(statement)
          })
        _ = try String.fetchAll(db, sql: "SELECT name FROM t")
      }
    }
    #expect(error?.message?.hasSuffix("virtual tables use each other without end") == true)
  }

  @Test func `a table that accesses its queue throws`() throws {
    let queue = try DatabaseQueue()
    let error = databaseError {
      try queue.inDatabase { db throws -> Void in
        try db.register(table: "t", Witness("x") { _ in try queue.read { _ in } })
        _ = try String.fetchAll(db, sql: "SELECT name FROM t")
      }
    }
    #expect(error?.resultCode == .SQLITE_MISUSE)
    #expect(error?.message?.hasPrefix("t: ") == true)
  }

  @Test func `a scan is interrupted`() throws {
    let queue = try DatabaseQueue()
    let error = databaseError {
      try queue.inDatabase { db throws -> Void in
        try db.register(table: "t", Witness("x") { _ in queue.interrupt() })
        _ = try String.fetchAll(db, sql: "SELECT name FROM t")
      }
    }
    #expect(error?.resultCode == .SQLITE_INTERRUPT)
    try queue.inDatabase { db throws -> Void in
      try db.register(table: "t", GenerateSeries())
      #expect(try Int.fetchOne(db, sql: "SELECT value FROM t(3)") == 3)
    }
  }

  @Test func `a closed connection registers nothing`() throws {
    let queue = try DatabaseQueue()
    try queue.close()
    let error = databaseError {
      try queue.inDatabase { db throws -> Void in try db.register(table: "t", Witness("x")) }
    }
    #expect(error?.message == "Connection is closed")
  }

  @Test func `statements may outlive the connection`() throws {
    let log = Log<String>()
    var statement: Statement?
    do {
      let queue = try DatabaseQueue()
      try queue.inDatabase { db throws -> Void in
        try db.register(table: "t", Witness("x", log))
        let kept = try db.makeStatement(sql: "SELECT name FROM t")
        #expect(try String.fetchOne(kept) == "x1")
        statement = kept
      }
    }
    #expect(statement != nil)
    statement = nil
    #expect(log.elements == ["end of x"])
  }
}

@Suite("Modules of virtual tables")
struct VirtualTableModuleTests {
  @Test func `tables of a module are created, used by other connections, renamed, dropped`() throws
  {
    try withTemporaryDirectory { directory throws in
      let log = Log<String>()
      var configuration = Configuration()
      configuration.prepareDatabase { db in
        try db.register(module: "witness") { arguments in
          log.append("\(arguments.isCreation ? "create" : "connect") \(arguments.tableName)")
          return Witness(arguments.options.first?.value ?? "?", log)
        }
      }
      let path = directory + "/library.sqlite"
      try DatabaseQueue(path: path, configuration: configuration).write { db in
        try db.create(virtualTable: "book", using: "witness(name = 'it''s, me', other thing)")
        #expect(try String.fetchOne(db, sql: "SELECT name FROM book") == "it's, me1")
        #expect(try db.tableExists("book"))
      }
      #expect(log.elements == ["create book", "end of it's, me"])
      log.removeAll()
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      try queue.write { db in
        #expect(try Table("book").fetchCount(db) == 3)
        try db.rename(table: "book", to: "tome")
        #expect(try Table("tome").fetchCount(db) == 3)
        try db.drop(table: "tome")
      }
      #expect(log.elements.prefix(2) == ["connect book", "rename to tome"])
      #expect(log.elements.contains("destroy it's, me"))
      try queue.close()
    }
  }

  @Test func `a table can't be dropped by its own insertion`() throws {
    let log = Log<String>()
    try DatabaseQueue().inDatabase { db throws -> Void in
      nonisolated(unsafe) let connection = db
      try db.register(module: "shelf") { _ in
        Shelf(log: log) { try connection.execute(sql: "DROP TABLE book") }
      }
      try db.create(virtualTable: "book", using: "shelf")
      let error = databaseError { try db.execute(sql: "INSERT INTO book VALUES ('Emma')") }
      #expect(error?.resultCode == .SQLITE_LOCKED)
      #expect(error?.message == "book: database table is locked")
      #expect(log.elements == [])
      try db.drop(table: "book")
      #expect(log.elements == ["destroy"])
    }
  }

  @Test func `a module has no table of its own name`() throws {
    try DatabaseQueue().inDatabase { db throws -> Void in
      try db.register(module: "witness") { _ in Witness("x") }
      let error = databaseError { try Table("witness").fetchCount(db) }
      #expect(error?.message == "no such table: witness")
    }
  }

  @Test func `a table whose module is missing is an error`() throws {
    try withTemporaryDirectory { directory throws in
      let path = directory + "/library.sqlite"
      try DatabaseQueue(path: path).inDatabase { db throws -> Void in
        try db.register(module: "witness") { _ in Witness("x") }
        try db.create(virtualTable: "book", using: "witness")
      }
      let error = databaseError {
        try DatabaseQueue(path: path).read { db in try Row.fetchAll(db, sql: "SELECT * FROM book") }
      }
      #expect(error?.message == "no such module: witness")
    }
  }

  @Test func `an error of the module is one of the creation`() throws {
    try DatabaseQueue().inDatabase { db throws -> Void in
      try db.register(module: "witness") { arguments throws -> Witness in
        throw DatabaseError(resultCode: .SQLITE_CANTOPEN, message: "nothing to witness")
      }
      let error = databaseError { try db.create(virtualTable: "book", using: "witness") }
      #expect(error?.resultCode == .SQLITE_CANTOPEN)
      #expect(error?.message == "book: nothing to witness")
      #expect(try !db.tableExists("book"))
    }
  }

  @Test func `the arguments of a table`() {
    let arguments = VirtualTableArguments(
      [
        "m", "main", "t", "a='x''y'", " B = \"q\"\"r\" ", "[c d] TEXT", "`e`", "f=[g h]", "i=", "",
      ], isCreation: true)
    #expect(arguments.schemaName == "main")
    #expect(arguments.tableName == "t")
    #expect(arguments.options.map(\.key) == ["a", "b", "f", "i"])
    #expect(arguments.options.map(\.value) == ["x'y", "q\"r", "g h", ""])
    #expect(arguments.otherTexts == ["[c d] TEXT", "`e`"])
  }
}
