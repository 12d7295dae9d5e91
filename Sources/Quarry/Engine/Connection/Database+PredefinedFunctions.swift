extension Database {
  /// The functions and collations that all connections have.
  func addPredefinedFunctions() {
    let functions: [DatabaseFunction] = [
      .capitalize, .lowercase, .uppercase,
      .localizedCapitalize, .localizedLowercase, .localizedUppercase,
    ]
    let collations: [DatabaseCollation] = [
      .unicodeCompare, .caseInsensitiveCompare, .localizedCaseInsensitiveCompare,
      .localizedCompare, .localizedStandardCompare,
    ]
    for function in functions { add(function: function) }
    for collation in collations { add(collation: collation) }
  }
}
