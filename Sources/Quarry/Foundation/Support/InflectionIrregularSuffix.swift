enum InflectionForm {
  case plural, singular
}

/// The two forms of the end of a word: `man` and `men`.
struct IrregularSuffix: Sendable {
  let singular: String
  let plural: String

  init(_ singular: String, _ plural: String) {
    self.singular = singular.lowercased()
    self.plural = plural.lowercased()
  }

  /// Nil if the word ends with none of the forms. The case of the first letter of the suffix is
  /// kept: `Person` gives `People`.
  func form(_ form: InflectionForm, of word: String) -> String? {
    let lowercased = word.lowercased()
    guard let suffix = matchingSuffix(of: lowercased), lowercased.count == word.count else {
      return nil
    }
    let start = word.index(word.endIndex, offsetBy: -suffix.count)
    let ending = form == .plural ? plural : singular
    return word[..<start] + (word[start].isUppercase ? ending.uppercasingFirstLetter : ending)
  }

  /// The longest one, since a form can end with the other one.
  private func matchingSuffix(of word: String) -> String? {
    [singular, plural].filter { !$0.isEmpty && word.hasSuffix($0) }.max { $0.count < $1.count }
  }
}
