/// A part of a database, such as the tables, columns and rows that a request reads.
///
/// ```swift
/// let region = try Book.filter(id: 1).databaseRegion(db)
/// print(region) // book(authorId,id,title)[1]
/// ```
///
/// A region is the full database, or some tables, each with all columns or some of them, and all
/// rows or some of them. The names of tables and columns compare regardless of case, and have no
/// schema.
public struct DatabaseRegion: Sendable {
  /// By the keys of their names. Nil is the full database.
  var tables: [BinaryText: TableRegion]?

  /// The region of nothing.
  public init() { tables = [:] }

  private init(tables: [BinaryText: TableRegion]?) { self.tables = tables }

  /// The region of the full database: all columns and rows of all tables.
  public static let fullDatabase = DatabaseRegion(tables: nil)

  /// A table as a whole.
  init(table: String) { self.init(TableRegion(name: table, columns: nil)) }

  /// Whether the region is empty.
  public var isEmpty: Bool { tables?.isEmpty == true }

  /// Whether the region is the full database.
  public var isFullDatabase: Bool { tables == nil }
}

/// The columns and rows of a table that belong to a region.
struct TableRegion: Sendable {
  /// The name, spelled as it first appeared.
  var name: String
  /// The names by their keys. Nil is all columns.
  var columns: [BinaryText: String]?
  /// Nil is all rows.
  var rowIDs: Set<Int64>?

  /// Adds all that another region of the table has. Columns and rows are united each for
  /// themselves.
  mutating func formUnion(_ other: TableRegion) {
    if let others = other.columns {
      columns?.merge(others) { first, _ in first }
    } else {
      columns = nil
    }
    if let others = other.rowIDs {
      rowIDs?.formUnion(others)
    } else {
      rowIDs = nil
    }
  }
}

extension DatabaseRegion {
  /// The region of all that one or the other region has.
  ///
  /// ```swift
  /// // book(title)[1] and book(year)[2]: book(title,year)[1,2]
  /// let region = titleOfOne.union(yearOfTwo)
  /// ```
  public func union(_ other: DatabaseRegion) -> DatabaseRegion {
    var union = self
    union.formUnion(other)
    return union
  }

  /// Adds another region. See ``union(_:)``.
  public mutating func formUnion(_ other: DatabaseRegion) {
    guard tables != nil else { return }
    guard let others = other.tables else {
      tables = nil
      return
    }
    for (key, table) in others { if tables?[key]?.formUnion(table) == nil { tables?[key] = table } }
  }

  /// Adds a column of a table. Nil is all columns.
  mutating func insert(column: String?, ofTable table: String) {
    let columns = column.map { [$0.identifierKey: $0] }
    formUnion(DatabaseRegion(TableRegion(name: table, columns: columns)))
  }

  /// Keeps some rows of a table only.
  func limited(toRows rowIDs: Set<Int64>, ofTable table: String) -> DatabaseRegion {
    let key = table.identifierKey
    guard var entry = tables?[key] else { return self }
    let rest = entry.rowIDs?.intersection(rowIDs) ?? rowIDs
    entry.rowIDs = rest
    var region = self
    region.tables?[key] = rest.isEmpty ? nil : entry
    return region
  }
}

// Compares the tables, columns and rows that the regions name. `book(*)` is not equal to the same
// table with all of its columns.
extension DatabaseRegion: Equatable {}

extension TableRegion: Equatable {
  static func == (lhs: TableRegion, rhs: TableRegion) -> Bool {
    lhs.columns?.keys == rhs.columns?.keys && lhs.rowIDs == rhs.rowIDs
  }
}

extension DatabaseRegion: CustomStringConvertible {
  /// `full database`, `empty`, or the tables: `author(*),book(title,year)[1,3]`.
  public var description: String {
    guard let tables else { return "full database" }
    if tables.isEmpty { return "empty" }
    return tables.values.sorted { $0.name < $1.name }.map(\.description).joined(separator: ",")
  }
}

extension TableRegion: CustomStringConvertible {
  var description: String {
    let columns = self.columns?.values.sorted().joined(separator: ",") ?? "*"
    guard let rowIDs else { return "\(name)(\(columns))" }
    return "\(name)(\(columns))[\(rowIDs.sorted().map(String.init).joined(separator: ","))]"
  }
}
