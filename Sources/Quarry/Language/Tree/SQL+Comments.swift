// Comments at the end of SQL.

extension SQL {
  /// The text behind which more SQL can be written: a line end or `*/` in a comment, else an empty
  /// one. Nil in a quoted text.
  var commentEnd: String? {
    // What is interpolated is no comment, and may stand in one.
    let text = elements.map { $0.rawText ?? "x" }.joined()
    return ["", "\n", " */"].first(where: text.admitsSQL)
  }
}

extension SQL.Element {
  var mayEndInComment: Bool { rawText?.mayEndInComment ?? false }

  fileprivate var rawText: String? { if case .raw(let text, _) = self { text } else { nil } }
}

extension String {
  /// Whether a comment may have begun in the text, as if there were no quotes: all texts are looked
  /// through, and few have tokens to be read.
  fileprivate var mayEndInComment: Bool {
    zip(utf8, utf8.dropFirst()).contains { first, second in
      first == UInt8(ascii: "-") && second == first
        || first == UInt8(ascii: "/") && second == UInt8(ascii: "*")
    }
  }

  /// Whether SQL behind the text, and what ends it, is no part of a comment or of a quoted text.
  fileprivate func admitsSQL(behind end: String) -> Bool {
    var last: SQLTokens.Token?
    for token in SQLTokens("\(self)\(end);") { last = token }
    if case .symbol(UInt8(ascii: ";"), _)? = last { return true }
    return false
  }
}
