import Quarry
import QuarryTestSupport
import Testing

/// Requests that match patterns.
@Suite(.needs(.fullText))
struct MatchingTests {
  private let pattern = FTS5Pattern(matchingAllTokensIn: "sea")
  private let oldPattern = FTS3Pattern(matchingAllTokensIn: "sea")
  private let noPattern: FTS5Pattern? = nil
  private let noOldPattern: FTS3Pattern? = nil

  private func expect(
    _ request: some FetchRequest, _ sql: String, _ arguments: StatementArguments = ["sea"],
    in db: Database, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    #expect(
      try QuarryTestSupport.sql(of: request, in: db) == RenderedSQL(sql, arguments),
      sourceLocation: sourceLocation)
  }

  @Test(arguments: ["fts3", "fts4", "fts5"])
  func `Records, requests and tables match`(module: String) throws {
    try withDocuments(using: module) { db throws in
      let sql = #"SELECT * FROM "doc" WHERE "doc" MATCH ?"#
      try expect(Doc.matching(pattern), sql, in: db)
      try expect(Doc.matching(oldPattern), sql, in: db)
      try expect(Doc.all().matching(pattern), sql, in: db)
      try expect(Doc.all().matching(oldPattern), sql, in: db)
      try expect(Table("doc").matching(pattern), sql, in: db)
      try expect(Table("doc").matching(oldPattern), sql, in: db)
      try expect(Table("doc").all().matching(pattern), sql, in: db)
      #expect(try Doc.matching(pattern).fetchAll(db).compactMap(\.title) == ["The Sea", "Rivers"])
      let title = Column("title")
      try expect(
        Doc.filter(title.match(oldPattern)), #"SELECT * FROM "doc" WHERE "title" MATCH ?"#, in: db)
      #expect(try Doc.filter(title.match(try #require(pattern))).fetchCount(db) == 1)
      try expect(
        Doc.filter(Column("doc").match(oldPattern)), #"SELECT * FROM "doc" WHERE "doc" MATCH ?"#,
        in: db)
      try expect(
        Doc.filter(title != "x").matching(pattern),
        #"SELECT * FROM "doc" WHERE ("title" <> ?) AND ("doc" MATCH ?)"#, ["x", "sea"], in: db)
      #expect(try Doc.filter(title != "Rivers").matching(pattern).fetchCount(db) == 1)
    }
  }

  @Test func `No pattern matches nothing`() throws {
    try withDocuments(using: "fts4") { db throws in
      try expect(Doc.matching(noPattern), #"SELECT * FROM "doc" WHERE ?"#, [false], in: db)
      try expect(Doc.matching(noOldPattern), #"SELECT * FROM "doc" WHERE ?"#, [false], in: db)
      try expect(
        Doc.filter(Column("title") == "x").matching(noPattern),
        #"SELECT * FROM "doc" WHERE ("title" = ?) AND ?"#, ["x", false], in: db)
      let request = Doc.filter(Column("title").match(noOldPattern))
      try expect(request, #"SELECT * FROM "doc" WHERE "title" MATCH NULL"#, [], in: db)
      #expect(try request.fetchCount(db) == 0)
      #expect(try Doc.matching(noPattern).fetchAll(db) == [])
    }
    try withDocuments(using: "fts5") { db throws in
      let request = Doc.filter(Column("title").match(noOldPattern))
      #expect(
        databaseError { try request.fetchAll(db) }?.message == #"fts5: syntax error near """#)
    }
  }

  @Test func `Shortcuts`() throws {
    try withDocuments(using: "fts5") { db throws in
      let request = Doc.matching(pattern)
      let statements = try db.statements { () throws in
        #expect(try request.fetchCount(db) == 2)
        #expect(try !request.isEmpty(db))
        #expect(try request.fetchOne(db)?.title == "The Sea")
      }
      #expect(
        statements.filter { $0.hasPrefix("SELECT") && $0.contains("MATCH") } == [
          #"SELECT COUNT(*) FROM "doc" WHERE "doc" MATCH ?"#,
          #"SELECT EXISTS (SELECT * FROM "doc" WHERE "doc" MATCH ?)"#,
          #"SELECT * FROM "doc" WHERE "doc" MATCH ? LIMIT 1"#,
        ])
    }
  }

  @Test(arguments: ["fts3", "fts4", "fts5"])
  func `Matching rows are updated and deleted`(module: String) throws {
    try withDocuments(using: module) { db throws in
      let request = Doc.matching(pattern)
      let statements = try db.writingStatements { () throws in
        #expect(try request.updateAll(db, [Column("body").set(to: "the sea again")]) == 2)
        #expect(try request.deleteAll(db) == 2)
      }
      #expect(
        statements == [
          #"UPDATE "doc" SET "body" = ? WHERE "doc" MATCH ?"#,
          #"DELETE FROM "doc" WHERE "doc" MATCH ?"#,
        ])
      #expect(try Doc.fetchAll(db).compactMap(\.title) == ["Gardens"])
    }
  }

  @Test(arguments: ["fts3", "fts4", "fts5"])
  func `A table with another name is matched by its column`(module: String) throws {
    try withDocuments(using: module) { db throws in
      let named = TableAlias(name: "d")
      let request = Doc.all().aliased(named).matching(pattern)
      try expect(request, #"SELECT "d".* FROM "doc" "d" WHERE "d"."doc" MATCH ?"#, in: db)
      #expect(try request.fetchCount(db) == 2)
      let filtered = Doc.all().aliased(named).filter(named[Column("doc").match(oldPattern)])
      try expect(filtered, #"SELECT "d".* FROM "doc" "d" WHERE "d"."doc" MATCH ?"#, in: db)
      #expect(try filtered.fetchCount(db) == 2)
      let unnamed = TableAlias()
      try expect(
        Doc.all().aliased(unnamed).matching(pattern),
        #"SELECT * FROM "doc" WHERE "doc" MATCH ?"#, in: db)
      let d = TableAlias(name: "d")
      let one = Doc.all().aliased(d).filter(d[Column("title").match(try #require(pattern))])
      #expect(try one.fetchCount(db) == 1)
    }
  }

  @Test func `A table of an attached database`() throws {
    try DatabaseQueue().writeWithoutTransaction { db throws in
      try db.execute(
        sql: """
          ATTACH DATABASE ':memory:' AS archive;
          CREATE VIRTUAL TABLE archive.doc USING fts5(title);
          INSERT INTO archive.doc VALUES ('sea');
          """)
      let table = Table("archive.doc")
      #expect(try table.matching(pattern).fetchCount(db) == 1)
      #expect(try table.all().aliased(TableAlias(name: "d")).matching(pattern).fetchCount(db) == 1)
      #expect(try table.all().aliased(TableAlias()).matching(pattern).fetchCount(db) == 1)
      #expect(try table.matching(pattern).updateAll(db, [Column("title").set(to: "x")]) == 1)
    }
  }

  @Test func `Conditions that full-text tables allow`() throws {
    let title = Column("title")
    let body = Column("body")
    let river = FTS3Pattern(matchingAllTokensIn: "rivers")
    let misuse = "unable to use function MATCH in the requested context"
    for module in ["fts3", "fts4", "fts5"] {
      try withDocuments(using: module) { db throws in
        func outcome(_ predicate: SQLExpression) -> String? {
          do { return try "\(Doc.filter(predicate).fetchCount(db))" } catch {
            return (error as? DatabaseError)?.message
          }
        }
        let isFTS5 = module == "fts5"
        let sea = title.match(oldPattern)
        #expect(outcome(sea && body != "x") == "1")
        #expect(outcome(sea || title.match(river)) == (isFTS5 ? "2" : "2"))
        #expect(outcome(sea && body.match(oldPattern)) == (isFTS5 ? "1" : misuse))
        #expect(outcome(title.match(river) && body.match(river)) == (isFTS5 ? "0" : misuse))
        #expect(outcome(sea || body == "x") == misuse)
        #expect(outcome(!sea) == misuse)
        #expect(databaseError { try Doc.select(sea).fetchAll(db) }?.message == misuse)
        #expect(
          try Doc.filter(
            Doc.matching(pattern).select(Column.rowID).contains(Column.rowID)
              || title == "Gardens"
          ).fetchCount(db) == 3)
      }
    }
    try withBooks { db throws in
      #expect(
        databaseError { try Table("book").filter(title.match(oldPattern)).fetchAll(db) }?.message
          == misuse)
      #expect(
        databaseError { try Table("book").matching(pattern).fetchAll(db) }?.message
          == SQLiteBuild.noSuchColumn("book"))
    }
  }

  @Test func `Substrings are found by trigrams`() throws {
    try DatabaseQueue().write { db throws in
      try db.create(virtualTable: "doc", using: FTS5()) { t in
        t.column("title")
        t.tokenizer = .trigram()
      }
      try db.execute(sql: "INSERT INTO doc VALUES ('Brick Lane'), ('Trickle'), ('Sea')")
      let title = Column("title")
      func plan(_ request: QueryInterfaceRequest<Row>) throws -> String? {
        let rendered = try sql(of: request, in: db)
        return try Row.fetchOne(
          db, sql: "EXPLAIN QUERY PLAN \(rendered.sql)", arguments: rendered.arguments)?["detail"]
      }
      func check(_ predicate: SQLExpression, _ titles: [String], _ index: String) throws {
        let request = Table("doc").filter(predicate)
        #expect(try request.select(title, as: String.self).fetchAll(db) == titles)
        #expect(try plan(request) == "SCAN doc VIRTUAL TABLE INDEX 0:\(index)")
      }
      try check(title.like("%RICK%"), ["Brick Lane", "Trickle"], "L0")
      try check(title.glob("*rick*"), ["Brick Lane", "Trickle"], "G0")
      try check(title.glob("*RICK*"), [], "G0")
      try check(title.like("%ri%"), ["Brick Lane", "Trickle"], "L0")
      try check(title.like("%rick%", escape: "\\"), ["Brick Lane", "Trickle"], "")
      let pattern = try #require(FTS5Pattern(matchingPhrase: "rick l"))
      #expect(
        try Table("doc").matching(pattern).select(title, as: String.self).fetchAll(db) == [
          "Brick Lane"
        ])
      #expect(try Table("doc").matching(FTS5Pattern(matchingPhrase: "ri")).fetchCount(db) == 0)
    }
  }

  @Test func `Case matters where trigrams are declared so`() throws {
    try DatabaseQueue().write { db throws in
      try db.create(virtualTable: "doc", using: FTS5()) { t in
        t.column("title")
        t.tokenizer = .trigram(caseSensitive: true)
      }
      try db.execute(sql: "INSERT INTO doc VALUES ('Brick Lane')")
      func count(_ text: String) throws -> Int {
        try Table("doc").matching(FTS5Pattern(rawPattern: text)).fetchCount(db)
      }
      #expect(try count("Bri") == 1)
      #expect(try count("bri") == 0)
      #expect(try Table("doc").filter(Column("title").like("%bri%")).fetchCount(db) == 1)
      #expect(try Table("doc").filter(Column("title").glob("*bri*")).fetchCount(db) == 0)
    }
  }
}
