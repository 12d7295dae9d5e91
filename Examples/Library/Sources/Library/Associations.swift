import Quarry

extension Author {
  static let country = belongsTo(Country.self)
  static let works = hasMany(Work.self)
}

extension Language {
  static let works = hasMany(Work.self)
}

extension Work {
  static let author = belongsTo(Author.self)
  static let language = belongsTo(Language.self)

  /// All works of the author of a work: the table joined with itself.
  static let worksOfSameAuthor = hasMany(
    Work.self, key: "worksOfSameAuthor",
    using: ForeignKey([Columns.authorId], to: [Columns.authorId]))
}

/// What `Author.including(all: Author.works)` fetches.
struct AuthorWithWorks: Decodable, FetchableRecord {
  var author: Author
  var works: [Work]
}

/// What `Author.annotated(with: Author.works.count)` fetches.
struct AuthorWithWorkCount: Decodable, FetchableRecord {
  var author: Author
  var workCount: Int
}

struct LanguageWithWorkCount: Decodable, FetchableRecord {
  var language: Language
  var workCount: Int
}

/// An author, and their works with the language of each.
struct AuthorWithLanguages: Decodable, FetchableRecord {
  struct WorkWithLanguage: Decodable, FetchableRecord {
    var work: Work
    var language: Language
  }

  var author: Author
  var works: [WorkWithLanguage]
}

/// A work with its author and, where the request includes it, the country. Decoded by hand.
struct WorkWithAuthor: FetchableRecord {
  var work: Work
  var author: Author
  var country: Country?

  init(row: Row) throws {
    work = try Work(row: row)
    author = try row.decode(forKey: "author")
    country = try row.decodeIfPresent(forKey: "country")
  }
}
