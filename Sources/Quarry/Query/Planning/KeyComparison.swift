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
  package func mayCollate(
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
  package func affinity(of column: String, in table: String) throws -> ColumnInfo.Affinity {
    try affinity(of: columns(of: table).named(column), in: table)
  }

  /// - parameter info: the column, nil for the rowid.
  fileprivate func affinity(of info: ColumnInfo?, in table: String) throws -> ColumnInfo.Affinity {
    guard let info else { return .numeric }
    // In other tables than strict ones, `ANY` is an unknown type.
    if info.type.isSameIdentifier(as: "ANY"), try isStrict(table) { return .none }
    return info.affinity
  }
}

extension SchemaReader {
  /// Whether a join compares a column as a unique index on it does, so that two rows with different
  /// values there are never joined to one row of the parent: by the collation of the column, or by
  /// bytes, and without a conversion of its values. Numbers are never converted; other values, of a
  /// parent whose columns are not known, may be.
  func isJoinedAsIndexed(
    _ column: String, of table: String, with parentColumn: String, of parent: Source,
    parentCompares: Bool
  ) throws -> Bool {
    let own = try affinity(of: column, in: table)
    if parentCompares, try mayCollate([parentColumn], of: parent),
      try own != .numeric || knowsCollations(of: parent)
    {
      return false
    }
    if own == .numeric { return true }
    let other: ColumnInfo.Affinity
    switch parent {
    case .table(let name): other = try affinity(of: parentColumn, in: name)
    case .function(let name, _):
      other =
        try columnsIfExists(of: name)?.named(parentColumn)?.affinity
        ?? ColumnInfo.Affinity.none
    case .tableExpression, .subquery: return false
    }
    return own == other || own == .text && other == .none
  }
}

// The values of a record, in the place of its columns.
extension SchemaReader {
  /// The values of a record, each with the affinity of its column where that decides how SQLite
  /// compares a column of another table: `CAST(1 AS NUMERIC)` equals the text `'1'` in a column
  /// without type.
  ///
  /// - parameter values: the value of a column, nil for a null.
  package func comparable(
    _ values: @escaping (String) -> SQLExpression?, of parent: Source, with source: Source,
    along mapping: [(origin: String, destination: String)], parentIsOrigin: Bool
  ) throws -> (String) -> SQLExpression? {
    guard case .table(let table) = parent, case .table(let child) = source,
      let columns = try columnsIfExists(of: table),
      let otherColumns = try columnsIfExists(of: child)
    else { return values }
    var affinities: [BinaryText: ColumnInfo.Affinity] = [:]
    for pair in mapping {
      let (column, other) =
        parentIsOrigin ? (pair.origin, pair.destination) : (pair.destination, pair.origin)
      let (info, otherInfo) = (columns.named(column), otherColumns.named(other))
      if let info, let otherInfo, info.isDeclared(like: otherInfo) { continue }
      let otherAffinity = try affinity(of: otherInfo, in: child)
      // A column of numbers converts any value.
      if otherAffinity == .numeric { continue }
      let columnAffinity = try affinity(of: info, in: table)
      if columnAffinity != otherAffinity { affinities[BinaryText(column)] = columnAffinity }
    }
    if affinities.isEmpty { return values }
    return { column in
      guard let value = values(column), let affinity = affinities[BinaryText(column)] else {
        return values(column)
      }
      return value.cast(to: affinity)
    }
  }
}

extension [ColumnInfo] {
  fileprivate func named(_ name: String) -> ColumnInfo? {
    first { $0.name.isSameIdentifier(as: name) }
  }
}

extension ColumnInfo {
  /// Whether the columns certainly have the same affinity. Each request for a record asks for it.
  fileprivate func isDeclared(like other: ColumnInfo) -> Bool {
    type.hasSameBytes(as: other.type) && !type.isSameIdentifier(as: "ANY")
  }
}

extension SQLExpression {
  /// The value as a column stores it, with the affinity of the column. A cast changes other values
  /// than those that the column converts.
  fileprivate func cast(to affinity: ColumnInfo.Affinity) -> SQLExpression {
    guard case .value(let value) = node else { return self }
    switch affinity {
    case .numeric where value.isStoredNumber || value.isNumberAsText:
      return SQLExpression(.cast(self, type: "NUMERIC"))
    case .text where value.isStoredNumber: return SQLExpression(.cast(self, type: "TEXT"))
    default: return self
    }
  }
}

extension DatabaseValue {
  var isStoredNumber: Bool {
    switch storage {
    case .int64, .double: true
    case .null, .string, .blob: false
    }
  }

  package var isNumberAsText: Bool {
    guard case .string(let text) = storage else { return false }
    return text.allSatisfy { "0123456789+-.eE".contains($0) } && Double(text) != nil
  }
}
