import Foundation
import Quarry
import QuarryBlobs
import QuarryTables
import QuarryTestSupport
import Testing

@Suite("What refers to a replaced database")
struct ReplacementTests {
  /// Newer versions of SQLite add `json_each` by themselves when it is used, and lose no table of
  /// it.
  static let keepsJSONTables: Bool = {
    let names = try? DatabaseQueue().inDatabase {
      try String.fetchAll($0, sql: "PRAGMA module_list")
    }
    return names?.contains("json_each") != false
  }()

  private func makeData(_ sql: String) throws -> Data {
    try DatabaseQueue().inDatabase { db in
      try db.execute(sql: sql)
      return try db.serialize()
    }
  }

  /// Takes the memory that SQLite frees.
  private func makeLibraries() throws -> [DatabaseQueue] {
    try (0..<3).map { _ in
      let queue = try DatabaseQueue()
      try queue.write { db in try db.execute(sql: "CREATE TABLE book (title)") }
      return queue
    }
  }

  @Test(arguments: ["main", "other"])
  func `statements are compiled again, also for an equal version of the schema`(schema: String)
    throws
  {
    let tables = "CREATE TABLE author (name); CREATE TABLE book (title);"
    let former = try makeData(tables + "INSERT INTO book VALUES ('Emma')")
    let data = try makeData(
      """
      CREATE TABLE author (name);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 1000)
      INSERT INTO author SELECT 'Ann' FROM n;
      CREATE TABLE book (title);
      INSERT INTO book VALUES ('Persuasion')
      """)
    try DatabaseQueue().inDatabase { db throws -> Void in
      try db.execute(sql: "ATTACH ':memory:' AS other")
      try db.deserialize(former, schema: schema)
      let version = try Int.fetchOne(db, sql: "PRAGMA \(schema).schema_version")
      let titles = try db.makeStatement(sql: "SELECT title FROM \(schema).book")
      let insertion = try db.makeStatement(sql: "INSERT INTO \(schema).book VALUES ('Sanditon')")
      #expect(try String.fetchAll(titles) == ["Emma"])
      try db.deserialize(data, schema: schema)
      #expect(try Int.fetchOne(db, sql: "PRAGMA \(schema).schema_version") == version)
      #expect(try String.fetchAll(titles) == ["Persuasion"])
      try insertion.execute()
      #expect(try String.fetchAll(titles) == ["Persuasion", "Sanditon"])
      #expect(try String.fetchAll(db, sql: "PRAGMA \(schema).integrity_check") == ["ok"])
    }
  }

