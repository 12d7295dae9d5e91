import Foundation
import Quarry

// A changeset has the values of a row in the order of the columns, without their names. A log and
// an undo stack keep the names beside it: after a migration that drops, replaces or moves columns,
// the values would get into other ones.

/// The columns of tables when their rows were recorded, by the names of the tables.
typealias RecordedColumns = [String: [String]]

extension RecordedColumns {
  /// The columns of JSON.
  init?(json: String?) throws {
    guard let json else { return nil }
    self = try JSONDecoder().decode(Self.self, from: Data(json.utf8))
  }
}

/// Why values don't fit the columns of a table, which are neither those that were recorded, nor
/// these and more after them.
struct ColumnMisfit {
  let reason: String
  let column: String?

  /// Nil where they fit.
  ///
  /// - parameter recorded: The columns of the values, nil where they are not known.
  /// - parameter count: The number of values.
  init?(_ recorded: [String]?, _ count: Int, in columns: [String]) {
    let recorded = recorded ?? []
    let place = recorded.indices.first { index in
      index >= columns.count || !columns[index].isSameIdentifier(as: recorded[index])
    }
    if let place {
      let name = recorded[place]
      column = name
      reason =
        place < columns.count
        ? "its column \(place + 1) is \(columns[place]), and that of the changeset is \(name)"
        : "it has no column \(name), which the changeset has"
    } else if columns.count < count {
      column = columns.last
      reason =
        "it has \(columns.count) columns, the last of which is \(columns.last ?? "none"), and the "
        + "changeset has \(count)"
    } else {
      return nil
    }
  }
}

extension String {
  /// A value as JSON, with its keys in order.
  init(json value: some Encodable) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    self.init(decoding: try encoder.encode(value), as: UTF8.self)
  }
}

extension Database {
  /// The columns of tables of the main database, as they are.
  func recordedColumns(of tables: [String]) throws -> RecordedColumns {
    var columns: RecordedColumns = [:]
    for table in tables where columns[table] == nil {
      columns[table] = try plainColumns(of: table).map(\.name)
    }
    return columns
  }

  /// Adds the column of recorded columns to a table of changes that an earlier version has created.
  func addRecordedColumns(to table: String, in schema: String) throws {
    let columns = try String.fetchAll(
      self, sql: "SELECT name FROM pragma_table_info(?, ?)", arguments: [table, schema])
    guard columns.contains("changes"), !columns.contains("columns") else { return }
    let name = "\(schema.quotedDatabaseIdentifier).\(table.quotedDatabaseIdentifier)"
    try execute(sql: "ALTER TABLE \(name) ADD COLUMN columns TEXT")
  }
}
