public import Quarry
public import QuarryTables

/// A table of given rows, which chooses what a closure chooses, and logs its scans.
public struct LoggedTable: VirtualTable {
  public var columns: [VirtualTableColumn]
  public var rows: [[DatabaseValue]]
  public let log = Log<String>()
  public var planning: @Sendable (inout VirtualTableQuery) throws -> Void

  public init(
    columns: [VirtualTableColumn], rows: [[DatabaseValue]],
    planning: @escaping @Sendable (inout VirtualTableQuery) throws -> Void = { _ in }
  ) {
    self.columns = columns
    self.rows = rows
    self.planning = planning
  }

  /// Takes care of all constraints, except those of other collations.
  public static func useAll(_ query: inout VirtualTableQuery) {
    for constraint in query.constraints where constraint.collation == "BINARY" {
      query.use(
        constraint, wholeList: true,
        isExact: constraint.operator == .isNull || constraint.operator == .isNotNull)
    }
  }

  public func plan(_ query: inout VirtualTableQuery) throws { try planning(&query) }

  public func makeCursor(_ db: Database, for scan: VirtualTableScan) -> Cursor {
    log.append(Self.description(of: scan))
    var numbered = Array(zip(1..., rows)).filter { number, row in
      scan.conditions.allSatisfy { condition in
        condition.mayHold(for: condition.column.map { row[$0] } ?? number.databaseValue)
      }
    }
    if let ordering = scan.orderings.first, ordering.column == nil, ordering.isDescending {
      numbered.reverse()
    }
    numbered = Array(numbered.dropFirst(Int(scan.offset)))
    if let limit = scan.limit { numbered = Array(numbered.prefix(Int(limit))) }
    return Cursor(rows: numbered)
  }

  private static func description(of scan: VirtualTableScan) -> String {
    var parts = scan.conditions.map { condition in
      "\(condition.column ?? -1) \(condition.operator) "
        + condition.values.map(\.description).sorted().joined(separator: " ")
    }
    parts += scan.arguments.map { "argument \($0?.description ?? "none")" }
    parts += scan.orderings.map { "order \($0.column ?? -1)\($0.isDescending ? " desc" : "")" }
    if let limit = scan.limit { parts.append("limit \(limit)") }
    if scan.offset > 0 { parts.append("offset \(scan.offset)") }
    if scan.strategy != 0 { parts.append("strategy \(scan.strategy)") }
    return parts.joined(separator: ", ")
  }

  public struct Cursor: VirtualTableCursor {
    let rows: [(Int, [DatabaseValue])]
    var position = -1

    public init(rows: [(Int, [DatabaseValue])]) {
      self.rows = rows
    }

    public mutating func next() -> Bool {
      position += 1
      return position < rows.count
    }

    public func value(at column: Int) -> (any DatabaseValueConvertible)? {
      rows[position].1[column]
    }

    public var rowID: Int64 { Int64(rows[position].0) }
  }
}

/// Four books: isbn, title, year.
public func makeBooks() -> LoggedTable {
  LoggedTable(
    columns: [
      VirtualTableColumn("isbn", .text), VirtualTableColumn("title", .text),
      VirtualTableColumn("year", .integer),
    ],
    rows: [
      ["111".databaseValue, "Emma".databaseValue, 1815.databaseValue],
      ["222".databaseValue, "Dracula".databaseValue, 1897.databaseValue],
      ["333".databaseValue, "Ulysses".databaseValue, 1922.databaseValue],
      ["444".databaseValue, "Anonymous".databaseValue, .null],
    ])
}

/// A queue with a table, and what a closure does with it.
public func withTable<T>(
  _ table: some VirtualTable, named name: String = "book", _ body: (Database) throws -> T
) throws -> T {
  try DatabaseQueue().inDatabase { db throws -> T in
    try db.register(table: name, table)
    return try body(db)
  }
}

/// The error of a table.
public struct TableFailure: Error, CustomStringConvertible {
  public var description: String

  public init(description: String) {
    self.description = description
  }
}
