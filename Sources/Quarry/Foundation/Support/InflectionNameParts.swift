/// A name cut around the word that inflections change: `old-man12` is `old-`, `man`, `12`.
struct NameParts {
  let prefix: String
  let word: String
  let digits: String

  init(_ name: String) {
    let scalars = Array(name.unicodeScalars)
    let start = max(
      Self.startOfLastRun(scalars), Self.startAfterUnderscore(scalars),
      Self.startOfLastCapitals(scalars))
    var end = scalars.count
    while end > start, "0"..."9" ~= scalars[end - 1] { end -= 1 }
    prefix = String(String.UnicodeScalarView(scalars[..<start]))
    word = String(String.UnicodeScalarView(scalars[start..<end]))
    digits = String(String.UnicodeScalarView(scalars[end...]))
  }

  /// `man` in `old-man`.
  private static func startOfLastRun(_ scalars: [Unicode.Scalar]) -> Int {
    guard let last = scalars.lastIndex(where: isWordCharacter) else { return 0 }
    return scalars[..<last].lastIndex { !isWordCharacter($0) }.map { $0 + 1 } ?? 0
  }

  /// `child` in `book_child`.
  private static func startAfterUnderscore(_ scalars: [Unicode.Scalar]) -> Int {
    guard let last = scalars.lastIndex(where: { $0 != "_" }) else { return 0 }
    return scalars[..<last].lastIndex(of: "_").map { $0 + 1 } ?? 0
  }

  /// `Children` in `bookChildren`; nothing in `HTTPServer` and `playerURL`.
  private static func startOfLastCapitals(_ scalars: [Unicode.Scalar]) -> Int {
    guard let last = scalars.lastIndex(where: { "A"..."Z" ~= $0 }), last + 1 < scalars.count,
      "a"..."z" ~= scalars[last + 1] || "1"..."9" ~= scalars[last + 1]
    else { return 0 }
    return scalars[..<last].lastIndex { !("A"..."Z" ~= $0) }.map { $0 + 1 } ?? 0
  }

  private static func isWordCharacter(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .decimalNumber, .connectorPunctuation, .nonspacingMark, .spacingMark, .enclosingMark: true
    default: scalar.properties.isAlphabetic
    }
  }
}
