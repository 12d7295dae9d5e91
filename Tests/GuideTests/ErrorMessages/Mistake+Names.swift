import Quarry
import QuarryRecords
import QuarryTestSupport

extension Mistake {
  static let names = [
    Mistake("`Writer.fetchAll(db)`, whose table is `author`") {
      _ = try $0.read { db in try Writer.fetchAll(db) }
    },
    Mistake("`SELECT * FROM autor`") {
      _ = try $0.read { db in try Row.fetchAll(db, sql: "SELECT * FROM autor") }
    },
    Mistake("`db.columns(in: \"books\")`") {
      _ = try $0.read { db in try db.columns(in: "books") }
    },
    Mistake("a table of a schema that is not attached") {
      try $0.write { db in try Person(firstName: "Ann").insert(db, into: "archive.person") }
    },
    Mistake("a table in a database without migrations") { _ in
      try DatabaseQueue().read { db in _ = try Book.fetchAll(db) }
    },
    Mistake(#"`Book.filter { $0.titel == "x" }`"#) {
      _ = try $0.read { db in try Book.filter(Column("titel") == "x").fetchAll(db) }
    },
    Mistake("an insertion with a property in camel case, into a column in snake case") {
      try $0.write { db in
        try db.create(table: "person") { t in t.column("first_name") }
        try Person(firstName: "Ann").insert(db)
      }
    },
    Mistake("a column of a joined table, without alias") {
      _ = try $0.read { db in
        try Book.joining(required: Book.author).order(Column("birthYear")).fetchAll(db)
      }
    },
    Mistake("a column of a table that is not joined") {
      _ = try $0.read { db in try Book.filter(Column("city") == "Paris").fetchAll(db) }
    },
    Mistake("an aggregate in `order`, as if it were a column of the table") {
      _ = try $0.read { db in
        try Author.annotated(with: Author.books.count).order(Column("bookCount")).fetchAll(db)
      }
    },
    Mistake("`SELECT lenght(title) FROM book`") {
      _ = try $0.read { db in try Row.fetchAll(db, sql: "SELECT lenght(title) FROM book") }
    },
    Mistake("a function of the application that is not registered") {
      _ = try $0.read { db in try Row.fetchAll(db, sql: "SELECT soundsLike(title) FROM book") }
    },
    Mistake("`matching(_:)` on an ordinary table") {
      _ = try $0.read { db in
        try Book.matching(FTS5Pattern(matchingAllTokensIn: "hand")).fetchAll(db)
      }
    },
    Mistake("`snippet` on an ordinary table") {
      _ = try $0.read { db in
        try Row.fetchAll(db, sql: "SELECT snippet(book, 0, '<', '>', '…', 8) FROM book")
      }
    },
    Mistake(#"`t.belongsTo("editor")` without such a table"#) {
      try $0.write { db in try db.create(table: "page") { t in t.belongsTo("editor") } }
    },
  ]

  private struct Writer: Codable, FetchableRecord, TableRecord {
    static let databaseTableName = "auhtor"
    var id: Int64
  }

  private struct Person: Codable, PersistableRecord {
    var firstName: String
  }
}
