import QuarryTestSupport
import Testing

@testable import Quarry

/// Writers with novels and prizes: two associations to many, so that a join of both multiplies
/// rows.
enum WriterLibrary {
  struct Writer: Codable, FetchableRecord, PersistableRecord, Identifiable {
    static let novels = hasMany(Novel.self)
    static let prizes = hasMany(Prize.self)
    static let editions = hasMany(Edition.self, through: novels, using: Novel.editions)
    static let agency = belongsTo(Agency.self)
    var id: Int64
    var country: String
    var agencyId: Int64?
  }

  struct Novel: TableRecord {
    static let editions = hasMany(Edition.self)
  }

  struct Prize: TableRecord {}
  struct Edition: TableRecord {}
  struct Agency: TableRecord {
    static let writers = hasMany(Writer.self)
  }

  /// Writer 1 has two novels with three editions, and three prizes; writer 2 has one novel; writer
  /// 3 has one prize.
  static func make() throws -> DatabaseQueue {
    try makeDatabase(
      sql: """
        CREATE TABLE agency (id INTEGER PRIMARY KEY, fee INTEGER);
        CREATE TABLE writer (
          id INTEGER PRIMARY KEY, country TEXT, agencyId INTEGER REFERENCES agency(id));
        CREATE TABLE novel (
          id INTEGER PRIMARY KEY, writerId INTEGER REFERENCES writer(id), price INTEGER, year INTEGER);
        CREATE TABLE prize (
          id INTEGER PRIMARY KEY, writerId INTEGER REFERENCES writer(id), amount INTEGER);
        CREATE TABLE edition (
          id INTEGER PRIMARY KEY, novelId INTEGER REFERENCES novel(id), copies INTEGER);
        INSERT INTO agency VALUES (1, 3);
        INSERT INTO writer VALUES (1, 'FR', 1), (2, 'FR', NULL), (3, 'IT', 1);
        INSERT INTO novel VALUES (1, 1, 10, 1990), (2, 1, 20, 2000), (3, 2, 30, 2010);
        INSERT INTO prize VALUES (1, 1, 100), (2, 1, 50), (3, 1, 25), (4, 3, 7);
        INSERT INTO edition VALUES (1, 1, 1000), (2, 1, 500), (3, 2, 300);
        """)
  }

  /// The values of the added columns, by row.
  static func values(
    of request: QueryInterfaceRequest<Writer>, _ db: Database
  ) throws -> [[DatabaseValue]] {
    try request.order(Column("id")).asRequest(of: Row.self).fetchAll(db)
      .map { Array($0.databaseValues.dropFirst(3)) }
  }

  /// The values of the added columns, and the SQL.
  static func check(
    _ request: QueryInterfaceRequest<Writer>, _ expected: [[(any DatabaseValueConvertible)?]],
    sql text: String? = nil, _ arguments: StatementArguments = [],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try make().read { db throws in
      if let text {
        let rendered = try sql(of: request, in: db)
        #expect(rendered == RenderedSQL(text, arguments), sourceLocation: sourceLocation)
      }
      let rows = try values(of: request, db)
      #expect(
        rows == expected.map { row in row.map { $0?.databaseValue ?? .null } },
        sourceLocation: sourceLocation)
    }
  }
}
