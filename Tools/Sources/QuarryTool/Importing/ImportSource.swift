import Foundation
import Quarry

/// A row of a file: values by column, and where it stands.
struct ImportRow {
  var columns: [String]
  var values: [DatabaseValue]
  var line: Int
  /// How far the file is read, in the unit of the size of the source.
  var position: Int
}

/// A file with rows, read one by one.
protocol ImportSource {
  var size: Int { get throws }

  /// The columns of a new table for the file.
  func columns(_ db: Database) throws -> [(name: String, type: String?)]

  func read(
    into table: Catalog.Table, _ db: Database, _ body: (ImportRow) throws -> Void) throws
}

/// Inserts rows, and knows how many.
struct ImportTarget {
  var table: Catalog.Table
  var source: String
  var skipsRejected: Bool
  private(set) var count = 0
  private(set) var rejected = 0
  private var columns: [String] = []
  private var sql = ""

  private static let maximumShown = 20

  init(table: Catalog.Table, source: String, skipsRejected: Bool) {
    self.table = table
    self.source = source
    self.skipsRejected = skipsRejected
  }

  mutating func insert(_ row: ImportRow, _ db: Database) throws {
    if row.columns != columns { try use(row.columns, line: row.line) }
    do {
      try db.cachedStatement(sql: sql).execute(arguments: StatementArguments(row.values))
      count += 1
    } catch let error as DatabaseError where error.isRejection {
      let details = error.details?.replacing("\n", with: " - ")
      let reason = [error.message, details].compactMap { $0 }.joined(separator: " - ")
      let message = "\(source):\(row.line): \(reason)"
      guard skipsRejected else { throw ToolError("\(message); nothing is imported") }
      rejected += 1
      if rejected <= Self.maximumShown { Output.note(message) }
    }
  }

  private mutating func use(_ columns: [String], line: Int) throws {
    for name in columns where table.column(name) == nil {
      throw ToolError("\(source):\(line): table \(table.name) has no column \(name)")
    }
    self.columns = columns
    let names = columns.map(\.quotedDatabaseIdentifier).joined(separator: ", ")
    let marks = columns.map { _ in "?" }.joined(separator: ", ")
    sql =
      columns.isEmpty
      ? "INSERT INTO \(table.quotedName) DEFAULT VALUES"
      : "INSERT INTO \(table.quotedName) (\(names)) VALUES (\(marks))"
  }
}

extension DatabaseError {
  /// Whether the row is at fault, and others may be inserted.
  fileprivate var isRejection: Bool {
    resultCode == .SQLITE_CONSTRAINT || resultCode == .SQLITE_MISMATCH
  }
}

/// Columns that are computed are in exports, and can't be inserted.
struct ColumnFilter {
  /// The positions of the columns to insert.
  var indices: [Int]
  var names: [String]

  init(_ columns: [String], _ table: Catalog.Table) {
    indices = columns.indices.filter { table.column(columns[$0])?.isGenerated != true }
    names = indices.map { columns[$0] }
  }
}
