import Foundation
import Quarry
import QuarryTestSupport

/// A mistake, and the error that it is answered with.
struct Mistake: Sendable, CustomStringConvertible {
  /// The mistake in a few words of code.
  let description: String

  /// The text of the error. `PATH` is the path of a file.
  let text: String

  /// The mistake: a function, so that each test has a database of its own.
  let make: @Sendable (AnyDatabaseWriter) throws -> Void

  init(
    _ description: String, _ text: String,
    _ make: @escaping @Sendable (AnyDatabaseWriter) throws -> Void
  ) {
    self.description = description
    self.text = text
    self.make = make
  }

  /// The text of the error.
  func provoke() throws -> String {
    let database = try makeBookshopDatabase()
    do {
      try make(database)
      return "no error"
    } catch {
      return "\(error)"
    }
  }
}

extension Mistake {
  /// A request without the association that the type decodes.
  struct Edited: Decodable, FetchableRecord {
    var book: Book
    var editor: Author
  }

  static let all: [Mistake] = writes + requests + selections + others

  private static let writes = [
    Mistake(
      "`Book(id: 9, authorId: 12).insert(db)` without author 12",
      """
      SQLite error 19: FOREIGN KEY constraint failed - while executing `INSERT INTO "book" \
      ("id", "title", "year", "price", "authorId", "publisherId") VALUES (?,?,?,?,?,?)` - \
      foreign key from book(authorId) to author(id): there is no such row
      """
    ) { try $0.write { db in try Book(id: 9, authorId: 12).insert(db) } },
    Mistake(
      "the same, in a configuration with `publicStatementArguments`",
      """
      SQLite error 19: FOREIGN KEY constraint failed - while executing `INSERT INTO "book" \
      ("id", "title", "year", "price", "authorId", "publisherId") VALUES (?,?,?,?,?,?)` with \
      arguments [9, NULL, NULL, NULL, 12, NULL] - \
      foreign key from book(authorId) to author(id): no row has [id:12]
      """
    ) { _ in
      var configuration = Configuration()
      configuration.publicStatementArguments = true
      let database = try makeBookshopDatabase(configuration: configuration)
      try database.write { db in try Book(id: 9, authorId: 12).insert(db) }
    },
    Mistake(
      "`author.delete(db)` with books of the author",
      """
      SQLite error 19: FOREIGN KEY constraint failed - while executing \
      `DELETE FROM "author" WHERE "id"=?` - \
      foreign key from book(authorId) to author(id): 2 rows reference the row
      """
    ) { _ = try $0.write { db in try Author.find(db, key: 1).delete(db) } },
    Mistake(
      "`Book.insert(db, contentsOf:)` of many books, one of them without its author",
      """
      SQLite error 19: FOREIGN KEY constraint failed - while executing `INSERT INTO "book" \
      ("id", "title", "year", "price", "authorId", "publisherId") VALUES (?,?,?,?,?,?),\
      (?,?,?,?,?,?)` - foreign key from book(authorId) to author(id): there is no such row
      """
    ) { database in
      try database.write { db in
        try Book.insert(
          db, contentsOf: [Book(id: 8, authorId: 1), Book(id: 9, authorId: 12)])
      }
    },
    Mistake(
      "`Author.deleteAll(db)` with books of the authors",
      """
      SQLite error 19: FOREIGN KEY constraint failed - while executing `DELETE FROM "author"` - \
      foreign key from book(authorId) to author(id)
      """
    ) { _ = try $0.write { db in try Author.deleteAll(db) } },
    Mistake(
      "`Book.updateAll(db)` to an author and a publisher, one of which does not exist",
      """
      SQLite error 19: FOREIGN KEY constraint failed - while executing \
      `UPDATE "book" SET "authorId" = ?, "publisherId" = ?` - one of the foreign keys \
      from book(publisherId) to publisher(id), from book(authorId) to author(id)
      """
    ) { database in
      _ = try database.write { db in
        try Book.updateAll(
          db, Column("authorId").set(to: 1), Column("publisherId").set(to: 7))
      }
    },
    Mistake(
      "a deferred foreign key",
      """
      SQLite error 19: FOREIGN KEY constraint failed - while executing `COMMIT TRANSACTION` - \
      a deferred foreign key: `checkForeignKeys()` identifies it before the commit
      """
    ) { database in
      try database.write { db in
        try db.execute(
          sql: """
            CREATE TABLE loan (bookId REFERENCES book(id) DEFERRABLE INITIALLY DEFERRED);
            INSERT INTO loan VALUES (99);
            """)
      }
    },
    Mistake(
      #"`t.column("copies").check { $0 >= 0 }`, and fewer copies"#,
      """
      SQLite error 19: CHECK constraint failed: copies - while executing \
      `UPDATE shelved SET copies = copies - 1` - CHECK ("copies" >= 0) of the table shelved
      """
    ) { database in
      try database.write { db in
        try db.create(table: "shelved") { t in
          t.column("copies", .integer).notNull().check { $0 >= 0 }
        }
        try db.execute(
          sql: "INSERT INTO shelved VALUES (0); UPDATE shelved SET copies = copies - 1")
      }
    },
    Mistake(
      "an error in a migration",
      """
      SQLite error 19: UNIQUE constraint failed: country.code - while executing \
      `INSERT INTO country VALUES ('FR', NULL)` - in migration "Countries"
      """
    ) { database in
      var migrator = DatabaseMigrator()
      migrator.registerMigration("Countries") { db in
        try db.execute(sql: "INSERT INTO country VALUES ('FR', NULL)")
      }
      try migrator.migrate(database)
    },
    Mistake(
      #"`t.belongsTo("editor")` without such a table"#,
      """
      SQLite error 1: no such table: editor - belongsTo("editor") in the table page looks for a \
      table editor or editors: create it before, or name it with `inTable:`
      """
    ) { try $0.write { db in try db.create(table: "page") { t in t.belongsTo("editor") } } },
  ]

