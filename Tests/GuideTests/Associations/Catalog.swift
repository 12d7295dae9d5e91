import Quarry
import QuarryTestSupport

/// Editions with a publisher and a printer, and their cities: what several chapters of the
/// associations guide fetch.
enum Catalog {
  struct City: Codable, Hashable, FetchableRecord, TableRecord {
    var code: String
    var name: String
  }

  struct Company: Codable, Hashable, FetchableRecord, TableRecord, EncodableRecord {
    static let city = belongsTo(City.self)
    static let editions = hasMany(Edition.self, using: Edition.publisherForeignKey)
    static let printedEditions = hasMany(
      Edition.self, key: "printedEditions", using: Edition.printerForeignKey)

    var id: Int64
    var name: String
    var cityCode: String?
    var closingYear: Int?
  }

  struct Edition: Codable, Hashable, FetchableRecord, TableRecord, EncodableRecord {
    static let publisherForeignKey = ForeignKey(["publisherId"])
    static let printerForeignKey = ForeignKey(["printerId"])

    static let publisher = belongsTo(Company.self, key: "publisher", using: publisherForeignKey)
    static let printer = belongsTo(Company.self, key: "printer", using: printerForeignKey)
    static let city = hasOne(City.self, through: publisher, using: Company.city)

    var id: Int64
    var title: String
    var binding: String
    var year: Int
    var publisherId: Int64?
    var printerId: Int64?
  }

  static let antwerp = City(code: "AN", name: "Antwerp")
  static let lisbon = City(code: "LX", name: "Lisbon")

  static let meridian = Company(id: 1, name: "Meridian", cityCode: "LX", closingYear: 1891)
  static let quayside = Company(id: 2, name: "Quayside", cityCode: "AN", closingYear: 1905)
  static let folio = Company(id: 3, name: "Folio", cityCode: "AN", closingYear: 1970)
  static let atlas = Company(id: 4, name: "Atlas", cityCode: nil, closingYear: nil)

  static let maps = Edition(
    id: 1, title: "Maps", binding: "cloth", year: 1851, publisherId: 1, printerId: 3)
  static let towns = Edition(
    id: 2, title: "Towns", binding: "paper", year: 1891, publisherId: 1, printerId: nil)
  static let ports = Edition(
    id: 3, title: "Ports", binding: "cloth", year: 1994, publisherId: 2, printerId: nil)
  static let birds = Edition(
    id: 4, title: "Birds", binding: "paper", year: 1000, publisherId: nil, printerId: 4)
  static let lakes = Edition(
    id: 5, title: "Lakes", binding: "cloth", year: 1554, publisherId: 4, printerId: nil)

  static func make() throws -> DatabaseQueue {
    try makeDatabase(
      sql: """
        CREATE TABLE city (code TEXT PRIMARY KEY, name TEXT NOT NULL);
        CREATE TABLE company (
          id INTEGER PRIMARY KEY, name TEXT NOT NULL, cityCode TEXT REFERENCES city(code),
          closingYear INTEGER);
        CREATE TABLE edition (
          id INTEGER PRIMARY KEY, title TEXT NOT NULL, binding TEXT NOT NULL, year INTEGER,
          publisherId INTEGER REFERENCES company(id), printerId INTEGER REFERENCES company(id));
        INSERT INTO city VALUES ('AN', 'Antwerp'), ('LX', 'Lisbon');
        INSERT INTO company VALUES
          (1, 'Meridian', 'LX', 1891), (2, 'Quayside', 'AN', 1905), (3, 'Folio', 'AN', 1970),
          (4, 'Atlas', NULL, NULL);
        INSERT INTO edition VALUES
          (1, 'Maps', 'cloth', 1851, 1, 3), (2, 'Towns', 'paper', 1891, 1, NULL),
          (3, 'Ports', 'cloth', 1994, 2, NULL),
          (4, 'Birds', 'paper', 1000, NULL, 4), (5, 'Lakes', 'cloth', 1554, 4, NULL);
        """)
  }
}
