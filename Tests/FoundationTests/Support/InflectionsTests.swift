import Quarry
import Testing

@Suite("Inflections")
struct InflectionsTests {
  private let inflections = Inflections.default

  private static let pairs = [
    ("", ""), ("book", "books"), ("bus", "buses"), ("status", "statuses"), ("leaf2", "leaves2"),
    ("Person", "People"), ("old-man", "old-men"), ("key", "keys"), ("soliloquy", "soliloquies"),
    ("thief", "thiefs"), ("URL", "URLs"), ("info", "infos"), ("player12", "players12"),
    ("bookChild", "bookChildren"), ("book_child", "book_children"), ("child", "children"),
    ("foot", "feet"), ("woman", "women"), ("human", "humen"), ("move", "moves"), ("sex", "sexes"),
    ("specimen", "specimens"), ("zombie", "zombies"), ("quiz", "quizzes"), ("ox", "oxen"),
    ("canvas", "canvases"), ("mouse", "mice"), ("louse", "lice"), ("matrix", "matrices"),
    ("vertex", "vertices"), ("index", "indices"), ("box", "boxes"), ("church", "churches"),
    ("class", "classes"), ("wish", "wishes"), ("city", "cities"), ("hive", "hives"),
    ("knife", "knives"), ("wolf", "wolves"), ("scarf", "scarves"), ("analysis", "analyses"),
    ("basis", "bases"), ("datum", "data"), ("stadium", "stadia"), ("hero", "heroes"),
    ("alias", "aliases"), ("focus", "focuses"), ("gas", "gases"), ("lens", "lenses"),
    ("octopus", "octopi"), ("virus", "viri"), ("axis", "axes"), ("testis", "testes"),
    ("crisis", "crises"), ("database", "databases"), ("shoe", "shoes"), ("movie", "movies"),
    ("native", "natives"), ("starfish", "starfishes"), ("HTTPServer", "HTTPServers"),
    ("playerURL", "playerURLs"),
  ]

  private static let uncountableNames = [
    "advice", "corps", "dice", "equipment", "fish", "information", "jeans", "kudos", "money",
    "offspring", "police", "rice", "sheep", "species", "Fish", "SHEEP", "my_fish", "oldSpecies2",
  ]

  @Test(arguments: pairs)
  func `a singular name gives its plural`(singular: String, plural: String) {
    #expect(inflections.pluralize(singular) == plural)
  }

  @Test(arguments: pairs)
  func `a plural name gives its singular`(singular: String, plural: String) {
    #expect(inflections.singularize(plural) == singular)
  }

  @Test(arguments: pairs.map(\.1))
  func `a plural name is its own plural`(plural: String) {
    let exceptions = ["quizzes", "matrices", "vertices", "indices", "heroes", "sexes"]
    #expect(inflections.pluralize(plural) == plural || exceptions.contains(plural))
  }

  @Test(arguments: uncountableNames)
  func `an uncountable name does not change`(name: String) {
    #expect(inflections.pluralize(name) == name)
    #expect(inflections.singularize(name) == name)
  }

  @Test(arguments: [
    ("bus", "bus"), ("status", "status"), ("class", "class"), ("news", "news"),
    ("series", "series"), ("virus", "virus"), ("axis", "axis"), ("basis", "basis"),
    ("data", "datum"), ("media", "medium"), ("soliloquies", "soliloquy"), ("potatoes", "potato"),
  ])
  func `words that are singular, and look like plurals`(name: String, singular: String) {
    #expect(inflections.singularize(name) == singular)
  }

  @Test
  func `inflections without rule change nothing`() {
    #expect(Inflections().pluralize("book") == "book")
    #expect(Inflections().singularize("books") == "books")
  }

  @Test
  func `rules added last are tried first`() {
    var inflections = Inflections.default
    inflections.plural("(foc)us$", "$1i")
    inflections.singular("(foc)i$", "$1us")
    inflections.irregularSuffix("goose", "geese")
    inflections.uncountableWords(["Luggage"])
    #expect(inflections.pluralize("Focus12") == "Foci12")
    #expect(inflections.singularize("foci") == "focus")
    #expect(inflections.pluralize("snowGoose") == "snowGeese")
    #expect(inflections.singularize("geese") == "goose")
    #expect(inflections.pluralize("myLuggage") == "myLuggage")
    inflections.plural("^focus$", "foki")
    #expect(inflections.pluralize("focus") == "foki")
  }

  @Test
  func `the case of a pattern matters when its options say so`() {
    var inflections = Inflections()
    inflections.plural("k$", options: [], "ks")
    #expect(inflections.pluralize("book") == "books")
    #expect(inflections.pluralize("BOOK") == "BOOK")
  }
}
