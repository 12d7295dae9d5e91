import Quarry

/// Names of SQL as names of Swift.
enum SwiftName {
  /// `OrderDetail` for the table `Order Details`.
  static func type(_ table: String) -> String {
    let words = words(of: Inflections.default.singularize(table))
    let name = words.map { $0.uppercasingFirst }.joined()
    let valid = beginsAsName(name) ? name : name.isEmpty ? "UnnamedTable" : "Table\(name)"
    return reservedTypes.contains(valid) ? valid + "Record" : valid
  }

  /// `authorId` for `AuthorId` and `author_id`, `isbn` for `ISBN`.
  static func property(_ column: String) -> String {
    let words = words(of: column)
    guard let first = words.first else { return "column" }
    let name = ([first.lowercasingFirstWord] + words.dropFirst().map(\.uppercasingFirst)).joined()
    let valid = beginsAsName(name) ? name : "column\(name)"
    return reservedProperties.contains(valid) ? valid + "Value" : valid
  }

  /// The name of the table that a record type has by default: see `TableRecord.databaseTableName`.
  static func defaultTable(ofType name: String) -> String {
    let capitals = name.prefix { $0.isASCII && $0.isUppercase }
    let rest = name.dropFirst(capitals.count)
    guard capitals.count > 1, !rest.isEmpty else { return capitals.lowercased() + rest }
    return capitals.dropLast().lowercased() + capitals.suffix(1) + rest
  }

  /// The name in a declaration.
  static func escaped(_ name: String) -> String {
    keywords.contains(name) ? "`\(name)`" : name
  }

  /// A name that no other one has: numbered, if need be.
  static func unique(_ name: String, _ used: inout Set<String>) -> String {
    var candidate = name
    var number = 2
    while !used.insert(candidate.lowercased()).inserted {
      candidate = "\(name)\(number)"
      number += 1
    }
    return candidate
  }

  private static func words(of name: String) -> [String] {
    name.split { !$0.isLetter && !$0.isNumber }.map(String.init)
      .filter { $0.unicodeScalars.allSatisfy { $0.properties.isXIDContinue } }
  }

  private static func beginsAsName(_ name: String) -> Bool {
    name.unicodeScalars.first?.properties.isXIDStart == true
  }

  private static let keywords: Set<String> = [
    "Any", "as", "associatedtype", "break", "case", "catch", "class", "continue", "default",
    "defer", "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate",
    "for", "func", "guard", "if", "import", "in", "init", "inout", "internal", "is", "let", "nil",
    "operator", "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return",
    "static", "struct", "subscript", "super", "switch", "throw", "throws", "true", "try",
    "typealias", "var", "where", "while",
  ]

  /// Names that no property has, or that of `Hashable` has.
  private static let reservedProperties: Set<String> = ["Type", "hashValue", "init", "self"]

  /// Types of Swift, Foundation and the library that the records or their users name.
  private static let reservedTypes: Set<String> = [
    "Any", "AnyObject", "Array", "Bool", "Character", "CodingKey", "CodingKeys", "Codable",
    "Column", "Columns", "Data", "Database", "Date", "Decimal", "Decodable", "Dictionary", "Double",
    "Encodable", "Error", "Float", "ForeignKey", "Hashable", "Index", "InsertionSuccess", "Int",
    "Int64", "Never", "Optional", "PersistableRecord", "PersistenceContainer", "Protocol", "Record",
    "Result", "Row", "SQL", "Self", "Sendable", "Sequence", "Set", "Statement", "String", "Table",
    "TableRecord", "Task", "Type", "UUID", "URL", "Void",
  ]
}

extension String {
  var uppercasingFirst: String { prefix(1).uppercased() + dropFirst() }

  /// `authorId` for `AuthorId`, `isbn` for `ISBN`, `urlText` for `URLText`.
  fileprivate var lowercasingFirstWord: String {
    let capitals = prefix { $0.isUppercase }
    if capitals.count <= 1 { return prefix(1).lowercased() + dropFirst() }
    if dropFirst(capitals.count).first?.isLetter != true {
      return capitals.lowercased() + dropFirst(capitals.count)
    }
    return capitals.dropLast().lowercased() + dropFirst(capitals.count - 1)
  }
}
