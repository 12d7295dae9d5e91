// How SQLite compares the columns of keys: the collation of the left one compares texts, and values
// are converted where the affinities differ. See
// <https://www.sqlite.org/datatype3.html#comparison_expressions>.

extension SchemaReader {
  /// Whether a collation may compare the texts of some columns: those of views and of queries are
  /// not known.
  func mayCollate(_ columns: [String], of source: Source) throws -> Bool {
    if try !knowsCollations(of: source) { return true }
    guard case .table(let table) = source else { return false }
    return try columns.contains { try !comparesBytes(of: $0, in: table) }
  }

  /// The same for pairs of columns.
  func mayCollate(
    _ mapping: [(origin: String, destination: String)], of source: Source, _ other: Source
  ) throws -> Bool {
    // A name that is none of a column in the source is compared by no collation.
    let columns = mapping.flatMap { [$0.origin, $0.destination] }
    return try mayCollate(columns, of: source) || mayCollate(columns, of: other)
  }

  func knowsCollations(of source: Source) throws -> Bool {
    switch source {
    case .table(let table): try !isView(table)
    case .function: true
    case .tableExpression, .subquery: false
    }
  }
}

extension SchemaReader {
  /// The affinity of a column: that of integers for the rowid, which is no column.
  func affinity(of column: String, in table: String) throws -> ColumnInfo.Affinity {
    let info = try columns(of: table).first { $0.name.isSameIdentifier(as: column) }
    guard let info else { return .numeric }
    // In other tables than strict ones, `ANY` is an unknown type.
    if info.type.isSameIdentifier(as: "ANY"), try isStrict(table) { return .none }
    return info.affinity
  }
}
