import Quarry
import QuarryTables
import QuarryTestSupport
import Testing

/// Rank, and the auxiliary functions.
@Suite(.needs(.fullText))
struct FullTextFunctionTests {
  private let pattern = FTS5Pattern(matchingAllTokensIn: "sea")

  @Test func `The best matches come first`() throws {
    try withDocuments(using: "fts5") { db throws in
      let request = Doc.matching(pattern).order(Column.rank)
      #expect(
        try sql(of: request, in: db)
          == RenderedSQL(#"SELECT * FROM "doc" WHERE "doc" MATCH ? ORDER BY "rank""#, ["sea"]))
      #expect(try request.fetchAll(db).compactMap(\.title) == ["The Sea", "Rivers"])
      let worst = Doc.matching(pattern).order(Column.rank.desc)
      #expect(try worst.fetchAll(db).compactMap(\.title) == ["Rivers", "The Sea"])
      let ranks = try Doc.matching(pattern).select(Column.rank, as: Double.self).fetchAll(db)
      #expect(ranks.allSatisfy { $0 < 0 })
      #expect(
        try Doc.select(Column.rank).asRequest(of: Double?.self).fetchAll(db) == [nil, nil, nil])
    }
  }

  @Test func `Columns have weights`() throws {
    try DatabaseQueue().write { db throws in
      try db.create(virtualTable: "doc", using: FTS5()) { t in
        t.column("title")
        t.column("body")
      }
      try db.execute(
        sql: "INSERT INTO doc VALUES ('x', 'sea sea sea'), ('sea', 'x y z'), ('o', 'p'), ('q', 'r')"
      )
      func titles(_ request: QueryInterfaceRequest<Doc>) throws -> [String] {
        try request.fetchAll(db).compactMap(\.title)
      }
      let matching = Doc.matching(pattern)
      let weighted = matching.order(FTS5.bm25(weights: ["TITLE": 10]))
      #expect(
        try sql(of: weighted, in: db)
          == RenderedSQL(
            #"SELECT * FROM "doc" WHERE "doc" MATCH ? ORDER BY bm25("doc", ?, ?)"#,
            ["sea", 10.0, 1.0]))
      #expect(try titles(weighted) == ["sea", "x"])
      #expect(try titles(matching.order(FTS5.bm25(weights: ["body": 10]))) == ["x", "sea"])
      #expect(
        try sql(of: matching.order(FTS5.bm25()), in: db).sql
          == #"SELECT * FROM "doc" WHERE "doc" MATCH ? ORDER BY bm25("doc")"#)
      let ranked = matching.ranked(byWeights: ["title": 10, "body": 0.00001]).order(Column.rank)
      #expect(
        try sql(of: ranked, in: db)
          == RenderedSQL(
            #"SELECT * FROM "doc" WHERE ("doc" MATCH ?) AND ("rank" MATCH ?) ORDER BY "rank""#,
            ["sea", "bm25(10.0, 0.00001000000000000000)"]))
      #expect(try titles(ranked) == ["sea", "x"])
      #expect(
        try titles(matching.ranked(byWeights: ["body": 10]).order(Column.rank)) == ["x", "sea"])
      #expect(
        errorText { try matching.order(FTS5.bm25(weights: ["nope": 1])).fetchAll(db) }?
          .hasPrefix("no such column in doc: nope") == true)
      #expect(
        errorText { try matching.order(FTS5.bm25(weights: ["title": .nan])).fetchAll(db) }?
          .hasPrefix("the weight of column title is no number: nan") == true)
    }
  }

  @Test func `Matches are marked`() throws {
    try withDocuments(using: "fts5") { db throws in
      let body = FTS5.highlight("Body", open: "[", close: "]")
      let request = Doc.matching(pattern).select(body, as: String.self)
      #expect(
        try sql(of: request, in: db)
          == RenderedSQL(
            #"SELECT highlight("doc", 1, ?, ?) FROM "doc" WHERE "doc" MATCH ?"#, ["[", "]", "sea"]))
      #expect(
        try request.fetchAll(db) == ["An old man and the [sea]", "A river runs to the [sea]"])
      #expect(
        try Doc.select(FTS5.highlight(Column("title"), open: "[", close: "]"), as: String.self)
          .fetchAll(db) == ["The Sea", "Rivers", "Gardens"])
      #expect(
        errorText {
          try Doc.matching(pattern).select(FTS5.highlight("nope", open: "", close: "")).fetchAll(db)
        }?.hasPrefix("no such column in doc: nope") == true)
    }
  }

  @Test func `Parts of texts are shown`() throws {
    try withDocuments(using: "fts5") { db throws in
      let best = FTS5.snippet(open: "[", close: "]", tokenCount: 2)
      let request = Doc.matching(pattern).select(best, as: String.self)
      #expect(
        try sql(of: request, in: db)
          == RenderedSQL(
            #"SELECT snippet("doc", ?, ?, ?, ?, ?) FROM "doc" WHERE "doc" MATCH ?"#,
            [-1, "[", "]", "…", 2, "sea"]))
      #expect(try request.fetchAll(db) == ["The [Sea]", "…the [sea]"])
      let body = FTS5.snippet(
        Column("body"), open: "<", close: ">", ellipsis: "...", tokenCount: 3)
      #expect(
        try Doc.matching(pattern).select(body, as: String.self).fetchAll(db)
          == ["...and the <sea>", "...to the <sea>"])
    }
    try withDocuments(using: "fts4") { db throws in
      let snippet = FTS4.snippet("body", open: "[", close: "]", tokenCount: 3)
      #expect(
        try Doc.matching(pattern).select(snippet, as: String.self).fetchAll(db)
          == ["…and the [sea]", "…to the [sea]"])
      let any = FTS4.snippet(open: "[", close: "]", tokenCount: 2)
      #expect(try Doc.matching(pattern).select(any, as: String.self).fetchAll(db).count == 2)
    }
  }

  @Test func `In joins, functions belong to the full-text table`() throws {
    try withIndexedBooks(.fts5) { db throws in
      let index = TableAlias(name: "i")
      let marked = index[FTS5.highlight("title", open: "[", close: "]")].forKey("marked")
      let request =
        IndexedBook
        .joining(required: IndexedBook.index.aliased(index).matching(pattern).order(Column.rank))
        .annotated(with: marked)
      #expect(
        try sql(of: request, in: db)
          == RenderedSQL(
            """
            SELECT "book".*, highlight("i"."bookIndex", 0, ?, ?) AS "marked" FROM "book" \
            JOIN "bookIndex" "i" ON ("i"."rowid" = "book"."id") AND ("i"."bookIndex" MATCH ?) \
            ORDER BY "i"."rank"
            """, ["[", "]", "sea"]))
      #expect(
        try Row.fetchAll(db, request).map { $0["marked"] as String? }
          == ["[Sea] Wolf", "Old Man and [Sea]"])
      #expect(try request.fetchCount(db) == 2)
      let required = IndexedBook.annotated(
        withRequired: IndexedBook.index.matching(pattern).select(
          FTS5.snippet(open: "[", close: "]", tokenCount: 1).forKey("extract")))
      #expect(
        try Set(Row.fetchAll(db, required).map { $0["extract"] as String? })
          == ["[Sea]…", "…[Sea]"])
    }
  }

  @Test func `Functions are written in SQL, too`() throws {
    try withDocuments(using: "fts5") { db throws in
      let request = Doc.matching(pattern)
      #expect(
        try request.filter(sql: "rank MATCH 'bm25(10.0, 1.0)'").order(Column.rank).fetchAll(db)
          .compactMap(\.title) == ["The Sea", "Rivers"])
      #expect(
        try request.order(sql: "bm25(doc, 10.0, 1.0)").fetchAll(db).compactMap(\.title)
          == ["The Sea", "Rivers"])
      let arguments: StatementArguments = ["<b>", "</b>", "…", 2]
      #expect(
        try request.select(sql: "snippet(doc, -1, ?, ?, ?, ?)", arguments: arguments)
          .asRequest(of: String.self).fetchAll(db) == ["The <b>Sea</b>", "…the <b>sea</b>"])
      let (open, close) = ("[", "]")
      #expect(
        try request.select(SQL("highlight(doc, 0, \(open), \(close))"), as: String.self)
          .fetchAll(db) == ["The [Sea]", "Rivers"])
      #expect(
        try Row.fetchAll(db, request.annotated(with: Column.rank)).allSatisfy {
          $0["rank"] as Double? != nil
        })
      let column = #"SELECT highlight("s"."doc", 0, '[', ']') FROM doc s WHERE s.doc MATCH 'sea'"#
      #expect(try String.fetchAll(db, sql: column) == ["The [Sea]", "Rivers"])
      let alias = #"SELECT highlight("s", 0, '[', ']') FROM doc s WHERE s.doc MATCH 'sea'"#
      #expect(
        databaseError { try String.fetchAll(db, sql: alias) }?.message
          == SQLiteBuild.noSuchColumn("s"))
    }
  }

  @Test(arguments: ["fts3", "fts4"])
  func `FTS3 and FTS4 have functions of their own`(module: String) throws {
    try withDocuments(using: module) { db throws in
      let row = try Row.fetchOne(
        db,
        sql: """
          SELECT snippet(doc, '<b>', '</b>', '…', -1, 5) AS s, offsets(doc) AS o,
            length(matchinfo(doc, 'pcx')) AS m
          FROM doc WHERE doc MATCH 'oak'
          """)
      // Column 1, term 0, at byte 17 for 3 bytes; 1 + 1 + 3 * 2 numbers of 32 bits.
      #expect(row == ["s": "Roses and an old <b>oak</b>", "o": "1 0 17 3", "m": 32])
    }
  }

  @Test func `The rank of a joined index is qualified`() throws {
    try withIndexedBooks(.fts5) { db throws in
      let index = TableAlias()
      let request =
        IndexedBook
        .joining(required: IndexedBook.index.aliased(index).matching(pattern))
        .order(index[Column.rank].desc)
      #expect(try sql(of: request, in: db).sql.hasSuffix(#" ORDER BY "bookIndex"."rank" DESC"#))
      #expect(try request.fetchAll(db).map(\.id) == [1, 2])
      let extract = IndexedBook.annotated(
        withRequired: IndexedBook.index.matching(pattern).select([
          SQL("snippet(bookIndex, 0, '[', ']', '…', 8)").sqlExpression.forKey("extract")
        ]))
      #expect(
        try Set(Row.fetchAll(db, extract).map { $0["extract"] as String? })
          == ["Old Man and [Sea]", "[Sea] Wolf"])
      #expect(try extract.fetchCount(db) == 2)
    }
  }

  @Test func `Functions in groups are refused`() throws {
    try withDocuments(using: "fts5") { db throws in
      let marked = FTS5.highlight("title", open: "[", close: "]")
      #expect(
        databaseError {
          try Doc.matching(pattern).select(marked).group(Column("body")).fetchAll(db)
        }?.message == "unable to use function highlight in the requested context")
    }
  }
}
