public import Foundation

/// The plural and singular forms of names.
///
/// Names of associations come from it: `including(all: Author.hasMany(Book.self))` feeds a property
/// named `books`, the plural of the table `book`.
///
/// Only the last word of a name changes, without its trailing digits:
///
/// ```swift
/// Inflections.default.pluralize("bookChild")     // bookChildren
/// Inflections.default.singularize("players12")   // player12
/// ```
///
/// The rules are those of English. Add your own ones to ``default``, before any request is built.
/// The rules added last are tried first:
///
/// ```swift
/// Inflections.default.uncountableWords(["luggage"])
/// Inflections.default.irregularSuffix("goose", "geese")
/// ```
public struct Inflections: Sendable {
  /// A form of a word, or nil for a word that the rule does not concern.
  private typealias Rule = @Sendable (_ form: InflectionForm, _ word: String) -> String?

  /// User rules, in the order of their declaration.
  private var rules: [Rule] = []
  private var uncountable: Set<String> = []
  private let isEnglish: Bool

  private static let shared = Locked(Inflections(isEnglish: true))

  /// The inflections that associations and `belongsTo` columns use.
  public static var `default`: Inflections {
    get { shared.withLock { $0 } }
    set {
      shared.withLock { $0 = newValue }
      InflectionCache.clear()
    }
  }

  /// Creates inflections without any rule: words do not change.
  public init() { self.init(isEnglish: false) }

  private init(isEnglish: Bool) {
    self.isEnglish = isEnglish
    if isEnglish { uncountable = EnglishInflections.uncountableWords }
  }

  /// Adds a rule for plural forms.
  ///
  /// ```swift
  /// Inflections.default.plural("(foc)us$", "$1i")
  /// ```
  ///
  /// - parameter pattern: A regular expression that is matched in the last word of names.
  /// - parameter options: The options of the regular expression.
  /// - parameter template: The replacement of the match, where `$1` is the first group.
  public mutating func plural(
    _ pattern: String,
    options: NSRegularExpression.Options = [.caseInsensitive],
    _ template: String
  ) { addRule(for: .plural, pattern, options, template) }

  /// Adds a rule for singular forms.
  ///
  /// ```swift
  /// Inflections.default.singular("(foc)i$", "$1us")
  /// ```
  ///
  /// - parameter pattern: A regular expression that is matched in the last word of names.
  /// - parameter options: The options of the regular expression.
  /// - parameter template: The replacement of the match, where `$1` is the first group.
  public mutating func singular(
    _ pattern: String,
    options: NSRegularExpression.Options = [.caseInsensitive],
    _ template: String
  ) { addRule(for: .singular, pattern, options, template) }

  private mutating func addRule(
    for form: InflectionForm, _ pattern: String, _ options: NSRegularExpression.Options,
    _ template: String
  ) {
    guard let expression = try? NSRegularExpression(pattern: pattern, options: options) else {
      preconditionFailure("invalid regular expression: \(pattern)")
    }
    rules.append { asked, word in
      let range = NSRange(word.startIndex..., in: word)
      guard asked == form, expression.firstMatch(in: word, range: range) != nil else { return nil }
      return expression.stringByReplacingMatches(in: word, range: range, withTemplate: template)
    }
  }

  /// Adds words that have one form only.
  ///
  /// ```swift
  /// Inflections.default.uncountableWords(["luggage", "software"])
  /// ```
  public mutating func uncountableWords(_ words: [String]) {
    uncountable.formUnion(words.map { $0.lowercased() })
  }

  /// Adds the two forms of the end of a word.
  ///
  /// ```swift
  /// Inflections.default.irregularSuffix("goose", "geese")
  /// ```
  ///
  /// - parameter singular: The singular suffix.
  /// - parameter plural: The plural suffix.
  public mutating func irregularSuffix(_ singular: String, _ plural: String) {
    let suffix = IrregularSuffix(singular, plural)
    rules.append { form, word in suffix.form(form, of: word) }
  }

  /// The plural form of a name.
  public func pluralize(_ name: String) -> String { inflect(name, .plural) }

  /// The singular form of a name.
  public func singularize(_ name: String) -> String { inflect(name, .singular) }

  func inflect(_ name: String, _ form: InflectionForm) -> String {
    let parts = NameParts(name)
    guard !parts.word.isEmpty, !uncountable.contains(parts.word.lowercased()) else { return name }
    return parts.prefix + inflect(word: parts.word, form) + parts.digits
  }

  private func inflect(word: String, _ form: InflectionForm) -> String {
    for rule in rules.reversed() { if let result = rule(form, word) { return result } }
    return isEnglish ? EnglishInflections.form(form, of: word) : word
  }
}
