import Quarry
import QuarryTestSupport

extension Mistake {
  static let requests = [
    Mistake("an alias that is not in the request") {
      let author = TableAlias<Author>()
      _ = try $0.read { db in
        try Book.filter(author[Author.Columns.name] == "x").fetchAll(db)
      }
    },
    Mistake("`Stock.find(db, key: 1)`, whose key has two columns") {
      _ = try $0.read { db in try Stock.find(db, key: 1) }
    },
    Mistake("a view by key") { _ = try $0.read { db in try Bestseller.find(db, key: 3) } },
    Mistake("a prefetch with a wrong column, of 80 parents") {
      try $0.write { db in
        for id in 4...80 { try Author(id: Int64(id)).insert(db) }
      }
      _ = try $0.read { db in
        try Row.fetchAll(
          db, Author.including(all: Author.books.filter(Column("titel") == 1)))
      }
    },
    Mistake("1 argument for 2 parameters") {
      _ = try $0.read { db in try Row.fetchAll(db, sql: "SELECT ?, ?", arguments: [1]) }
    },
  ]
}
