/// The default names of tables, computed once per type.
enum TableNames {
  private static let names = Locked<[ObjectIdentifier: String]>([:])

  static func name(for type: Any.Type) -> String {
    names.withLock { names in
      let id = ObjectIdentifier(type)
      if let name = names[id] { return name }
      let name = tableName(ofTypeNamed: "\(type)")
      names[id] = name
      return name
    }
  }

  /// `httpRequest` for `HTTPRequest`, `toefl` for `TOEFL`, `gen` for `Gen<Int>`.
  static func tableName(ofTypeNamed typeName: String) -> String {
    let name = typeName.prefix { $0 != "<" }
    let capitals = name.prefix { $0.isASCII && $0.isUppercase }
    let rest = name.dropFirst(capitals.count)
    // The last of several capitals starts the next word.
    if capitals.count > 1, !rest.isEmpty {
      return capitals.dropLast().lowercased() + capitals.suffix(1) + rest
    }
    return capitals.lowercased() + rest
  }
}
