import Foundation
import Quarry

/// The Swift types of columns: by their declaration, as far as the values agree.
struct ValueTypes {
  /// A Swift type, and the reason why a value may throw.
  struct Choice {
    var type: String
    var remark: String?
  }

  private var choices: [[UInt8]: [[UInt8]: Choice]] = [:]

  init(_ catalog: Catalog, _ db: Database) throws {
    db.add(function: Self.readsDate)
    for table in catalog.tables where table.problem == nil && table.kind != .shadow {
      choices[table.name.nameKey] = try Self.choices(table, db)
    }
  }

  func choice(_ table: Catalog.Table, _ column: Catalog.Column) -> Choice {
    choices[table.name.nameKey]?[column.name.nameKey] ?? Choice(type: "String", remark: nil)
  }

  /// A result has 2000 columns at most, and there are five for each column of a table.
  private static let scannedCount = 300

  /// Whether the library reads a text as a date. SQLite takes times and numbers for some, too.
  private static let readsDate = DatabaseFunction(
    "quarry_reads_date", argumentCount: 1, pure: true
  ) { values in
    Date.fromDatabaseValue(values[0]) != nil
  }

  private static func choices(
    _ table: Catalog.Table, _ db: Database
  ) throws -> [[UInt8]: Choice] {
    var choices: [[UInt8]: Choice] = [:]
    for start in stride(from: 0, to: table.columns.count, by: scannedCount) {
      let columns = table.columns.dropFirst(start).prefix(scannedCount)
      guard let row = try count(columns, table, db) else { return [:] }
      for (index, column) in columns.enumerated() {
        let counts = try (0..<5).map { try row.decode(Int?.self, atIndex: index * 5 + $0) ?? 0 }
        let values = Values(counts)
        choices[column.name.nameKey] = values.choice(column, isView: table.kind != .table)
      }
    }
    return choices
  }

  /// One scan of the table counts the types of the values of columns. Nil if that fails where it
  /// may: a view, a virtual table or a generated column may call what is missing here.
  private static func count(
    _ columns: ArraySlice<Catalog.Column>, _ table: Catalog.Table, _ db: Database
  ) throws -> Row? {
    let sums = columns.flatMap { countSQL($0) }.joined(separator: ", ")
    let sql = "SELECT \(sums) FROM \(table.quotedName)"
    let mayFail = table.kind != .table || columns.contains(where: \.isGenerated)
    if mayFail { return try? Row.fetchOne(db, sql: sql) }
    return try Row.fetchOne(db, sql: sql)
  }

  private static func countSQL(_ column: Catalog.Column) -> [String] {
    let name = column.quotedName
    let kinds = ["integer", "real", "text", "blob"].map { "typeof(\(name)) = '\($0)'" }
    let isDate = "julianday(\(name)) IS NOT NULL AND quarry_reads_date(\(name))"
    let isNoDate = column.isDate ? "typeof(\(name)) = 'text' AND NOT (\(isDate))" : "0"
    return (kinds + [isNoDate]).map { "SUM(\($0))" }
  }
}

/// How many values of each type a column has.
private struct Values {
  var integers, reals, texts, blobs, textsWithoutDate: Int

  init(_ counts: [Int]) {
    integers = counts[0]
    reals = counts[1]
    texts = counts[2]
    blobs = counts[3]
    textsWithoutDate = counts[4]
  }

  func choice(_ column: Catalog.Column, isView: Bool) -> ValueTypes.Choice {
    if column.type.uppercased().contains("BOOL") { return declared("Bool", texts + blobs) }
    if column.isDate, textsWithoutDate + blobs == 0 { return date }
    switch column.affinity {
    case .integer: return declared("Int", reals + texts + blobs)
    case .text: return declared("String", blobs)
    case .real: return declared("Double", texts + blobs)
    case .numeric where texts > 0: return declared("String", blobs)
    case .numeric: return declared("Double", blobs)
    // A column of a view that is an expression declares no type, as one that takes all values.
    case .blob where column.type.isEmpty || isView: return stored
    case .blob: return declared("Data", integers + reals)
    }
  }

  private func declared(_ type: String, _ others: Int) -> ValueTypes.Choice {
    let remark = "\(others.counted("value")) of another type: reading them as \(type) may throw."
    return ValueTypes.Choice(type: type, remark: others == 0 ? nil : remark)
  }

  private var date: ValueTypes.Choice {
    let numbers = integers + reals
    let remark = "\(numbers.counted("number")): read as seconds since 1970."
    return ValueTypes.Choice(type: "Date", remark: numbers == 0 ? nil : remark)
  }

  /// The type that all values fit in. Numbers are read as texts, too.
  private var stored: ValueTypes.Choice {
    if integers + reals + texts == 0 { return declared(blobs > 0 ? "Data" : "String", 0) }
    if texts + blobs + reals == 0 { return declared("Int", 0) }
    if texts + blobs == 0 { return declared("Double", 0) }
    return declared("String", blobs)
  }
}
