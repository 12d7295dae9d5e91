/// The rules of English, as tables: the first rule that matches wins.
enum EnglishInflections {
  static let uncountableWords: Set<String> = [
    "advice", "corps", "dice", "equipment", "fish", "information", "jeans", "kudos", "money",
    "offspring", "police", "rice", "sheep", "species",
  ]

  /// The longer suffixes first: `specimen` is no `man`.
  private static let irregularSuffixes = [
    IrregularSuffix("specimen", "specimens"),
    IrregularSuffix("zombie", "zombies"),
    IrregularSuffix("person", "people"),
    IrregularSuffix("child", "children"),
    IrregularSuffix("foot", "feet"),
    IrregularSuffix("leaf", "leaves"),
    IrregularSuffix("move", "moves"),
    IrregularSuffix("man", "men"),
    IrregularSuffix("sex", "sexes"),
  ]

  static func form(_ form: InflectionForm, of word: String) -> String {
    let irregular = irregularSuffixes.lazy.compactMap { $0.form(form, of: word) }.first
    if let irregular { return irregular }
    let bytes = "^\(word)".utf8.map(\.lowercasedASCII)
    let rules = form == .plural ? pluralRules : singularRules
    guard let rule = rules.first(where: { $0.matches(bytes) }) else {
      return form == .plural ? word + "s" : word
    }
    return word.dropLast(rule.dropped) + rule.appended
  }

  private static let pluralRules: [InflectionRule] = [
    .ending("quiz", append: "zes"),
    .ending("^oxen"),
    .ending("^ox", append: "en"),
    .ending("^mice", "^lice"),
    .ending("^mouse", "^louse", drop: 4, append: "ice"),
    .ending("matrix", "matrex", "vertix", "vertex", "indix", "index", drop: 2, append: "ices"),
    .ending("x", "ch", "ss", "sh", append: "es"),
    .ending("y", notAfter: "^aeiouy", drop: 1, append: "ies"),
    .ending("quy", drop: 1, append: "ies"),
    .ending("fe", notAfter: "^f", drop: 2, append: "ves"),
    .ending("lf", "rf", drop: 1, append: "ves"),
    .ending("sis", drop: 2, append: "es"),
    .ending("ta", "ia"),
    .ending("tum", "ium", drop: 2, append: "a"),
    .ending("buffalo", "tomato", "hero", append: "es"),
    .ending("bus", append: "es"),
    .ending("alias", "bias", "canvas", "focus", "gas", "lens", "status", append: "es"),
    .ending("octopi", "viri"),
    .ending("octopus", "virus", drop: 2, append: "i"),
    .ending("^axis", "^testis", drop: 2, append: "es"),
    .ending("s"),
  ]

  private static let singularRules: [InflectionRule] = [
    .ending("databases", drop: 1),
    .ending("quizzes", drop: 3),
    .ending("matrices", drop: 4, append: "ix"),
    .ending("vertices", "indices", drop: 4, append: "ex"),
    .ending("^oxen", drop: 2),
    .ending(
      "aliases", "biases", "canvases", "focuses", "gases", "lenses", "statuses", drop: 2),
    .ending("alias", "bias", "canvas", "focus", "gas", "lens", "status"),
    .ending("octopus", "virus"),
    .ending("octopi", "viri", drop: 1, append: "us"),
    .ending("^axis"),
    .ending("^axes", drop: 2, append: "is"),
    .ending("crisis", "testis"),
    .ending("crises", "testes", drop: 2, append: "is"),
    .ending("shoes", drop: 1),
    .ending("oes", drop: 2),
    .ending("bus"),
    .ending("buses", drop: 2),
    .ending("^mice", "^lice", drop: 3, append: "ouse"),
    .ending("xes", "ches", "sses", "shes", drop: 2),
    .ending("movies", drop: 1),
    .ending("series"),
    .ending("ies", notAfter: "^aeiouy", drop: 3, append: "y"),
    .ending("quies", drop: 3, append: "y"),
    .ending("lves", "rves", drop: 3, append: "f"),
    .ending("tives", drop: 1),
    .ending("hives", drop: 1),
    .ending("ves", notAfter: "^f", drop: 3, append: "fe"),
    .ending("analysis", "basis", "diagnosis", "parenthesis", "prognosis", "synopsis", "thesis"),
    .ending(
      "analyses", "bases", "diagnoses", "parentheses", "prognoses", "synopses", "theses",
      drop: 2, append: "is"),
    .ending("ta", "ia", drop: 1, append: "um"),
    .ending("news"),
    .ending("ss"),
    .ending("s", drop: 1),
  ]
}
