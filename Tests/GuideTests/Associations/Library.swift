import Quarry
import QuarryTestSupport

/// Books with an author and a translator, and their countries: what several chapters of the associations guide
/// fetch.
enum Library {
  struct Country: Codable, Hashable, FetchableRecord, TableRecord {
    var code: String
    var name: String
  }

  struct Person: Codable, Hashable, FetchableRecord, TableRecord, EncodableRecord {
    static let country = belongsTo(Country.self)
    static let books = hasMany(Book.self, using: Book.authorForeignKey)
    static let translatedBooks = hasMany(
      Book.self, key: "translatedBooks", using: Book.translatorForeignKey)

    var id: Int64
    var name: String
    var countryCode: String?
    var deathDate: Int?
  }

  struct Book: Codable, Hashable, FetchableRecord, TableRecord, EncodableRecord {
    static let authorForeignKey = ForeignKey(["authorId"])
    static let translatorForeignKey = ForeignKey(["translatorId"])

    static let author = belongsTo(Person.self, key: "author", using: authorForeignKey)
    static let translator = belongsTo(Person.self, key: "translator", using: translatorForeignKey)
    static let country = hasOne(Country.self, through: author, using: Person.country)

    var id: Int64
    var title: String
    var kind: String
    var publishDate: Int
    var authorId: Int64?
    var translatorId: Int64?
  }

  static let france = Country(code: "FR", name: "France")
  static let us = Country(code: "US", name: "United States of America")

  static let melville = Person(id: 1, name: "Melville", countryCode: "US", deathDate: 1891)
  static let verne = Person(id: 2, name: "Verne", countryCode: "FR", deathDate: 1905)
  static let giono = Person(id: 3, name: "Giono", countryCode: "FR", deathDate: 1970)
  static let anon = Person(id: 4, name: "Anon", countryCode: nil, deathDate: nil)

  static let mobyDick = Book(
    id: 1, title: "Moby-Dick", kind: "novel", publishDate: 1851, authorId: 1, translatorId: 3)
  static let timoleon = Book(
    id: 2, title: "Timoleon", kind: "poems", publishDate: 1891, authorId: 1, translatorId: nil)
  static let paris = Book(
    id: 3, title: "Paris in the Twentieth Century", kind: "novel", publishDate: 1994, authorId: 2,
    translatorId: nil)
  static let beowulf = Book(
    id: 4, title: "Beowulf", kind: "poems", publishDate: 1000, authorId: nil, translatorId: 4)
  static let lazarillo = Book(
    id: 5, title: "Lazarillo", kind: "novel", publishDate: 1554, authorId: 4, translatorId: nil)

  static func make() throws -> DatabaseQueue {
    try makeDatabase(
      sql: """
        CREATE TABLE country (code TEXT PRIMARY KEY, name TEXT NOT NULL);
        CREATE TABLE person (
          id INTEGER PRIMARY KEY, name TEXT NOT NULL, countryCode TEXT REFERENCES country(code),
          deathDate INTEGER);
        CREATE TABLE book (
          id INTEGER PRIMARY KEY, title TEXT NOT NULL, kind TEXT NOT NULL, publishDate INTEGER,
          authorId INTEGER REFERENCES person(id), translatorId INTEGER REFERENCES person(id));
        INSERT INTO country VALUES ('FR', 'France'), ('US', 'United States of America');
        INSERT INTO person VALUES
          (1, 'Melville', 'US', 1891), (2, 'Verne', 'FR', 1905), (3, 'Giono', 'FR', 1970),
          (4, 'Anon', NULL, NULL);
        INSERT INTO book VALUES
          (1, 'Moby-Dick', 'novel', 1851, 1, 3), (2, 'Timoleon', 'poems', 1891, 1, NULL),
          (3, 'Paris in the Twentieth Century', 'novel', 1994, 2, NULL),
          (4, 'Beowulf', 'poems', 1000, NULL, 4), (5, 'Lazarillo', 'novel', 1554, 4, NULL);
        """)
  }
}
