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
    for table in catalog.tables where table.problem == nil && table.kind != .shadow {
      choices[table.name.nameKey] = try Self.choices(table, db)
    }
  }

  func choice(_ table: Catalog.Table, _ column: Catalog.Column) -> Choice {
    choices[table.name.nameKey]?[column.name.nameKey] ?? Choice(type: "String", remark: nil)
  }

  /// One scan of the table counts the types of the values of all columns.
  private static func choices(
    _ table: Catalog.Table, _ db: Database
  ) throws -> [[UInt8]: Choice] {
    let sums = table.columns.flatMap { column in
      let kinds = ["integer", "real", "text", "blob"].map {
        "typeof(\(column.quotedName)) = '\($0)'"
      }
      let isNoDate =
        "typeof(\(column.quotedName)) = 'text' AND julianday(\(column.quotedName)) IS NULL"
      return (kinds + [isNoDate]).map { "SUM(\($0))" }
    }
    guard !sums.isEmpty,
      // A view or virtual table may fail for reasons of its own.
      let row = try? Row.fetchOne(
        db, sql: "SELECT \(sums.joined(separator: ", ")) FROM \(table.quotedName)")
    else { return [:] }
    var choices: [[UInt8]: Choice] = [:]
    for (index, column) in table.columns.enumerated() {
      let counts = try (0..<5).map { try row.decode(Int?.self, atIndex: index * 5 + $0) ?? 0 }
      choices[column.name.nameKey] = Values(counts).choice(column, isView: table.kind != .table)
    }
    return choices
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
    if column.isDate, textsWithoutDate + blobs == 0 { return declared("Date", 0) }
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

  /// The type that all values fit in. Numbers are read as texts, too.
  private var stored: ValueTypes.Choice {
    if integers + reals + texts == 0 { return declared(blobs > 0 ? "Data" : "String", 0) }
    if texts + blobs + reals == 0 { return declared("Int", 0) }
    if texts + blobs == 0 { return declared("Double", 0) }
    return declared("String", blobs)
  }
}
