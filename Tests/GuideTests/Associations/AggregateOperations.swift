import Quarry
import QuarryTestSupport
import Testing

/// 'Aggregate Operations': the operators.
struct AggregateOperations {
  typealias Author = Studio.Author

  static let group = #"GROUP BY "author"."id""#
  static let books = #"COUNT(DISTINCT "book"."id")"#
  static let paintings = #"COUNT(DISTINCT "painting"."id")"#

  @Test func logicalOperators() throws {
    try Studio.make().read { db throws in
      let condition = Author.books.isEmpty && Author.paintings.isEmpty
      let request = Author.having(condition)
      #expect(
        try sql(of: request, in: db).sql == """
          SELECT "author".* FROM "author" \(Studio.joinBook) \(Studio.joinPainting) \
          \(Self.group) HAVING (\(Self.books) = 0) AND (\(Self.paintings) = 0)
          """)
      #expect(try request.fetchAll(db) == [Studio.diana])
      let either = Author.having(Author.books.isEmpty || Author.paintings.isEmpty)
      #expect(try either.fetchAll(db) == [Studio.arthur, Studio.craig, Studio.diana])
      let not = Author.having(!(Author.books.isEmpty || Author.paintings.isEmpty))
      #expect(try not.fetchAll(db) == [Studio.barbara])
    }
  }

  @Test func comparisonOperators() throws {
    try Studio.make().read { db throws in
      let request = Author.having(Author.books.max(Column("year")) >= 2010)
      #expect(
        try sql(of: request, in: db)
          == RenderedSQL(
            """
            SELECT "author".* FROM "author" \(Studio.joinBook) \
            \(Self.group) HAVING MAX("book"."year") >= ?
            """, [2010]))
      #expect(try request.fetchAll(db) == [Studio.arthur])
      let count = Author.books.count
      let expected: [(AssociationAggregate<Author>, [String])] = [
        (count < 1, ["Craig", "Diana"]), (count <= 1, ["Barbara", "Craig", "Diana"]),
        (count == 1, ["Barbara"]), (count != 1, ["Arthur", "Craig", "Diana"]),
        (count >= 1, ["Arthur", "Barbara"]), (count > 1, ["Arthur"]),
      ]
      for (condition, names) in expected {
        #expect(try Author.having(condition).fetchAll(db).map(\.name) == names)
      }
    }
  }

  @Test func arithmeticOperators() throws {
    try Studio.make().read { db throws in
      let workCount = Author.books.count + Author.paintings.count
      let request = Author.annotated(with: workCount.forKey("workCount"))
      #expect(
        try sql(of: request, in: db).sql == """
          SELECT "author".*, \(Self.books) + \(Self.paintings) AS "workCount" FROM "author" \
          \(Studio.joinBook) \(Studio.joinPainting) \(Self.group)
          """)
      #expect(try Row.fetchAll(db, request).map { $0["workCount"] } == [3, 3, 1, 0])
      let count = Author.books.count
      let expected: [(AssociationAggregate<Author>, [Int])] = [
        (count - Author.paintings.count, [3, -1, -1, 0]), (count * 2, [6, 2, 0, 0]),
        (count / 2, [1, 0, 0, 0]), (10 - count, [7, 9, 10, 10]),
      ]
      for (aggregate, values) in expected {
        let request = Author.annotated(with: aggregate.forKey("value"))
        #expect(try Row.fetchAll(db, request).map { $0["value"] } == values)
      }
    }
  }

  struct Team: Codable, FetchableRecord, TableRecord {
    static let players = hasMany(Player.self)

    var id: Int64
  }

  struct Player: Codable, FetchableRecord, TableRecord {
    var id: Int64
    var score: Int
  }

  @Test func ifNullOperator() throws {
    struct TeamInfo: Decodable, Equatable, FetchableRecord {
      var id: Int64
      var minPlayerScore: Int
    }
    let dbQueue = try makeDatabase(
      sql: """
        CREATE TABLE team (id INTEGER PRIMARY KEY);
        CREATE TABLE player (
          id INTEGER PRIMARY KEY, teamId INTEGER NOT NULL REFERENCES team(id),
          score INTEGER NOT NULL);
        INSERT INTO team VALUES (1), (2);
        INSERT INTO player VALUES (1, 1, 500), (2, 1, 300);
        """)
    try dbQueue.read { db throws in
      let request = Team.annotated(with: Team.players.min(Column("score")) ?? 0)
      #expect(
        try sql(of: request, in: db)
          == RenderedSQL(
            """
            SELECT "team".*, IFNULL(MIN("player"."score"), ?) AS "minPlayerScore" FROM "team" \
            LEFT JOIN "player" ON "player"."teamId" = "team"."id" GROUP BY "team"."id"
            """, [0]))
      #expect(
        try TeamInfo.fetchAll(db, request) == [
          TeamInfo(id: 1, minPlayerScore: 300), TeamInfo(id: 2, minPlayerScore: 0),
        ])
    }
  }
}
