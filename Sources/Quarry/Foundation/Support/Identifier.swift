extension String {
  /// The string as an SQL identifier: between double quotes, embedded quotes doubled.
  ///
  /// ```swift
  /// // SELECT * FROM "book"
  /// try db.execute(sql: "SELECT * FROM \(tableName.quotedDatabaseIdentifier)")
  /// ```
  ///
  /// See <https://www.sqlite.org/lang_keywords.html>.
  public var quotedDatabaseIdentifier: String { utf8.quoted("\"") }

  /// The string as an SQL identifier, without quotes where it is a word of ASCII characters.
  package var plainOrQuotedIdentifier: String {
    let isWord = utf8.allSatisfy { $0 == UInt8(ascii: "_") || $0.isASCIILetterOrDigit }
    return isWord && utf8.first?.isASCIIDigit == false ? self : quotedDatabaseIdentifier
  }

  /// The string as an SQL text: between single quotes, embedded quotes doubled.
  package var quotedDatabaseText: String { utf8.quoted("'") }

  /// The text between the quotes of an SQL text or identifier, or the string itself.
  package var unquoted: String {
    let scalars = unicodeScalars
    guard let open = scalars.first, "'\"`[".unicodeScalars.contains(open), scalars.count > 1,
      scalars.last == (open == "[" ? "]" : open)
    else { return self }
    var inner = String.UnicodeScalarView()
    var isSecond = false
    for scalar in scalars.dropFirst().dropLast() {
      if !isSecond || scalar != open { inner.append(scalar) }
      isSecond = scalar == open && open != "[" && !isSecond
    }
    return String(inner)
  }

  /// `authorName` for `("author", "name")`: names of foreign key columns are made so.
  var uppercasingFirstLetter: String {
    guard let first else { return self }
    return first.uppercased() + dropFirst()
  }

  /// `player` for `player12`.
  var withoutTrailingDigits: String {
    let digits = utf8.reversed().prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    return digits.isEmpty ? self : String(dropLast(digits.count))
  }
}

extension Collection<UInt8> {
  /// The text in quotes, which are doubled inside. By bytes: a quote and a combining character are
  /// one character for Swift, and two for SQL.
  func quoted(_ quote: Unicode.Scalar) -> String {
    let quote = UInt8(ascii: quote)
    var bytes = [quote]
    bytes.reserveCapacity(count + 2)
    for byte in self {
      if byte == quote { bytes.append(quote) }
      bytes.append(byte)
    }
    bytes.append(quote)
    return String(decoding: bytes, as: UTF8.self)
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

extension UInt8 {
  var isASCIIDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

  var isASCIIUppercaseLetter: Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) }

  var isASCIILetterOrDigit: Bool {
    isASCIIDigit || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self)
      || isASCIIUppercaseLetter
  }
}
