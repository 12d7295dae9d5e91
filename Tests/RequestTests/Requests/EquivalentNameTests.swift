import QuarryTestSupport
import Testing

@testable import Quarry

private let composed = Acute.composed
private let decomposed = Acute.decomposed

private struct Writer: TableRecord {
  static let works = hasMany(Work.self, using: ForeignKey(["writer"], to: ["name"]))
}

private struct Work: TableRecord {
  static let first = belongsTo(Writer.self, using: ForeignKey([composed], to: ["id"]))
  static let second = belongsTo(Writer.self, using: ForeignKey([decomposed], to: ["id"]))
}

/// Names, keys and values that are equal in Swift, in requests.
@Suite(.onQueueAndPool)
struct EquivalentNameTests {
  private func inLibrary(_ body: (Database) throws -> Void) throws {
    try inEmptyDatabase { db throws in
      try db.execute(
        sql: """
          CREATE TABLE writer (id INTEGER PRIMARY KEY, name TEXT UNIQUE);
          CREATE TABLE work (
            id INTEGER PRIMARY KEY, writer TEXT, "\(composed)" INTEGER UNIQUE, "\(decomposed)" INTEGER UNIQUE);
          INSERT INTO writer VALUES (1, '\(composed)'), (2, '\(decomposed)');
          INSERT INTO work VALUES (1, '\(composed)', 1, 2), (2, '\(decomposed)', 2, 1),
            (3, '\(decomposed)', NULL, NULL);
          """)
      try body(db)
    }
  }

  @Test(arguments: [false, true])
  func `children are those of their parent`(isReversed: Bool) throws {
    try inLibrary { db throws in
      let request = Writer.order(Column("id")).including(all: Writer.works)
      let rows = try Row.fetchAll(db, isReversed ? request.reversed() : request)
      let works = rows.map { row in row.prefetchedRows["works"]?.map { $0["id"] as Int } ?? [] }
      #expect(works == (isReversed ? [[2, 3], [1]] : [[1], [2, 3]]))
    }
  }

  @Test func `values of requests with one structure are distinguished`() throws {
    try inLibrary { db throws in
      for _ in 0..<4 {
        for (id, name) in [(1, composed), (2, decomposed)] {
          #expect(
            try Writer.filter(Column("name") == name).select(Column("id"), as: Int.self).fetchAll(
              db) == [id])
          #expect(try Table("writer").filter(key: ["name": name]).fetchOne(db)?["id"] == id)
        }
      }
    }
    let filters = [composed, decomposed].map { Writer.filter(Column("name") == $0).relation }
    #expect(filters[0] != filters[1])
  }

  @Test func `each named argument has one value in a request`() throws {
    try inLibrary { db throws in
      func request(_ first: Int, _ second: Int) -> QueryInterfaceRequest<Int> {
        Table("work").select(Column("id"), as: Int.self)
          .filter(
            sql: "\"\(composed)\" = :\(composed) OR \"\(decomposed)\" = :\(decomposed)",
            arguments: [composed: 1, decomposed: 9]
          )
          .filter(
            sql: ":\(composed) < :\(decomposed)", arguments: [composed: first, decomposed: second])
      }
      #expect(try request(1, 9).fetchAll(db) == [1])
      for (first, second, name) in [(2, 9, composed), (1, 8, decomposed)] {
        let message = try #require(errorText { try request(first, second).fetchAll(db) })
        #expect(BinaryText(message).hasPrefix("The argument \(name) has several values"))
      }
    }
  }

  @Test func `associations with foreign keys of other names are other associations`() throws {
    try inLibrary { db throws in
      let request = Work.order(Column("id"))
        .including(optional: Work.first.forKey(composed))
        .including(optional: Work.second.forKey(decomposed))
      let row = try #require(try Row.fetchOne(db, request))
      #expect(row.scopes.count == 2)
      #expect(row.scopes[composed]?["id"] == 1)
      #expect(row.scopes[decomposed]?["id"] == 2)
      let error = errorText {
        try Row.fetchOne(db, Work.including(optional: Work.first).including(optional: Work.second))
      }
      #expect(error?.contains(#"The association key "writer" is ambiguous"#) == true)
    }
    #expect(ForeignKey([composed]) != ForeignKey([decomposed]))
    #expect(ForeignKey(["a"], to: [composed]) != ForeignKey(["a"], to: [decomposed]))
    #expect(ForeignKey([composed], to: ["a"]) == ForeignKey([composed], to: ["a"]))
  }

  @Test(arguments: [1, 80])
  func `keys of other columns find other rows`(count: Int) throws {
    try inLibrary { db throws in
      // The rows 1 and 2 by one column, and by the other one.
      let missing = (10..<(10 + count)).map { [composed: $0] }
      let keys = [[decomposed: 1]] + missing + (10..<(10 + count)).map { [decomposed: $0] }
      #expect(try Table("work").filter(keys: keys).fetchAll(db).map { $0["id"] as Int } == [2])
      let others = [[composed: 1], [decomposed: 7]] + missing
      #expect(try Table("work").filter(keys: others).fetchAll(db).map { $0["id"] as Int } == [1])
    }
  }

  @Test func `a selection leaves out the column of this name`() throws {
    try inLibrary { db throws in
      let row = try #require(try Row.fetchOne(db, Work.select(.allColumns(excluding: [composed]))))
      #expect(Array(row.columnNames).hasSameTexts(as: ["id", "writer", decomposed]))
    }
  }

  @Test func `aliases, windows and table expressions have names of their own`() throws {
    try inLibrary { db throws in
      try db.execute(
        sql: "CREATE TABLE \"\(composed)\" (a); INSERT INTO \"\(composed)\" VALUES (1)")
      let alias = TableAlias(name: decomposed)
      let request = Table(composed).aliased(alias).filter(alias[Column("a")] == 1)
      #expect(try request.fetchCount(db) == 1)
      #expect(try Row.fetchAll(db, request).count == 1)
      let definitions = [composed, decomposed].enumerated().map { index, name in
        CommonTableExpression<Void>(named: name, sql: "SELECT \(index) AS a")
      }
      let both = definitions[1].all().with(definitions[0]).with(definitions[1])
      #expect(try Int.fetchOne(db, both) == 1)
    }
  }

  @Test func `a parameter has one value for each of its names`() throws {
    try inLibrary { db throws in
      let request = Writer.filter(sql: "id = :\(composed)", arguments: [composed: 1])
        .filter(sql: "name <> :\(decomposed)", arguments: [decomposed: decomposed])
      #expect(try request.fetchCount(db) == 1)
      let error = errorText {
        try Writer.filter(sql: "name = :a", arguments: ["a": composed])
          .filter(sql: "name = :a", arguments: ["a": decomposed]).fetchCount(db)
      }
      #expect(error?.contains("The argument a has several values") == true)
    }
  }
}