  @Test func `temporary triggers and views belong to the tables that take the place`() throws {
    let data = try makeData("CREATE TABLE book (year, title)")
    let queue = try DatabaseQueue()
    try queue.writeWithoutTransaction { db in
      try db.execute(
        sql: """
          CREATE TABLE book (title);
          CREATE TEMP TABLE log (title);
          CREATE TEMP VIEW shelf AS SELECT * FROM main.book;
          CREATE TEMP TRIGGER logged AFTER INSERT ON main.book BEGIN
            INSERT INTO log VALUES (new.title);
          END
          """)
      #expect(try Row.fetchAll(db, sql: "SELECT * FROM shelf") == [])
      let libraries = try makeLibraries()
      try db.deserialize(data)
      try db.execute(sql: "INSERT INTO book VALUES (1815, 'Emma')")
      #expect(
        try Row.fetchAll(db, sql: "SELECT * FROM shelf") == [["year": 1815, "title": "Emma"]])
      #expect(try String.fetchAll(db, sql: "SELECT title FROM log") == ["Emma"])
      // The table of the trigger is gone.
      try db.deserialize(Data())
      #expect(try String.fetchAll(db, sql: "SELECT title FROM log") == ["Emma"])
      withExtendedLifetime(libraries) {}
    }
  }

  @Test func `a schema that can be written stays so`() throws {
    try DatabaseQueue().inDatabase { db throws -> Void in
      try db.execute(sql: "CREATE TEMP VIEW one AS SELECT 1; PRAGMA writable_schema = 1")
      try db.deserialize(Data())
      #expect(try Int.fetchOne(db, sql: "PRAGMA writable_schema") == 1)
    }
  }

  @Test func `tables of pragmas can be read before and after`() throws {
    let data = try makeData("CREATE TABLE book (year, title)")
    let sql = "SELECT name FROM pragma_table_xinfo('book')"
    for _ in 0..<20 {
      try DatabaseQueue().inDatabase { db throws -> Void in
        try db.execute(sql: "CREATE TABLE book (title)")
        let names = try db.makeStatement(sql: sql)
        #expect(try String.fetchAll(names) == ["title"])
        let libraries = try makeLibraries()
        try db.deserialize(data)
        let others = try makeLibraries()
        #expect(try String.fetchAll(db, sql: sql) == ["year", "title"])
        #expect(try String.fetchAll(names) == ["year", "title"])
        withExtendedLifetime(libraries + others) {}
      }
    }
  }

  @Test func `tables written in Swift can be read before and after`() throws {
    let data = try makeData("CREATE TABLE book (title)")
    let sql = "SELECT value FROM pair ORDER BY value"
    for _ in 0..<20 {
      try DatabaseQueue().inDatabase { db throws -> Void in
        try db.register(table: "pair", Pair())
        let values = try db.makeStatement(sql: sql)
        #expect(try Int.fetchAll(values) == [1, 2])
        let libraries = try makeLibraries()
        try db.deserialize(data)
        let others = try makeLibraries()
        #expect(try Int.fetchAll(db, sql: sql) == [1, 2])
        #expect(try Int.fetchAll(values) == [1, 2])
        withExtendedLifetime(libraries + others) {}
      }
    }
  }

  @Test func `a database in memory is replaced after a use of json_each`() throws {
    let data = try makeData("CREATE TABLE book (title); INSERT INTO book VALUES ('Emma')")
    let sql = "SELECT value FROM json_each('[1, 2]')"
    let queue = try DatabaseQueue()
    let observer = ChangeCounter()
    queue.add(transactionObserver: observer, extent: .databaseLifetime)
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "CREATE TABLE book (year)")
      for count in 1...20 {
        #expect(try Int.fetchAll(db, sql: sql) == [1, 2])
        let libraries = try makeLibraries()
        try db.deserialize(data)
        #expect(observer.counts.elements.count == count)
        #expect(try String.fetchAll(db, sql: "SELECT title FROM book") == ["Emma"])
        withExtendedLifetime(libraries) {}
      }
      try db.deserialize(Data())
      #expect(try !db.tableExists("book"))
      #expect(try Int.fetchAll(db, sql: sql) == [1, 2])
    }
  }

  @Test(arguments: [false, true])
  func `a file that data have replaced is in memory, and is replaced after a use of json_each`(
    isFile: Bool
  ) throws {
    let data = try makeData("CREATE TABLE book (title); INSERT INTO book VALUES ('Emma')")
    try withTemporaryDirectory { directory in
      let path = isFile ? directory + "/library.sqlite" : ":memory:"
      try DatabaseQueue(path: path).inDatabase { db throws -> Void in
        try db.deserialize(data)
        for _ in 1...3 {
          #expect(try Int.fetchAll(db, sql: "SELECT value FROM json_each('[1, 2]')") == [1, 2])
          try db.execute(sql: "DELETE FROM book")
          try db.deserialize(data)
          #expect(try String.fetchAll(db, sql: "SELECT title FROM book") == ["Emma"])
        }
      }
    }
  }

  enum Damage: CaseIterable {
    case sql, page, row

    func damage(_ data: inout Data) throws {
      switch self {
      case .sql:
        let range = try #require(data.range(of: Data("CREATE TABLE author".utf8)))
        data.replaceSubrange(range, with: Data("CREATE TABXX author".utf8))
      case .page: for index in 100..<300 { data[index] = 0xFE }
      case .row:
        data = try DatabaseQueue().inDatabase { db in
          try db.execute(
            sql: """
              CREATE TABLE author (name);
              PRAGMA writable_schema = 1;
              INSERT INTO sqlite_master VALUES (NULL, NULL, NULL, 0, NULL)
              """)
          return try db.serialize()
        }
      }
    }
  }

  @Test(arguments: Damage.allCases, [false, true])
  func `a damaged database is replaced`(damage: Damage, hasUsedJSON: Bool) throws {
    let data = try makeData("CREATE TABLE book (title); INSERT INTO book VALUES ('Emma')")
    var damaged = try makeData("CREATE TABLE author (name)")
    try damage.damage(&damaged)
    let observer = ChangeCounter()
    try DatabaseQueue().inDatabase { db throws -> Void in
      try db.execute(sql: "CREATE TABLE book (year); ATTACH ':memory:' AS other")
      let sql = "SELECT value FROM json_each('[1, 2]')"
      if hasUsedJSON { #expect(try Int.fetchAll(db, sql: sql) == [1, 2]) }
      for schema in ["main", "other"] {
        try db.deserialize(damaged, schema: schema)
        #expect(
          databaseError { try db.execute(sql: "SELECT * FROM book") }?.resultCode == .SQLITE_CORRUPT
        )
        let libraries = try makeLibraries()
        if schema == "other" {
          db.add(transactionObserver: observer)
          try db.deserialize(data)
          #expect(observer.counts.elements.count == 1)
        }
        try db.deserialize(data, schema: schema)
        #expect(try String.fetchAll(db, sql: "SELECT title FROM \(schema).book") == ["Emma"])
        #expect(try Int.fetchOne(db, sql: "PRAGMA writable_schema") == 0)
        withExtendedLifetime(libraries) {}
      }
      #expect(try Int.fetchAll(db, sql: sql) == [1, 2])
      #expect(try String.fetchAll(db, sql: "SELECT title FROM main.book") == ["Emma"])
    }
  }

  @Test(.enabled(if: keepsJSONTables, "SQLite adds json_each again"), arguments: [false, true])
  func `a damaged file is replaced, unless json_each was used`(hasUsedJSON: Bool) throws {
    let data = try makeData("CREATE TABLE book (title)")
    try withTemporaryDirectory { directory in
      let queue = try DatabaseQueue(path: directory + "/library.sqlite")
      try queue.inDatabase { db throws -> Void in
        if hasUsedJSON { try db.execute(sql: "SELECT value FROM json_each('[1]')") }
        try db.execute(
          sql: """
            CREATE TABLE author (name);
            PRAGMA writable_schema = 1;
            UPDATE sqlite_master SET sql = 'CREATE TABXX author (name)';
            PRAGMA writable_schema = RESET
            """)
        let error = databaseError { try db.deserialize(data) }
        #expect(error?.resultCode == (hasUsedJSON ? .SQLITE_MISUSE : nil))
        let failure = databaseError { try db.execute(sql: "SELECT title FROM book") }
        #expect(failure?.resultCode == (hasUsedJSON ? .SQLITE_CORRUPT : nil))
      }
    }
  }

  @Test(.enabled(if: keepsJSONTables, "SQLite adds json_each again"))
  func `a file, or a database of another page size, stays after a use of json_each`() throws {
    let data = try makeData("CREATE TABLE book (title)")
    let otherSize = try makeData("PRAGMA page_size = 1024; CREATE TABLE book (title)")
    func expectRefusal(_ db: Database, _ data: Data, readonly: Bool = false) throws {
      try db.execute(sql: "CREATE TABLE author AS SELECT value FROM json_each('[1]')")
      let error = databaseError { try db.deserialize(data, readonly: readonly) }
      #expect(error?.resultCode == .SQLITE_MISUSE)
      #expect(
        error?.message == "the main database can't be replaced any more, since json_each was used, "
          + "which SQLite makes a part of it: deserialize before, or in another DatabaseQueue")
      #expect(try Int.fetchAll(db, sql: "SELECT value FROM author") == [1])
      #expect(db.limit(.columnCount) == 2000)
      // Others are none of SQLite's business.
      try db.execute(sql: "ATTACH ':memory:' AS other")
      try db.deserialize(data, schema: "other", readonly: readonly)
      #expect(try Row.fetchAll(db, sql: "SELECT title FROM other.book") == [])
    }
    try withTemporaryDirectory { directory in
      let queue = try DatabaseQueue(path: directory + "/library.sqlite")
      try queue.inDatabase { db throws -> Void in try expectRefusal(db, data) }
    }
    try DatabaseQueue().inDatabase { db throws -> Void in try expectRefusal(db, otherSize) }
    try DatabaseQueue().inDatabase { db throws -> Void in
      try expectRefusal(db, data, readonly: true)
    }
  }

  @Test func `a table named like a module is none of its tables`() throws {
    let data = try makeData("CREATE TABLE book (title)")
    try withTemporaryDirectory { directory in
      let queue = try DatabaseQueue(path: directory + "/library.sqlite")
      try queue.inDatabase { db throws -> Void in
        for schema in ["main", "temp"] {
          try db.execute(
            sql: "CREATE TABLE \(schema).rtree (a); CREATE TABLE \(schema).json_each (a)")
          #expect(try Row.fetchAll(db, sql: "SELECT a FROM json_each") == [])
          try db.deserialize(data)
          #expect(try Row.fetchAll(db, sql: "SELECT title FROM book") == [])
        }
      }
    }
  }

  @Test(.enabled(if: keepsJSONTables, "SQLite adds json_each again"))
  func `a table named like a module does not hide a use of the module`() throws {
    try withTemporaryDirectory { directory in
      let queue = try DatabaseQueue(path: directory + "/library.sqlite")
      try queue.inDatabase { db throws -> Void in
        #expect(try Int.fetchAll(db, sql: "SELECT value FROM json_each('[1]')") == [1])
        for schema in ["main", "temp"] {
          try db.execute(sql: "CREATE TABLE \(schema).json_each (a)")
          #expect(databaseError { try db.deserialize(Data()) }?.resultCode == .SQLITE_MISUSE)
        }
      }
    }
  }

  @Test func `a virtual table can't replace the database that asks it`() throws {
    let table = Replacing()
    try DatabaseQueue().inDatabase { db throws -> Void in
      try db.register(table: "replacing", table)
      table.replace.value = { try db.deserialize(Data()) }
      let error = databaseError { try Row.fetchAll(db, sql: "SELECT * FROM replacing") }
      #expect(
        error?.message
          == "replacing: a database can't be replaced while a virtual table is being asked")
      table.replace.value = nil
    }
  }

  @Test func `the data of full-text tables take the place of others`() throws {
    let sql = "CREATE VIRTUAL TABLE book USING fts5(title); INSERT INTO book VALUES "
    let data = try makeData(sql + "('Emma')")
    try DatabaseQueue().inDatabase { db throws -> Void in
      try db.execute(sql: sql + "('Persuasion')")
      let search = try db.makeStatement(sql: "SELECT title FROM book WHERE book MATCH ?")
      #expect(try String.fetchAll(search, arguments: ["persuasion"]) == ["Persuasion"])
      try db.deserialize(data)
      #expect(try String.fetchAll(search, arguments: ["persuasion"]) == [])
      #expect(try String.fetchAll(search, arguments: ["emma"]) == ["Emma"])
      try db.execute(sql: "INSERT INTO book VALUES ('Sanditon')")
      #expect(try String.fetchAll(search, arguments: ["sanditon"]) == ["Sanditon"])
    }
  }
}

