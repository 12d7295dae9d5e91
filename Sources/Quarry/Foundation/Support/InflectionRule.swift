/// Replaces the end of the words that it matches.
struct InflectionRule: Sendable {
  private let endings: [[UInt8]]
  private let excluded: [UInt8]
  let dropped: Int
  let appended: String

  /// - parameter endings: The lower-cased ends of words. `^` is the start of a word.
  /// - parameter excluded: The letters that must not stand before the ending.
  static func ending(
    _ endings: String..., notAfter excluded: String = "", drop: Int = 0, append: String = ""
  ) -> Self {
    Self(
      endings: endings.map { Array($0.utf8) }, excluded: Array(excluded.utf8), dropped: drop,
      appended: append)
  }

  /// - parameter word: The lower-cased word, after `^`.
  func matches(_ word: [UInt8]) -> Bool {
    endings.contains { ending in
      word.suffix(ending.count).elementsEqual(ending)
        && word.dropLast(ending.count).last.map(excluded.contains) != true
    }
  }
}
