/// Replaces the end of the words that it matches.
struct InflectionRule: Sendable {
  private enum Match: Sendable {
    case word, ending
    /// The ending follows a letter that is none of those.
    case endingAfterNone(of: [UInt8])
  }

  private let match: Match
  private let patterns: [[UInt8]]
  let dropped: Int
  let appended: String

  private init(_ match: Match, _ patterns: [String], drop: Int, append: String) {
    self.match = match
    self.patterns = patterns.map { Array($0.utf8) }
    dropped = drop
    appended = append
  }

  /// Whole words.
  static func word(_ words: String..., drop: Int = 0, append: String = "") -> Self {
    Self(.word, words, drop: drop, append: append)
  }

  static func ending(_ endings: String..., drop: Int = 0, append: String = "") -> Self {
    Self(.ending, endings, drop: drop, append: append)
  }

  static func consonant(before ending: String, drop: Int, append: String) -> Self {
    Self(.endingAfterNone(of: Array("aeiouy".utf8)), [ending], drop: drop, append: append)
  }

  static func nonF(before ending: String, drop: Int, append: String) -> Self {
    Self(.endingAfterNone(of: Array("f".utf8)), [ending], drop: drop, append: append)
  }

  /// - parameter word: The lower-cased word.
  func matches(_ word: [UInt8]) -> Bool {
    patterns.contains { pattern in
      switch match {
      case .word:
        word == pattern
      case .ending:
        word.ends(with: pattern)
      case .endingAfterNone(let letters):
        word.count > pattern.count && word.ends(with: pattern)
          && !letters.contains(word[word.count - pattern.count - 1])
      }
    }
  }
}

extension [UInt8] {
  fileprivate func ends(with suffix: [UInt8]) -> Bool {
    count >= suffix.count && self[(count - suffix.count)...].elementsEqual(suffix)
  }
}