/// A table whose values are 1 and 2.
private struct Pair: VirtualTable {
  let columns = [VirtualTableColumn("value", .integer)]

  func makeCursor(_ db: Database, for scan: VirtualTableScan) -> Cursor { Cursor() }

  struct Cursor: VirtualTableCursor {
    var rowID: Int64 = 0

    mutating func next() -> Bool {
      rowID += 1
      return rowID <= 2
    }

    func value(at column: Int) -> (any DatabaseValueConvertible)? { rowID }
  }
}

/// A table that does something when a statement is compiled.
private struct Replacing: VirtualTable {
  final class Action: @unchecked Sendable { var value: (() throws -> Void)? }

  let replace = Action()
  let columns = [VirtualTableColumn("value", .integer)]

  func plan(_ query: inout VirtualTableQuery) throws { try replace.value?() }
  func makeCursor(_ db: Database, for scan: VirtualTableScan) -> Pair.Cursor { Pair.Cursor() }
}

/// Counts commits of changes that are known by their tables only.
private final class ChangeCounter: TransactionObserver {
  let counts = Log<Int>()
  private var hasChanged = false

  func observes(eventsOfKind kind: DatabaseEventKind) -> Bool { true }
  func databaseDidChange() { hasChanged = true }
  func databaseDidChange(with event: DatabaseEvent) {}
  func databaseDidCommit(_ db: Database) {
    if hasChanged { counts.append(1) }
    hasChanged = false
  }
  func databaseDidRollback(_ db: Database) {}
}
