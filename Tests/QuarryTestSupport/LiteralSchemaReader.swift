@testable public import Quarry

/// A schema given in code: SQL is planned and written without a database.
///
/// ```swift
/// let schema = LiteralSchemaReader([
///   LiteralTable("author", ["id": "INTEGER", "name": "TEXT"], primaryKey: ["id"]),
///   LiteralTable(
///     "book", ["id": "INTEGER", "authorId": "INTEGER"], primaryKey: ["id"],
///     foreignKeys: [.init(["authorId"], "author", ["id"])]),
/// ])
/// ```
public final class LiteralSchemaReader: SchemaReader, Sendable {
  private let tables: [BinaryText: LiteralTable]

  /// Creates a schema from its tables and views.
  public init(_ tables: [LiteralTable]) {
    self.tables = Dictionary(uniqueKeysWithValues: tables.map { ($0.name.identifierKey, $0) })
  }

  public func exists(_ table: String) -> Bool {
    tables[table.identifierKey] != nil
  }

  public func isView(_ table: String) -> Bool {
    tables[table.identifierKey]?.kind == .view
  }

  public func columns(of table: String) throws -> [ColumnInfo] {
    let table = try find(table)
    return table.columns.map { name, type in
      let keyIndex = table.kind == .view ? nil : table.primaryKey.firstIndex(of: name)
      return ColumnInfo(
        name: name, type: type, isNotNull: false, defaultValueSQL: nil,
        primaryKeyIndex: keyIndex.map { $0 + 1 } ?? 0, isGenerated: false,
        isVirtual: false)
    }
  }

  public func primaryKeyIfKnown(of table: String) throws -> PrimaryKeyInfo? {
    let columns = try columns(of: table).primaryKeyColumns
    let table = try find(table)
    if table.kind == .view {
      return table.primaryKey.isEmpty ? nil : .regular(table.primaryKey, rowIDName: nil)
    }
    if columns.isEmpty { return .hiddenRowID() }
    if table.kind == .table, PrimaryKeyInfo.isRowIDCandidate(columns) {
      return .rowID(columns[0].name)
    }
    return .regular(table.primaryKey, rowIDName: table.kind == .table ? "rowid" : nil)
  }

  public func foreignKeys(from table: String) throws -> [ForeignKeyInfo] {
    try find(table).foreignKeys.enumerated().map { id, key in
      ForeignKeyInfo(
        id: id, destinationTable: key.table,
        mapping: zip(key.columns, key.destinationColumns).map { (origin: $0, destination: $1) })
    }
  }

  public func indexes(on table: String) throws -> [IndexInfo] {
    let table = try find(table)
    return table.uniqueKeys.enumerated().map { index, columns in
      IndexInfo(
        name: "sqlite_autoindex_\(table.name)_\(index + 1)", columns: columns, isUnique: true,
        origin: .uniqueConstraint, isPartial: false)
    }
  }

  public func hasRowID(_ table: String) throws -> Bool {
    try find(table).kind == .table
  }

  private func find(_ name: String) throws -> LiteralTable {
    guard let table = tables[name.identifierKey] else { throw DatabaseError.noSuchTable(name) }
    return table
  }
}

/// A table or view of a ``LiteralSchemaReader``.
public struct LiteralTable: Sendable {
  /// What a table is.
  public enum Kind: Sendable {
    /// A table, with a rowid or not, or a view.
    case table, withoutRowID, view
  }

  /// A foreign key of a table.
  public struct ForeignKey: Sendable {
    var columns: [String]
    var table: String
    var destinationColumns: [String]

    /// The columns, the table that they reference, and its columns.
    public init(_ columns: [String], _ table: String, _ destinationColumns: [String]) {
      self.columns = columns
      self.table = table
      self.destinationColumns = destinationColumns
    }
  }

  let name: String
  let columns: [(name: String, type: String)]
  let primaryKey: [String]
  let uniqueKeys: [[String]]
  let foreignKeys: [ForeignKey]
  let kind: Kind

  /// Creates a table or view.
  ///
  /// - parameter columns: The types of the columns, by name.
  /// - parameter primaryKey: In a view, the key that a schema source would report.
  public init(
    _ name: String,
    _ columns: KeyValuePairs<String, String>,
    primaryKey: [String] = [],
    uniqueKeys: [[String]] = [],
    foreignKeys: [ForeignKey] = [],
    kind: Kind = .table
  ) {
    self.name = name
    self.columns = columns.map { (name: $0.key, type: $0.value) }
    self.primaryKey = primaryKey
    self.uniqueKeys = uniqueKeys
    self.foreignKeys = foreignKeys
    self.kind = kind
  }
}