  private static let requests = [
    Mistake(
      "an alias that is not in the request",
      """
      Undefined alias has no table name - in request SELECT … FROM "book" … - TableAlias<Author> \
      must be given to the request, or to one of its associations, with `aliased(_:)`
      """
    ) { database in
      let author = TableAlias<Author>()
      _ = try database.read { db in
        try Book.filter(author[Author.Columns.name] == "x").fetchAll(db)
      }
    },
    Mistake(
      "`Stock.find(db, key: 1)`, whose key has two columns",
      """
      Filtering by primary key requires a single-column primary key in the table 'stock' - \
      in request SELECT … FROM "stock" … - the key is ["shop": …, "isbn": …]
      """
    ) { _ = try $0.read { db in try Stock.find(db, key: 1) } },
    Mistake(
      "a view by key",
      """
      SQLite error 1: database view bestseller has no primary key - \
      the `schemaSource` of the configuration can declare one
      """
    ) { _ = try $0.read { db in try Bestseller.find(db, key: 3) } },
    Mistake(
      "a prefetch with a wrong column, of 80 parents",
      """
      SQLite error 1: no such column: nosuch - while executing `SELECT *, \
      "authorId" AS "grdb_authorId" FROM "book" WHERE ("nosuch" = ?) AND \
      ("authorId" IN (?, … 80 in all))` - at offset 59: "\\"nosuch\\" = ?) AND (\\"auth…"
      """
    ) { database in
      try database.write { db in
        for id in 4...80 { try Author(id: Int64(id)).insert(db) }
      }
      _ = try database.read { db in
        try Row.fetchAll(
          db, Author.including(all: Author.books.filter(Column("nosuch") == 1)))
      }
    },
  ]

  private static let selections = [
    Mistake(
      "an aggregate in `order`, as if it were a column of the table",
      """
      SQLite error 1: no such column: author.bookCount - while executing `SELECT "author".*, \
      COUNT(DISTINCT "book"."id") AS "bookCount" FROM "author" LEFT JOIN "book" ON \
      "book"."authorId" = "author"."id" GROUP BY "author"."id" ORDER BY "author"."bookCount"` - \
      at offset 162: "\\"author\\".\\"bookCount\\"" - "bookCount" is the name of a selected value, which \
      belongs to no table: Column("bookCount").detached
      """
    ) { database in
      _ = try database.read { db in
        try Author.annotated(with: Author.books.count).order(Column("bookCount")).fetchAll(db)
      }
    },
    Mistake(
      "a record with a property for an association that the request lacks",
      """
      DecodingError.keyNotFound: Key 'editor' not found in keyed decoding container. Debug \
      description: No such key: book or editor. Underlying error: the row has neither such a column \
      nor an association: `including(required:)` - column not found: "editor" - row: [id:1 \
      title:"Dispossession" year:1974 price:12.5 authorId:1 publisherId:1], sql: \
      `SELECT * FROM "book"`, arguments: [], record: Edited
      """
    ) { database in
      _ = try database.read { db in
        try Book.all().asRequest(of: Edited.self).fetchAll(db)
      }
    },
  ]

  private static let others = [
    Mistake(
      "1 argument for 2 parameters",
      """
      SQLite error 21: wrong number of statement arguments: 1 - while executing `SELECT ?, ?` - \
      the statement has 2 parameters
      """
    ) { _ = try $0.read { db in try Row.fetchAll(db, sql: "SELECT ?, ?", arguments: [1]) } },
    Mistake(
      "`queue.read` inside `queue.write`",
      """
      SQLite error 21: Database methods are not reentrant. - inside an access, use its `db` \
      argument, or `unsafeReentrantRead` and `unsafeReentrantWrite`
      """
    ) { database in try database.write { _ in try database.read { _ in } } },
    Mistake(
      "a file that is no database",
      "SQLite error 26: file is not a database - while opening `PATH`"
    ) { _ in
      try withTemporaryDirectory { directory in
        let path = directory + "/notes.txt"
        try String(repeating: "These are notes. ", count: 100)
          .write(toFile: path, atomically: true, encoding: .utf8)
        do {
          _ = try DatabaseQueue(path: path)
        } catch {
          throw Report(text: "\(error)".replacingOccurrences(of: path, with: "PATH"))
        }
      }
    },
  ]

  private struct Report: Error, CustomStringConvertible {
    let text: String
    var description: String { text }
  }
}
