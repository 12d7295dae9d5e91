import Quarry
import QuarryTestSupport
import Testing

/// 'HasManyThrough': countries and citizens know each other through passports, and documents have the paragraphs of
/// their sections.
struct HasManyThrough {
  struct Country: Codable, Hashable, FetchableRecord, TableRecord, EncodableRecord {
    static let passports = hasMany(Passport.self)
    static let citizens: HasManyThroughAssociation<Country, Citizen> =
      hasMany(Citizen.self, through: passports, using: Passport.citizen)

    var code: String
  }

  struct Passport: TableRecord {
    static let country = belongsTo(Country.self)
    static let citizen = belongsTo(Citizen.self)
  }

  struct Citizen: Codable, Hashable, FetchableRecord, TableRecord, EncodableRecord {
    static let passports = hasMany(Passport.self)
    static let countries = hasMany(Country.self, through: passports, using: Passport.country)

    var id: Int64
    var name: String
  }

  static let arthur = Citizen(id: 1, name: "Arthur")
  static let barbara = Citizen(id: 2, name: "Barbara")

  static func makeWorld() throws -> DatabaseQueue {
    try makeDatabase(
      sql: """
        CREATE TABLE country (code TEXT PRIMARY KEY);
        CREATE TABLE citizen (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
        CREATE TABLE passport (
          citizenId INTEGER NOT NULL REFERENCES citizen(id),
          countryCode TEXT NOT NULL REFERENCES country(code),
          PRIMARY KEY (citizenId, countryCode));
        INSERT INTO country VALUES ('FR'), ('IT'), ('US');
        INSERT INTO citizen VALUES (1, 'Arthur'), (2, 'Barbara'), (3, 'Stateless');
        INSERT INTO passport VALUES (1, 'FR'), (2, 'FR'), (2, 'US');
        """)
  }

  @Test func bothSidesOfManyToMany() throws {
    struct CountryInfo: Decodable, Equatable, FetchableRecord {
      var country: Country
      var citizens: Set<Citizen>
    }
    struct CitizenInfo: Decodable, Equatable, FetchableRecord {
      var citizen: Citizen
      var countries: Set<Country>
    }
    try Self.makeWorld().read { db throws in
      let countries = try Country.order(Column("code")).including(all: Country.citizens)
        .asRequest(of: CountryInfo.self).fetchAll(db)
      #expect(
        countries == [
          CountryInfo(country: Country(code: "FR"), citizens: [Self.arthur, Self.barbara]),
          CountryInfo(country: Country(code: "IT"), citizens: []),
          CountryInfo(country: Country(code: "US"), citizens: [Self.barbara]),
        ])
      let citizens = try Citizen.order(Column("id")).including(all: Citizen.countries)
        .asRequest(of: CitizenInfo.self).fetchAll(db)
      #expect(citizens.map(\.citizen.name) == ["Arthur", "Barbara", "Stateless"])
      #expect(
        citizens.map(\.countries) == [
          [Country(code: "FR")], [Country(code: "FR"), Country(code: "US")], [],
        ])
    }
  }

  @Test func fromOneRecord() throws {
    try Self.makeWorld().read { db throws in
      let request = Self.barbara.request(for: Citizen.countries)
      #expect(
        try sql(of: request, in: db)
          == RenderedSQL(
            """
            SELECT "country".* FROM "country" JOIN "passport" \
            ON ("passport"."countryCode" = "country"."code") AND ("passport"."citizenId" = ?)
            """, [2]))
      #expect(try request.fetchSet(db) == [Country(code: "FR"), Country(code: "US")])
    }
  }

  struct Document: Codable, Equatable, FetchableRecord, TableRecord, EncodableRecord {
    static let sections = hasMany(Section.self)
    static let paragraphs = hasMany(
      Paragraph.self, through: sections, using: Section.paragraphs)
    static let explicitParagraphs = hasMany(
      Paragraph.self,
      through: Document.hasMany(Section.self),
      using: Section.hasMany(Paragraph.self))

    var id: Int64
  }

  struct Section: TableRecord {
    static let paragraphs = hasMany(Paragraph.self)
  }

  struct Paragraph: Codable, Equatable, FetchableRecord, TableRecord {
    var id: Int64
    var sectionId: Int64
    var text: String
  }

  @Test(arguments: [Document.paragraphs, Document.explicitParagraphs])
  func shortcuts(_ paragraphs: HasManyThroughAssociation<Document, Paragraph>) throws {
    struct DocumentInfo: Decodable, FetchableRecord {
      var document: Document
      var paragraphs: [Paragraph]
    }
    let dbQueue = try makeDatabase(
      sql: """
        CREATE TABLE document (id INTEGER PRIMARY KEY);
        CREATE TABLE section (
          id INTEGER PRIMARY KEY, documentId INTEGER NOT NULL REFERENCES document(id));
        CREATE TABLE paragraph (
          id INTEGER PRIMARY KEY, sectionId INTEGER NOT NULL REFERENCES section(id),
          text TEXT NOT NULL);
        INSERT INTO document VALUES (1), (2);
        INSERT INTO section VALUES (1, 1), (2, 1), (3, 2), (4, 2);
        INSERT INTO paragraph VALUES (1, 1, 'a'), (2, 2, 'b'), (3, 2, 'c'), (4, 4, 'd');
        """)
    try dbQueue.read { db throws in
      let request = Document.orderByPrimaryKey()
        .including(all: paragraphs.order(Column("id")))
      let infos = try DocumentInfo.fetchAll(db, request)
      #expect(infos.map(\.document.id) == [1, 2])
      #expect(infos.map { $0.paragraphs.map(\.text) } == [["a", "b", "c"], ["d"]])
      let joined = Document.including(optional: paragraphs)
      #expect(
        try sql(of: joined, in: db)
          == RenderedSQL(
            """
            SELECT "document".*, "paragraph".* FROM "document" \
            LEFT JOIN "section" ON "section"."documentId" = "document"."id" \
            LEFT JOIN "paragraph" ON "paragraph"."sectionId" = "section"."id"
            """))
      let first = try Document(id: 1).request(for: paragraphs).order(Column("id")).fetchAll(db)
      #expect(first.map(\.text) == ["a", "b", "c"])
    }
  }
}
