// The arguments of the full-text modules in SQL.

extension Set<Character> {
  /// The characters in ascending order.
  var sortedText: String { String(sorted()) }
}

extension Set<Int> {
  /// The lengths of prefixes in ascending order.
  func prefixList(separator: String) -> String {
    sorted().map(String.init).joined(separator: separator)
  }
}
