/// The primary key of a table, or of a view that has one.
///
/// | table | `columns` | `rowIDColumn` | `isRowID` |
/// | --- | --- | --- | --- |
/// | `CREATE TABLE t (id INTEGER PRIMARY KEY)` | `["id"]` | `"id"` | true |
/// | `CREATE TABLE t (code TEXT PRIMARY KEY)` | `["code"]` | nil | false |
/// | `CREATE TABLE t (a, b, PRIMARY KEY (a, b))` | `["a", "b"]` | nil | false |
/// | `CREATE TABLE t (a)` | `["rowid"]` | nil | true |
///
/// See <https://www.sqlite.org/rowidtable.html>.
public struct PrimaryKeyInfo: Sendable {
  /// The columns of the key, in key order. `["rowid"]` if the table declares no key: `["_rowid_"]`
  /// or `["oid"]` where another column has this name. Where columns have all three names, nothing
  /// identifies a row: what needs the key throws.
  public let columns: [String]

  /// The column that is an alias of the rowid: an `INTEGER PRIMARY KEY`.
  public let rowIDColumn: String?

  /// True if the key is the rowid, by the name of a column or hidden.
  public let isRowID: Bool

  /// The name of the rowid in SQL, which is `rowid` unless another column has this name. Nil for
  /// views and `WITHOUT ROWID` tables, and where columns have all names of the rowid.
  package let rowIDName: String?

  /// The collations of the index of the key that are not those of its columns, by column. The index
  /// decides which rows have the same key.
  package var keyCollations: [BinaryText: String] = [:]

  /// The names of the rowid, where no columns have them.
  static let rowIDNames = ["rowid", "_rowid_", "oid"]

  /// The table declares no key.
  static func hiddenRowID(named name: String? = "rowid") -> PrimaryKeyInfo {
    PrimaryKeyInfo(
      columns: [name ?? "rowid"], rowIDColumn: nil, isRowID: true, rowIDName: name)
  }

  /// The key is a column that is an alias of the rowid.
  static func rowID(_ column: String, named name: String = "rowid") -> PrimaryKeyInfo {
    PrimaryKeyInfo(columns: [column], rowIDColumn: column, isRowID: true, rowIDName: name)
  }

  /// The key is no alias of the rowid.
  static func regular(_ columns: [String], rowIDName: String?) -> PrimaryKeyInfo {
    PrimaryKeyInfo(columns: columns, rowIDColumn: nil, isRowID: false, rowIDName: rowIDName)
  }

  /// True if the key has one column whose declared type makes it an alias of the rowid, other
  /// things equal.
  static func isRowIDCandidate(_ keyColumns: [ColumnInfo]) -> Bool {
    keyColumns.count == 1 && keyColumns[0].type.uppercased() == "INTEGER"
  }

  /// True if the table declares no key: rows are identified by a rowid without name.
  var isHiddenRowID: Bool { isRowID && rowIDColumn == nil }

  /// False for a table without primary key whose columns have all names of the rowid: no column
  /// identifies its rows.
  package var isNamed: Bool { !isHiddenRowID || rowIDName != nil }
}

extension [ColumnInfo] {
  /// The name of the rowid that is no column, or nil where columns have all its names.
  ///
  /// See <https://www.sqlite.org/lang_createtable.html#rowids_and_the_integer_primary_key>.
  func freeRowIDName(besides rowIDColumn: String? = nil) -> String? {
    PrimaryKeyInfo.rowIDNames.first { name in
      !contains { $0.name.isSameIdentifier(as: name) }
        || rowIDColumn?.isSameIdentifier(as: name) == true
    }
  }

  /// The columns of the primary key, in key order.
  package var primaryKeyColumns: [ColumnInfo] {
    filter { $0.primaryKeyIndex > 0 }.sorted { $0.primaryKeyIndex < $1.primaryKeyIndex }
  }
}
