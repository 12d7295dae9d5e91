// How SQLite compares the columns of keys: the collation of the left one compares texts, and values
// are converted where the affinities differ. See
// <https://www.sqlite.org/datatype3.html#comparison_expressions>.

extension SchemaReader {
  /// Whether a collation may compare the texts of some columns: those of views are not known.
  func mayCollate(_ columns: [String], of source: Source) throws -> Bool {
    guard case .table(let table) = source else { return false }
    return try isView(table) || columns.contains { try !comparesBytes(of: $0, in: table) }
  }
}

extension [ColumnInfo] {
  /// That of integers for the rowid, which is no column.
  func affinity(of column: String) -> ColumnInfo.Affinity {
    first { $0.name.isSameIdentifier(as: column) }?.affinity ?? .numeric
  }
}
