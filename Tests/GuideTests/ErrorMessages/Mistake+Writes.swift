import Quarry
import QuarryTestSupport

extension Mistake {
  static let writes = [
    Mistake("`Book(id: 9, authorId: 12).insert(db)` without author 12") {
      try $0.write { db in try Book(id: 9, authorId: 12).insert(db) }
    },
    Mistake("the same, in a configuration with `publicStatementArguments`") { _ in
      var configuration = Configuration()
      configuration.publicStatementArguments = true
      let database = try makeBookshopDatabase(configuration: configuration)
      try database.write { db in try Book(id: 9, authorId: 12).insert(db) }
    },
    Mistake("`author.delete(db)` with books of the author") {
      _ = try $0.write { db in try Author.find(db, key: 1).delete(db) }
    },
    Mistake("`Book.insert(db, contentsOf:)` of many books, one of them without its author") {
      try $0.write { db in
        try Book.insert(db, contentsOf: [Book(id: 8, authorId: 1), Book(id: 9, authorId: 12)])
      }
    },
    Mistake("`Author.deleteAll(db)` with books of the authors") {
      _ = try $0.write { db in try Author.deleteAll(db) }
    },
    Mistake("`Book.updateAll(db)` to an author and a publisher, one of which does not exist") {
      _ = try $0.write { db in
        try Book.updateAll(db, Column("authorId").set(to: 1), Column("publisherId").set(to: 7))
      }
    },
    Mistake("a deferred foreign key") {
      try $0.write { db in
        try db.execute(
          sql: """
            CREATE TABLE loan (bookId REFERENCES book(id) DEFERRABLE INITIALLY DEFERRED);
            INSERT INTO loan VALUES (99);
            """)
      }
    },
    Mistake("`db.drop(table: \"author\")` with books of the authors") {
      try $0.write { db in try db.drop(table: "author") }
    },
    Mistake(#"`t.column("copies").check { $0 >= 0 }`, and fewer copies"#) {
      try $0.write { db in
        try db.create(table: "shelved") { t in
          t.column("copies", .integer).notNull().check { $0 >= 0 }
        }
        try db.execute(
          sql: "INSERT INTO shelved VALUES (0); UPDATE shelved SET copies = copies - 1")
      }
    },
    Mistake("`book.update(db)` of a record that was not inserted: its id is nil") {
      try $0.write { db in try Draft(title: "Sketches").update(db) }
    },
  ]

  /// A record whose key is nil before it is inserted.
  private struct Draft: Codable, PersistableRecord {
    static let databaseTableName = "book"
    var id: Int64?
    var title: String
  }
}
