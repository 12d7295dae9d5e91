/// The two forms of the end of a word: `man` and `men`.
struct IrregularSuffix: Sendable {
  let singular: String
  let plural: String

  init(_ singular: String, _ plural: String) {
    self.singular = singular.lowercased()
    self.plural = plural.lowercased()
  }

  /// Nil if the word ends with none of the forms.
  func pluralize(_ word: String) -> String? {
    replaceSuffix(of: word, with: plural)
  }

  /// Nil if the word ends with none of the forms.
  func singularize(_ word: String) -> String? {
    replaceSuffix(of: word, with: singular)
  }

  /// The case of the first letter of the suffix is kept: `Person` gives `People`.
  private func replaceSuffix(of word: String, with replacement: String) -> String? {
    let lowercased = word.lowercased()
    guard let suffix = matchingSuffix(of: lowercased), lowercased.count == word.count else {
      return nil
    }
    let start = word.index(word.endIndex, offsetBy: -suffix.count)
    let form = word[start].isUppercase ? replacement.uppercasingFirstLetter : replacement
    return word[..<start] + form
  }

  /// The longest one, since a form can end with the other one.
  private func matchingSuffix(of word: String) -> String? {
    [singular, plural].filter { !$0.isEmpty && word.hasSuffix($0) }.max { $0.count < $1.count }
  }
}
