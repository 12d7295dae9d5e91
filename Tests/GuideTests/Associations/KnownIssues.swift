import Quarry
import QuarryTestSupport
import Testing

/// 'Known Issues': what the guide says that does not work. It works here.
struct KnownIssues {
  typealias Book = Library.Book
  typealias Person = Library.Person

  /// A required association on an optional association.
  @Test func aRequiredAssociationBehindAnOptionalOne() throws {
    struct BookInfo: FetchableRecord, Decodable, Equatable {
      var book: Book
      var country: Library.Country?
    }
    try Library.make().read { db throws in
      let request =
        Book
        .joining(
          optional: Book.author
            .including(required: Person.country))
      #expect(
        try BookInfo.fetchAll(db, request.orderByPrimaryKey()) == [
          BookInfo(book: Library.mobyDick, country: Library.us),
          BookInfo(book: Library.timoleon, country: Library.us),
          BookInfo(book: Library.paris, country: Library.france),
          BookInfo(book: Library.beowulf, country: nil),
          BookInfo(book: Library.lazarillo, country: nil),
        ])
    }
  }

  /// The rows are those of a left join to the inner join of the two, with filters and aliases in the nested condition.
  @Test func theRowsOfARequiredAssociationBehindAnOptionalOne() throws {
    try Library.make().read { db throws in
      let book = TableAlias(name: "b")
      let country = Person.country.filter(Column("name") > "G")
      let author = Book.author.filter(Column("deathDate") > 0).including(required: country)
      let request = Book.aliased(book)
        .including(
          optional: author.filter(book[Column("publishDate")] < Column("deathDate"))
        )
        .order(Column("id"))
      let rows = try Row.fetchAll(db, request)
      let expected = try Row.fetchAll(
        db,
        sql: """
          SELECT b.*, a.*, c.* FROM book b
          LEFT JOIN (person a JOIN country c ON c.code = a.countryCode AND c.name > 'G')
            ON a.id = b.authorId AND a.deathDate > 0 AND b.publishDate < a.deathDate
          ORDER BY b.id
          """)
      #expect(
        rows.map { Array($0.unadapted.databaseValues) }
          == expected.map { Array($0.databaseValues) })
      #expect(
        rows.map { $0.scopes["author"]?["name"] } == ["Melville", nil, nil, nil, nil])
    }
  }

  /// `including(all:)` and a table alias of the parent: all authors along with their posthumous books.
  @Test func prefetchesFilteredOnTheParent() throws {
    struct PersonInfo: FetchableRecord, Decodable, Equatable {
      var person: Person
      var books: [Book]
    }
    try Library.make().read { db throws in
      let authorAlias = TableAlias()
      let request =
        Person
        .aliased(authorAlias)
        .including(
          all: Person.books
            .filter(Column("publishDate") >= authorAlias[Column("deathDate")]))
      #expect(
        try PersonInfo.fetchAll(db, request.orderByPrimaryKey()) == [
          PersonInfo(person: Library.melville, books: [Library.timoleon]),
          PersonInfo(person: Library.verne, books: [Library.paris]),
          PersonInfo(person: Library.giono, books: []),
          PersonInfo(person: Library.anon, books: []),
        ])
    }
  }

  /// The order of the prefetched records may refer to the parent too.
  @Test func prefetchesOrderedOnTheParent() throws {
    try Library.make().read { db throws in
      let alias = TableAlias()
      let request = Person.aliased(alias).filter(key: 1)
        .including(
          all: Person.books.order(abs(Column("publishDate") - alias[Column("deathDate")])))
      let row = try #require(try Row.fetchOne(db, request))
      #expect(row.prefetchedRows["books"]?.map { $0["title"] } == ["Timoleon", "Moby-Dick"])
    }
  }

  struct Country: Codable, Hashable, FetchableRecord, TableRecord {
    static let passports = hasMany(Passport.self)
    static let citizens = hasMany(
      HasManyThrough.Citizen.self, through: passports, using: Passport.citizen)

    var code: String
  }

  struct Passport: Codable, Hashable, FetchableRecord, TableRecord {
    static let citizen = belongsTo(HasManyThrough.Citizen.self)

    var citizenId: Int64
    var countryCode: String
  }

  /// A has-many and a has-many-through association that share their base.
  @Test func directAndIndirectAssociations() throws {
    struct CountryInfo: FetchableRecord, Decodable, Equatable {
      var country: Country
      var passports: Set<Passport>
      var citizens: Set<HasManyThrough.Citizen>
    }
    try HasManyThrough.makeWorld().read { db throws in
      let request =
        Country
        .including(all: Country.passports)
        .including(all: Country.citizens)
      #expect(
        try CountryInfo.fetchAll(db, request.order(Column("code"))) == [
          CountryInfo(
            country: Country(code: "FR"),
            passports: [
              Passport(citizenId: 1, countryCode: "FR"), Passport(citizenId: 2, countryCode: "FR"),
            ],
            citizens: [HasManyThrough.arthur, HasManyThrough.barbara]),
          CountryInfo(country: Country(code: "IT"), passports: [], citizens: []),
          CountryInfo(
            country: Country(code: "US"), passports: [Passport(citizenId: 2, countryCode: "US")],
            citizens: [HasManyThrough.barbara]),
        ])
    }
  }

  /// The workaround of the guide.
  @Test func nestedAssociations() throws {
    struct CountryInfo: FetchableRecord, Decodable, Equatable {
      struct PassportInfo: Decodable, Hashable {
        var passport: Passport
        var citizen: HasManyThrough.Citizen
      }
      var country: Country
      var passports: Set<PassportInfo>
    }
    try HasManyThrough.makeWorld().read { db throws in
      let request =
        Country
        .including(
          all: Country.passports
            .including(required: Passport.citizen))
      let infos = try CountryInfo.fetchAll(db, request.order(Column("code")))
      #expect(infos.map(\.country.code) == ["FR", "IT", "US"])
      #expect(
        infos.map { Set($0.passports.map(\.citizen.name)) } == [
          ["Arthur", "Barbara"], [], ["Barbara"],
        ])
    }
  }
}
