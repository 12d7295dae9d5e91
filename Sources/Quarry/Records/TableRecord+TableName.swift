/// The default names of tables, computed once per type.
private let tableNames = Locked<[ObjectIdentifier: String]>([:])

extension TableRecord {
  /// The default name of the table.
  static var defaultTableName: String {
    tableNames.withLock { names in
      let id = ObjectIdentifier(Self.self)
      if let name = names[id] { return name }
      let name = String(tableOfTypeNamed: "\(Self.self)")
      names[id] = name
      return name
    }
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
