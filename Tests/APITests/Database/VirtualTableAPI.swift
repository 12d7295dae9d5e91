import Quarry
import QuarryTables

struct CountdownTable: VirtualTable {
  let columns: [VirtualTableColumn] = [
    VirtualTableColumn("number", .integer), VirtualTableColumn("name").primaryKey(),
    VirtualTableColumn("note", .text).hidden().collate(.nocase),
    .parameter("start"), .parameter("step", .integer, isOptional: true),
  ]
  var trust: SchemaTrust { .innocuous }

  func plan(_ query: inout VirtualTableQuery) throws {
    for constraint in query.constraints {
      let _: Int? = constraint.column
      let _: VirtualTableOperator = constraint.operator
      let _: String = constraint.collation
      query.use(constraint)
      query.use(constraint, wholeList: constraint.isList, isExact: false)
    }
    for ordering in query.orderings where ordering.column == 0 {
      query.isOrdered = ordering.isDescending
    }
    query.handlesLimit = query.needsColumn(0)
    query.isUnique = false
    query.estimatedRowCount = 10
    query.estimatedCost = 10.5
    query.strategy = 1
  }

  func makeCursor(_ db: Database, for scan: VirtualTableScan) throws -> Cursor {
    for condition in scan.conditions {
      let _: (Int?, VirtualTableOperator) = (condition.column, condition.operator)
      let _: ([DatabaseValue], DatabaseValue) = (condition.values, condition.value)
      let _: Bool = condition.mayHold(for: .null)
    }
    let _: [DatabaseValue?] = scan.arguments
    let _: [VirtualTableQuery.Ordering] = scan.orderings
    let _: (Int64?, Int64, Int32) = (scan.limit, scan.offset, scan.strategy)
    let _: Bool = scan.needsColumn(1)
    return Cursor()
  }

  func rename(to name: String) throws {}

  func destroy() throws {}

  struct Cursor: VirtualTableCursor {
    var rowID: Int64 = 11

    mutating func next() throws -> Bool {
      rowID -= 1
      return rowID >= 0
    }

    func value(at column: Int) throws -> (any DatabaseValueConvertible)? { rowID }
  }
}

struct SinkTable: TransactionalVirtualTable {
  let columns = [VirtualTableColumn("value")]

  func makeCursor(_ db: Database, for scan: VirtualTableScan) -> CountdownTable.Cursor {
    CountdownTable.Cursor()
  }

  func insert(_ row: VirtualTableRow) throws -> Int64 {
    let _: [DatabaseValue] = row.values
    let _: DatabaseValue = row[0]
    let _: Database.ConflictResolution = row.conflictResolution
    return row.rowID ?? 1
  }

  func update(_ key: DatabaseValue, to row: VirtualTableRow) throws {}
  func delete(_ key: DatabaseValue) throws {}
  func begin() throws {}
  func prepareToCommit() throws {}
  func commit() {}
  func rollback() {}
  func savepoint(_ level: Int) throws {}
  func release(_ level: Int) throws {}
  func rollback(to level: Int) throws {}
}

func swiftTables(_ db: Database) throws {
  try db.register(table: "countdown", CountdownTable())
  try db.register(module: "sink") { arguments throws -> SinkTable in
    let _: (String, String) = (arguments.schemaName, arguments.tableName)
    let _: ([String], [String]) = (arguments.texts, arguments.otherTexts)
    let _: [(key: String, value: String)] = arguments.options
    let _: Bool = arguments.isCreation
    return SinkTable()
  }
  try db.unregister(module: "sink")
  try db.register(table: "player", rows: [Player]()) { t in
    t.column("name", type: .text, isIndexed: true, \.name)
    t.column("score") { $0.score }
  }
  try db.register(table: "digits", parameters: ["number"]) { arguments in
    arguments[0].description
  } columns: { t in
    t.column("digit") { String($0) }
  }
  try db.register(table: "now", rows: { _ in [1] }) { t in t.column("value") { $0 } }
  let operators: [VirtualTableOperator] = [
    .equal, .greaterThan, .lessThanOrEqual, .lessThan, .greaterThanOrEqual, .match, .like, .glob,
    .regexp, .notEqual, .isNot, .isNotNull, .isNull, .is,
  ]
  _ = operators.map(\.rawValue) + VirtualTableOperator.allCases.map(\.rawValue)
  let _: [SchemaTrust] = [.innocuous, .normal, .directOnly]
}

func readyVirtualTables(_ db: Database) throws {
  try db.register(table: "generate_series", GenerateSeries())
  try db.register(table: "book", CSVTable(path: "/tmp/books.csv"))
  _ = try CSVTable(
    path: "/tmp/books.csv", columns: [VirtualTableColumn("title")], types: ["title": .text],
    hasHeader: false, delimiter: ";", null: "-")
  try CSVModule.register(on: db)
  try db.create(virtualTable: "book", using: CSVModule()) { t in
    t.path = "/tmp/books.csv"
    t.hasHeader = true
    t.delimiter = ";"
    t.column("title")
    t.column("year", .integer)
  }
}
