/// A column of a table or view.
///
/// ```swift
/// for column in try db.columns(in: "book") {
///   print(column.name, column.type)
/// }
/// ```
///
/// See <https://www.sqlite.org/pragma.html#pragma_table_xinfo>.
public struct ColumnInfo: Sendable {
  /// The name of the column.
  public let name: String

  /// The declared type of the column, empty if it has none.
  public let type: String

  /// True if the column is declared `NOT NULL`.
  public let isNotNull: Bool

  /// The SQL of the default value: `CURRENT_TIMESTAMP`, `'unknown'`, `0`.
  public let defaultValueSQL: String?

  /// The position of the column in the primary key, from 1. Zero for the other columns.
  public let primaryKeyIndex: Int

  /// True if the values are computed: `GENERATED ALWAYS AS`.
  package let isGenerated: Bool

  /// True if they are computed when they are read, and not stored.
  package let isVirtual: Bool
}

extension ColumnInfo {
  /// Creates a column from a row of `PRAGMA table_info` or `PRAGMA table_xinfo`.
  public init(row: Row) {
    primaryKeyIndex = row["pk"]
    name = row["name"]
    type = row["type"]
    defaultValueSQL = row["dflt_value"]
    isNotNull = row["notnull"]
    // 2 is a virtual generated column, 3 a stored one.
    let hidden: Int? = row["hidden"]
    isVirtual = hidden == 2
    isGenerated = isVirtual || hidden == 3
  }

  /// The affinity of a column, as far as comparisons depend on it.
  ///
  /// See <https://www.sqlite.org/datatype3.html#determination_of_column_affinity>.
  package enum Affinity {
    case none, text, numeric
  }

  package var affinity: Affinity { Self.affinity(ofType: type) }

  package static func affinity(ofType type: String) -> Affinity {
    let type = type.uppercased()
    if type.contains("INT") { return .numeric }
    if ["CHAR", "CLOB", "TEXT"].contains(where: type.contains) { return .text }
    return type.isEmpty || type.contains("BLOB") ? .none : .numeric
  }
}
