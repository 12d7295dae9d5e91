import QuarryMacros

/// Something that the library knows: a sentence, and the request that answers it.
struct Question: Sendable {
  var title: String
  var answer: @Sendable (Database) throws -> Table

  static let all = [
    irishAuthors, worksOf1925, authorsWithoutWorks, mostProlific, posthumousWorks, decades,
    latestWorks, languages, secondLanguages, longestCareers,
  ]
}

extension Question {
  static let irishAuthors = Question(title: "Irish authors with their works") { db in
    let request = Author.including(all: Author.works.order { $0.year })
      .filter { $0.countryCode == "IE" }
      .order { $0.born }
    return Table(
      "author", "works", "first", "latest", of: try AuthorWithWorks.fetchAll(db, request)
    ) {
      [$0.author.name, $0.works.count, $0.works.first?.title, $0.works.last?.title]
    }
  }

  static let worksOf1925 = Question(title: "The works of 1925, with author and country") { db in
    let author = Work.author.including(required: Author.country)
    let request = Work.including(required: author).filter { $0.year == 1925 }.order { $0.title }
    return Table("title", "author", "country", of: try WorkWithAuthor.fetchAll(db, request)) {
      [$0.work.title, $0.author.name, $0.country?.name]
    }
  }

  static let authorsWithoutWorks = Question(title: "Authors without works") { db in
    let request = Author.having(Author.works.count == 0).order { $0.name }
    return Table("author", "born", "died", of: try request.fetchAll(db)) {
      [$0.name, $0.born, $0.died]
    }
  }

  static let mostProlific = Question(title: "The most prolific: 14 works or more") { db in
    let request = Author.annotated(with: Author.works.count)
      .having(Author.works.count >= 14)
      .order { [Column("workCount").detached.desc, $0.name] }
    return Table("author", "works", of: try AuthorWithWorkCount.fetchAll(db, request)) {
      [$0.author.name, $0.workCount]
    }
  }

  static let posthumousWorks = Question(title: "Posthumous works, the longest wait first") { db in
    let author = TableAlias<Author>()
    let request = Work.including(required: Work.author.aliased(author))
      .filter { $0.year > author.died }
      .order { [($0.year - author.died).desc, $0.title] }
    return Table(
      "title", "author", "died", "published", of: try WorkWithAuthor.fetchAll(db, request)
    ) {
      [$0.work.title, $0.author.name, $0.author.died, $0.work.year]
    }
  }
}

extension Question {
  static let decades = Question(title: "Works per decade since 1900, in plain SQL") { db in
    struct Decade: Decodable, FetchableRecord {
      var decade: Int
      var works: Int
      var authors: Int
    }
    let decades = try Decade.fetchAll(
      db,
      sql: """
        SELECT year / 10 * 10 AS decade, COUNT(*) AS works, COUNT(DISTINCT authorId) AS authors
        FROM work WHERE year >= ? GROUP BY decade ORDER BY decade
        """,
      arguments: [1900])
    return Table("decade", "works", "authors", of: decades) {
      [$0.decade, $0.works, $0.authors]
    }
  }

  /// The latest work is the one to which no later work of the same author can be joined.
  static let latestWorks = Question(title: "The latest work of each author") { db in
    let work = TableAlias<Work>()
    let later = TableAlias<Work>(name: "later")
    let laterWorks = Work.worksOfSameAuthor.aliased(later).filter { $0.year > work.year }
    let request = Work.aliased(work)
      .including(required: Work.author)
      .joining(optional: laterWorks)
      .filter(!later.exists)
      .order { [$0.year.desc, $0.title] }
    return Table("author", "title", "year", of: try WorkWithAuthor.fetchAll(db, request)) {
      [$0.author.name, $0.work.title, $0.work.year]
    }
  }

  static let languages = Question(title: "Original languages") { db in
    let request = Language.annotated(with: Language.works.count)
      .order { [Column("workCount").detached.desc, $0.name] }
    return Table("language", "works", of: try LanguageWithWorkCount.fetchAll(db, request)) {
      [$0.language.name, $0.workCount]
    }
  }

  static let secondLanguages = Question(title: "Authors in more than one language") { db in
    let work = TableAlias<Work>()
    let request = Author.joining(required: Author.works.aliased(work))
      .groupByPrimaryKey()
      .having { _ in count(distinct: work.languageCode) > 1 }
      .order { $0.born }
      .including(all: Author.works.including(required: Work.language))
    return Table("author", "languages", of: try AuthorWithLanguages.fetchAll(db, request)) {
      [$0.author.name, Set($0.works.map(\.language.name)).sorted().joined(separator: ", ")]
    }
  }

  static let longestCareers = Question(title: "The longest careers within a lifetime") { db in
    struct Career: Decodable, FetchableRecord {
      var name: String
      var first: Int
      var last: Int
      var years: Int
    }
    let work = TableAlias<Work>()
    let (first, last) = (min(work.year), max(work.year))
    let request = Author.joining(required: Author.works.aliased(work))
      .filter { $0.died == nil || work.year <= $0.died }
      .groupByPrimaryKey()
      .select {
        [$0.name, first.forKey("first"), last.forKey("last"), (last - first).forKey("years")]
      }
      .order { [Column("years").detached.desc, $0.name] }
      .limit(6)
    return Table("author", "first", "last", "years", of: try Career.fetchAll(db, request)) {
      [$0.name, $0.first, $0.last, $0.years]
    }
  }
}
