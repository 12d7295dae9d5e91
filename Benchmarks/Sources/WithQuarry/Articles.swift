import Harness

#if PEER
  import GRDB
#else
  import Quarry
#endif

struct Article: Codable, FetchableRecord, PersistableRecord, ArticleValues {
  static let index = hasOne(ArticleIndex.self, using: ForeignKey([Column.rowID]))

  var id: Int64
  var title: String
  var body: String
}

struct ArticleIndex: TableRecord {}

/// The same in the table that the insertions fill.
struct NewArticle: Codable, FetchableRecord, PersistableRecord, ArticleValues {
  var id: Int64
  var title: String
  var body: String

  init(_ facts: ArticleFacts) {
    id = facts.id
    title = facts.title
    body = facts.body
  }
}

extension Toolkit {
  var indexedInserts: Pass {
    let articles = Dataset.articles.map(NewArticle.init)
    return Pass(
      prepare: {
        try queue.write { db in
          try db.execute(sql: "DROP TABLE IF EXISTS newArticle")
          try db.execute(sql: "DROP TABLE IF EXISTS newArticleIndex")
          try db.create(table: "newArticle") { t in
            t.primaryKey("id", .integer)
            t.column("title", .text).notNull()
            t.column("body", .text).notNull()
          }
          try db.create(virtualTable: "newArticleIndex", using: FTS5()) { t in
            t.synchronize(withTable: "newArticle")
            t.column("title")
            t.column("body")
          }
        }
      },
      run: {
        try queue.write { db in
          for article in articles { try article.insert(db) }
        }
        return { try queue.read { db in Checksum.of(try NewArticle.fetchAll(db)) } }
      })
  }

  /// The pattern of each text is made in the pass.
  var searches: Work<[Article]> {
    Work(
      { db in
        var articles: [Article] = []
        for text in Dataset.searches {
          let pattern = FTS5Pattern(matchingAllTokensIn: text)
          articles +=
            try Article
            .joining(required: Article.index.matching(pattern).order(Column.rank))
            .limit(10)
            .fetchAll(db)
        }
        return articles
      },
      checksum: { Checksum.of($0) })
  }
}
