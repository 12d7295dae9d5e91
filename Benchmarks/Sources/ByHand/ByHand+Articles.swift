import CSQLiteBench
import Harness

extension ByHand {
  func indexedInserts() -> Pass {
    Pass(
      prepare: {
        try connection.execute("DROP TABLE IF EXISTS newArticle")
        try connection.execute("DROP TABLE IF EXISTS newArticleIndex")
        for sql in Dataset.articleTables("newArticle") { try connection.execute(sql) }
      },
      run: {
        try connection.inTransaction {
          try connection.insert(Dataset.articles, into: "newArticle")
        }
        return {
          Checksum.of(try connection.rows("SELECT * FROM newArticle") { Article($0, from: 0) })
        }
      })
  }

  func searches() -> Pass {
    reading(
      { connection in
        let sql = """
          SELECT article.* FROM article
          JOIN articleIndex ON articleIndex.rowid = article.id AND articleIndex MATCH ?
          ORDER BY articleIndex.rank LIMIT 10
          """
        return try connection.withStatement(sql) { statement in
          var articles: [Article] = []
          for text in Dataset.searches {
            try withBound(text, to: statement, at: 1) {
              while try connection.step(statement) {
                articles.append(Article(statement, from: 0))
              }
              sqlite3_reset(statement)
            }
          }
          return articles
        }
      },
      checksum: { Checksum.of($0) })
  }
}

struct Article: Record, ArticleValues {
  var id: Int64
  var title: String
  var body: String

  @inline(__always)
  init(_ statement: OpaquePointer, from start: CInt) {
    id = integer(statement, start)
    title = text(statement, start + 1)
    body = text(statement, start + 2)
  }
}

extension Connection {
  func insert(_ articles: [ArticleFacts], into table: String) throws {
    try withStatement("INSERT INTO \(table) VALUES (?, ?, ?)") { statement in
      for article in articles {
        sqlite3_bind_int64(statement, 1, article.id)
        try withBound(article.title, to: statement, at: 2) {
          try withBound(article.body, to: statement, at: 3) {
            _ = try step(statement)
            sqlite3_reset(statement)
          }
        }
      }
    }
  }
}
