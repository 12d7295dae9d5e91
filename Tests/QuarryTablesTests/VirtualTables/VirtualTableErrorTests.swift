import Quarry
import QuarryTables
import QuarryTestSupport
import Testing

@Suite("Errors of virtual tables")
struct VirtualTableErrorTests {
  /// A table of three rows that fails somewhere.
  struct FailingTable: VirtualTable {
    enum Place {
      case plan, makeCursor, firstRow, thirdRow, value, rowID, invalidValue
    }
    let columns = [VirtualTableColumn("number")]
    let place: Place
    let error: any Error

    func plan(_ query: inout VirtualTableQuery) throws {
      if place == .plan { throw error }
    }

    func makeCursor(_ db: Database, for scan: VirtualTableScan) throws -> Cursor {
      if place == .makeCursor { throw error }
      return Cursor(place: place, error: error)
    }

    struct Cursor: VirtualTableCursor {
      let place: Place
      let error: any Error
      var number = 0

      mutating func next() throws -> Bool {
        number += 1
        if place == .firstRow || place == .thirdRow && number == 3 { throw error }
        return number < 4
      }

      func value(at column: Int) throws -> (any DatabaseValueConvertible)? {
        if place == .value { throw error }
        return number
      }

      var rowID: Int64 {
        get throws {
          if place == .rowID { throw error }
          return Int64(number)
        }
      }
    }
  }

  func failure(_ place: FailingTable.Place, _ error: any Error) -> DatabaseError? {
    databaseError {
      try withTable(FailingTable(place: place, error: error), named: "my numbers") { db throws in
        try Row.fetchAll(db, sql: "SELECT rowid, * FROM \"my numbers\"")
      }
    }
  }

  @Test(arguments: [
    FailingTable.Place.plan, .makeCursor, .firstRow, .thirdRow, .value, .rowID,
  ])
  func `an error of the table is one of the statement`(place: FailingTable.Place) {
    let error = failure(place, TableFailure(description: "the shelf is locked"))
    #expect(error?.message == "my numbers: the shelf is locked")
    #expect(error?.resultCode == .SQLITE_ERROR)
    #expect(error?.sql == "SELECT rowid, * FROM \"my numbers\"")
  }

  @Test(arguments: [FailingTable.Place.makeCursor, .firstRow, .thirdRow, .value, .rowID])
  func `a database error keeps its code`(place: FailingTable.Place) {
    let error = failure(place, DatabaseError(resultCode: .SQLITE_IOERR_READ, message: "no disk"))
    #expect(error?.extendedResultCode == .SQLITE_IOERR_READ)
    #expect(error?.message == "my numbers: no disk")
  }

  @Test(arguments: [ResultCode.SQLITE_OK, .SQLITE_ROW, .SQLITE_DONE])
  func `an error with the code of a success is an error`(code: ResultCode) {
    for place in [FailingTable.Place.plan, .makeCursor, .thirdRow, .value] {
      let error = failure(place, DatabaseError(resultCode: code, message: "odd"))
      #expect(error?.resultCode == .SQLITE_ERROR)
      #expect(error?.message == "my numbers: odd")
    }
  }

  @Test func `after an error the connection goes on`() throws {
    let table = FailingTable(place: .thirdRow, error: TableFailure(description: "stop"))
    try withTable(table, named: "n") { db throws in
      let cursor = try Int.fetchCursor(db, sql: "SELECT number FROM n")
      #expect(try cursor.next() == 1)
      #expect(try cursor.next() == 2)
      #expect(databaseError { try cursor.next() }?.message == "n: stop")
      #expect(try Int.fetchAll(db, sql: "SELECT number FROM n LIMIT 2") == [1, 2])
      try db.execute(sql: "CREATE TABLE t AS SELECT * FROM n LIMIT 2")
      #expect(try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM t") == 2)
    }
  }

  @Test(
    arguments: [
      ([], "a table needs a column"),
      ([.parameter("a")], "a table needs a column"),
      ([VirtualTableColumn("name"), VirtualTableColumn("NAME")], "duplicate column name: NAME"),
      ([VirtualTableColumn("a\0b")], "a name can't contain a NUL character: \"a\\0b\""),
      (
        [VirtualTableColumn("a", .init(rawValue: "TEXT, b"))],
        "column a has no valid type: TEXT, b"
      ),
      (
        [VirtualTableColumn("a", .init(rawValue: "TEXT) -- "))],
        "column a has no valid type: TEXT) -- "
      ),
      (
        [VirtualTableColumn.parameter("a"), VirtualTableColumn("b")],
        "parameters must be the last columns"
      ),
    ] as [([VirtualTableColumn], String)])
  func `columns that SQLite can't have`(columns: [VirtualTableColumn], message: String) throws {
    let table = LoggedTable(columns: columns, rows: [])
    let error = databaseError { try withTable(table, named: "odd") { _ in } }
    #expect(error?.message == "odd: \(message)")
  }

  @Test func `too many columns are an error of the statement`() throws {
    let columns = (0..<3000).map { VirtualTableColumn("c\($0)") }
    let error = databaseError {
      try withTable(LoggedTable(columns: columns, rows: []), named: "wide") { db throws in
        try Row.fetchAll(db, sql: "SELECT * FROM wide")
      }
    }
    #expect(error?.message?.contains("too many columns") == true)
  }

  @Test(arguments: ["", "a\0b"])
  func `names that SQLite can't have`(name: String) throws {
    let error = databaseError { try withTable(makeBooks(), named: name) { _ in } }
    #expect(error?.resultCode == .SQLITE_MISUSE)
    #expect(error?.message == "no name for a virtual table: \(name.debugDescription)")
  }

  @Test func `values that can't be stored are errors`() throws {
    struct Odd: DatabaseValueConvertible {
      var databaseValue: DatabaseValue { DatabaseValue(value: Double.nan) ?? .null }
      static func fromDatabaseValue(_ dbValue: DatabaseValue) -> Odd? { nil }
    }
    try DatabaseQueue().inDatabase { db throws -> Void in
      try db.register(table: "odd", rows: [1]) { t in t.column("value") { _ in Odd() } }
      // NaN is NULL for SQLite.
      #expect(try DatabaseValue.fetchOne(db, sql: "SELECT value FROM odd") == .null)
    }
  }
}
