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
  private enum Direction {
    case plural, singular
  }

  private enum Rule: Sendable {
    case plural(NSRegularExpression, template: String)
    case singular(NSRegularExpression, template: String)
    case irregular(IrregularSuffix)
  }

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
  public init() {
    self.init(isEnglish: false)
  }

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
  ) {
    rules.append(.plural(Self.regularExpression(pattern, options: options), template: template))
  }

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
  ) {
    rules.append(.singular(Self.regularExpression(pattern, options: options), template: template))
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
    rules.append(.irregular(IrregularSuffix(singular, plural)))
  }

  /// The plural form of a name.
  public func pluralize(_ name: String) -> String {
    inflect(name, .plural)
  }

  /// The singular form of a name.
  public func singularize(_ name: String) -> String {
    inflect(name, .singular)
  }

  private func inflect(_ name: String, _ direction: Direction) -> String {
    let parts = NameParts(name)
    guard !parts.word.isEmpty, !uncountable.contains(parts.word.lowercased()) else { return name }
    return parts.prefix + inflect(word: parts.word, direction) + parts.digits
  }

  private func inflect(word: String, _ direction: Direction) -> String {
    for rule in rules.reversed() {
      if let result = apply(rule, to: word, direction) { return result }
    }
    guard isEnglish else { return word }
    return direction == .plural
      ? EnglishInflections.pluralize(word) : EnglishInflections.singularize(word)
  }

  private func apply(_ rule: Rule, to word: String, _ direction: Direction) -> String? {
    switch (rule, direction) {
    case (.plural(let expression, let template), .plural),
      (.singular(let expression, let template), .singular):
      Self.replace(expression, in: word, template: template)
    case (.irregular(let suffix), .plural):
      suffix.pluralize(word)
    case (.irregular(let suffix), .singular):
      suffix.singularize(word)
    case (.plural, .singular), (.singular, .plural):
      nil
    }
  }

  private static func replace(
    _ expression: NSRegularExpression, in word: String, template: String
  ) -> String? {
    let range = NSRange(word.startIndex..., in: word)
    guard expression.firstMatch(in: word, range: range) != nil else { return nil }
    return expression.stringByReplacingMatches(in: word, range: range, withTemplate: template)
  }

  private static func regularExpression(
    _ pattern: String, options: NSRegularExpression.Options
  ) -> NSRegularExpression {
    do {
      return try NSRegularExpression(pattern: pattern, options: options)
    } catch {
      preconditionFailure("invalid regular expression: \(pattern)")
    }
  }
}
