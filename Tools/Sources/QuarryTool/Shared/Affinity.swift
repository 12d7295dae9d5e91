/// See <https://www.sqlite.org/datatype3.html#determination_of_column_affinity>.
enum Affinity {
  case integer, text, blob, real, numeric
}

extension Catalog.Column {
  var affinity: Affinity {
    let type = type.uppercased()
    func has(_ words: String...) -> Bool { words.contains { type.contains($0) } }
    if has("INT") { return .integer }
    if has("CHAR", "CLOB", "TEXT") { return .text }
    if type.isEmpty || has("BLOB") { return .blob }
    if has("REAL", "FLOA", "DOUB") { return .real }
    return .numeric
  }

  /// Dates are texts in columns whose affinity is that of numbers.
  var isDate: Bool {
    let type = type.uppercased()
    return type.contains("DATE") || type.contains("TIME")
  }
}
