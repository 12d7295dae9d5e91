extension String {
  /// The words of the text as the tokenizers `simple` of FTS3 and `ascii` of FTS5 find them: runs
  /// of ASCII letters and digits, and of all characters that are not ASCII. ASCII letters are
  /// lower-cased.
  func asciiTokens() -> [String] {
    utf8.split { $0 < 0x80 && !$0.isASCIILetterOrDigit }.map { word in
      String(decoding: word.map { $0.isASCIIUppercaseLetter ? $0 | 0x20 : $0 }, as: UTF8.self)
    }
  }

  /// The words of the text as FTS3 finds them.
  func simpleTokens() -> [String] { untilNUL.asciiTokens() }

  /// The text up to its first NUL, where FTS3 stops.
  var untilNUL: String { utf8.firstIndex(of: 0).map { String(self[..<$0]) } ?? self }
}
