extension String {
  /// The string as an SQL identifier: between double quotes, embedded quotes doubled.
  ///
  /// ```swift
  /// // SELECT * FROM "book"
  /// try db.execute(sql: "SELECT * FROM \(tableName.quotedDatabaseIdentifier)")
  /// ```
  ///
  /// See <https://www.sqlite.org/lang_keywords.html>.
  public var quotedDatabaseIdentifier: String {
    guard utf8.contains(UInt8(ascii: "\"")) else { return "\"" + self + "\"" }
    var quoted = "\""
    for scalar in unicodeScalars {
      if scalar == "\"" { quoted.unicodeScalars.append("\"") }
      quoted.unicodeScalars.append(scalar)
    }
    return quoted + "\""
  }

  /// `authorName` for `("author", "name")`: names of foreign key columns are made so.
  var uppercasingFirstLetter: String {
    guard let first else { return self }
    return first.uppercased() + dropFirst()
  }

  /// `book` for `Book`.
  var lowercasingFirstLetter: String {
    guard let first else { return self }
    return first.lowercased() + dropFirst()
  }

  /// `player` for `player12`.
  var withoutTrailingDigits: String {
    let digits = utf8.reversed().prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    return digits.isEmpty ? self : String(dropLast(digits.count))
  }
}

extension Sequence<String> {
  /// `"a", "b"`
  package var quotedDatabaseIdentifiers: String {
    map(\.quotedDatabaseIdentifier).joined(separator: ", ")
  }

  /// The first name that is the same identifier as one before it.
  package var firstDuplicateIdentifier: String? {
    var keys: Set<BinaryText> = []
    return first { !keys.insert($0.identifierKey).inserted }
  }
}

extension String {
  /// False for names that don't name a schema.
  var mayHaveSchema: Bool { utf8.contains(UInt8(ascii: ".")) }
}
