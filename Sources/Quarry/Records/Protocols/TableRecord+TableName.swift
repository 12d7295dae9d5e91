/// The default names of tables, computed once per type.
private let tableNames = TypeTable<String>()

extension TableRecord {
  /// The default name of the table. In methods of a class, `Self` would be its superclass.
  static var defaultTableName: String {
    tableNames.value(of: self) { String(tableOfTypeNamed: "\(self)") }
  }
}

extension String {
  /// `httpRequest` for `HTTPRequest`, `toefl` for `TOEFL`, `gen` for `Gen<Int>`.
  init(tableOfTypeNamed typeName: String) {
    let name = typeName.prefix { $0 != "<" }
    let capitals = name.prefix { $0.isASCII && $0.isUppercase }
    let rest = name.dropFirst(capitals.count)
    // The last of several capitals starts the next word.
    if capitals.count > 1, !rest.isEmpty {
      self = capitals.dropLast().lowercased() + capitals.suffix(1) + rest
    } else {
      self = capitals.lowercased() + rest
    }
  }
}
