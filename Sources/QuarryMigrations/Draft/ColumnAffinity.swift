import Quarry

/// See <https://www.sqlite.org/datatype3.html#determination_of_column_affinity>.
enum ColumnAffinity: String {
  case integer = "INTEGER"
  case text = "TEXT"
  case blob = "BLOB"
  case real = "REAL"
  case numeric = "NUMERIC"

  init(ofType type: String) {
    let type = type.asciiUppercased
    self =
      if type.contains("INT") {
        .integer
      } else if ["CHAR", "CLOB", "TEXT"].contains(where: type.contains) {
        .text
      } else if type.isEmpty || type.contains("BLOB") {
        .blob
      } else if ["REAL", "FLOA", "DOUB"].contains(where: type.contains) {
        .real
      } else {
        .numeric
      }
  }

  /// Whether values of a column with another affinity are stored as they are.
  func keeps(_ old: ColumnAffinity) -> Bool {
    switch self {
    case .blob: true
    case .numeric: old == .integer || old == .real
    case .integer: old == .real || old == .numeric
    case .text, .real: false
    }
  }
}

extension TableText {
  var isStrict: Bool { options.contains("STRICT") }

  func affinity(of column: ColumnText) -> ColumnAffinity {
    // In other tables than strict ones, ANY means NUMERIC.
    isStrict && column.type.key == "any" ? .blob : ColumnAffinity(ofType: column.typeText)
  }
}

extension ColumnText {
  var typeText: String { type.map(\.name).joined(separator: " ") }
  /// The same for types that are the same: `DECIMAL(10, 2)` and `"decimal(10,2)"`, but not
  /// `INTEGER` and `"INTEGER "`.
  var typeKey: String {
    let parts = typeText.asciiLowercased.map { "(),+-".contains($0) ? " \($0) " : String($0) }
    let key = parts.joined().split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return key == "integer" && !isInteger ? key.quotedDatabaseIdentifier : key
  }
}

extension Database.ColumnType {
  /// Whether a column of a declared type stores such values as they are.
  func isKept(byType type: String, isStrict: Bool) -> Bool {
    if isStrict {
      let type = type.asciiUppercased
      return type == "ANY" || strict.rawValue == (type == "INT" ? "INTEGER" : type)
    }
    let (column, values) = (ColumnAffinity(ofType: type), ColumnAffinity(ofType: rawValue))
    // Blobs are never converted, nor are texts that are no numbers.
    if column == values || values == .blob || self == .datetime { return true }
    return column.keeps(values)
  }

  /// The type that strict tables have for it.
  ///
  /// See <https://www.sqlite.org/stricttables.html>.
  var strict: Self {
    switch ColumnAffinity(ofType: rawValue) {
    case .integer: .integer
    case .text: .text
    case .blob: .blob
    case .real: .real
    case .numeric: self == .boolean ? .integer : self == .datetime || self == .date ? .text : .any
    }
  }
}
