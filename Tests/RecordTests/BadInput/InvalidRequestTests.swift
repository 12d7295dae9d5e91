import Quarry
import QuarryTestSupport
import Testing

/// A request that has no SQL, the message of its error, and the request that the error names.
private struct Invalid: CustomTestStringConvertible, Sendable {
  var request: QueryInterfaceRequest<Row>
  var message: String
  var table: String
  var testDescription: String { message }

  init(_ request: QueryInterfaceRequest<some Any>, _ message: String, in table: String = "book") {
    self.request = request.asRequest(of: Row.self)
    self.message = message
    self.table = table
  }

  /// Counts ignore the ordering; updates and deletes ignore the selection too, and need the key of
  /// a view before they look at its joins.
  func isFine(for use: RequestUse) -> Bool {
    let isWrite = RequestUse.writes.contains { $0.testDescription == use.testDescription }
    if message.contains("Ordering") { return isWrite || use.testDescription == "fetchCount" }
    return isWrite && (message.contains("selection") || message.contains("'bestseller' to"))
  }
}

private let advice = """
  To fix this error, provide an explicit `ForeignKey` in the association definition
  """

@Suite("Requests that have no SQL", .onQueueAndPool)
struct InvalidRequestTests {
  private static let people = Table("person")
  private static let letters = Table("letter")
  private static let shared = TableAlias<Author>()

  private static let invalid = [
    Invalid(
      letters.joining(required: letters.belongsTo(people)),
      "Ambiguous foreign key from 'letter' to 'person'. \(advice).", in: "letter"),
    Invalid(
      people.including(optional: people.hasOne(letters)),
      "Ambiguous foreign key from 'letter' to 'person'. \(advice).", in: "person"),
    Invalid(
      people.annotated(with: people.hasMany(letters).count),
      "Ambiguous foreign key from 'letter' to 'person'. \(advice).", in: "person"),
    Invalid(
      Author.joining(required: Author.belongsTo(Book.self)),
      "Could not infer foreign key from 'author' to 'book'. \(advice).", in: "author"),
    Invalid(
      Book.joining(required: Book.hasMany(Author.self)),
      "Could not infer foreign key from 'author' to 'book'. \(advice)."),
    Invalid(
      Table("bestseller").joining(optional: Table("bestseller").belongsTo(Author.self)),
      "Could not infer foreign key from 'bestseller' to 'author'. \(advice).", in: "bestseller"),
    Invalid(
      Book.joining(
        optional: Book.belongsTo(Table("bestseller"), using: ForeignKey(["publisherId"]))),
      "Could not infer foreign key from 'book' to 'bestseller'. "
        + "\(advice), with both origin and destination columns."),
    Invalid(
      Book.joining(
        required: Book.belongsTo(Author.self, using: ForeignKey(["a"], to: ["b", "c"]))),
      "Number of columns don't match"),
    Invalid(Book.select([]), "Can't generate SQL with an empty selection"),
    Invalid(
      Employee.aliased(employees).joining(required: Employee.manager.aliased(employees)),
      "A TableAlias must not be used to refer to multiple tables", in: "employee"),
    Invalid(
      Book.joining(required: Book.author.aliased(shared))
        .joining(
          required: Book.publisher.joining(
            required: Publisher.books.joining(
              required: Book.author.aliased(shared)))),
      "A TableAlias must not be used to refer to multiple tables"),
    Invalid(
      Book.aliased(TableAlias(name: "a")).joining(
        required: Book.author.aliased(TableAlias(name: "a"))),
      "ambiguous alias: a"),
    Invalid(
      Book.including(required: Book.author)
        .including(required: Book.publisher.forKey("author")),
      #"The association key "author" is ambiguous. "#
        + "Use the Association.forKey(_:) method in order to disambiguate."),
    Invalid(
      Stock.filter(key: 1),
      "Filtering by primary key requires a single-column primary key in the table 'stock'",
      in: "stock"),
    Invalid(
      Stock.filter(keys: [1, 2]),
      "Filtering by primary key requires a single-column primary key in the table 'stock'",
      in: "stock"),
    Invalid(
      Stock.filter(key: ["shop": "north"]), "table stock has no unique key on column(s) shop",
      in: "stock"),
    Invalid(
      Stock.filter(keys: [["shop": "north", "isbn": "a"], ["qty": 1, "isbn": "a"]]),
      "table stock has no unique key on column(s) isbn, qty", in: "stock"),
    Invalid(Book.filter(key: ["title": "x"]), "table book has no unique key on column(s) title"),
    Invalid(
      Table("bestseller").filter(key: ["id": 1]),
      "database view bestseller has no unique key on column(s) id", in: "bestseller"),
    Invalid(
      Book.order(sql: "title").reversed(),
      "Ordering literals can't be reversed. To resolve this error, order by expression literals "
        + #"instead. For example: order(SQL("(score + bonus)").sqlExpression)"#),
    Invalid(
      Book.joining(required: Book.author.distinct()),
      "An association that selects DISTINCT rows can't be joined: join a common table expression "
        + "instead"),
    Invalid(
      Book.joining(required: Book.author.group(Column("id"))),
      "An association with a GROUP BY clause can't be joined: join a common table expression "
        + "instead"),
  ]

  private static let employees = TableAlias<Employee>()

  private func inDatabase(_ body: (Database) throws -> Void) throws {
    try makeBookshopDatabase().write { db in
      try db.execute(
        sql: """
          CREATE TABLE person (id INTEGER PRIMARY KEY);
          CREATE TABLE letter (
            id INTEGER PRIMARY KEY, title TEXT, senderId INTEGER REFERENCES person,
            addresseeId INTEGER REFERENCES person);
          """)
      try body(db)
    }
  }

  @Test(arguments: invalid)
  fileprivate func `Each use throws, with the request`(invalid: Invalid) throws {
    try inDatabase { db in
      for use in RequestUse.reads + [.view] where !invalid.isFine(for: use) {
        let error = errorText { try use.run(db, invalid.request) }
        let comment: Comment = "\(use.testDescription): \(error ?? "no error")"
        #expect(error?.hasPrefix(String(invalid.message.dropLast())) == true, comment)
        #expect(error?.contains("\"\(invalid.table)\"") == true, comment)
      }
    }
  }

  @Test(arguments: invalid)
  fileprivate func `Updates and deletes throw, and change nothing`(invalid: Invalid) throws {
    try inDatabase { db in
      let count = db.totalChangesCount
      for use in RequestUse.writes where !invalid.isFine(for: use) {
        let error = errorText { try use.run(db, invalid.request) }
        #expect(
          error?.hasPrefix(String(invalid.message.dropLast())) == true,
          "\(use.testDescription): \(error ?? "no error")")
      }
      #expect(db.totalChangesCount == count)
    }
  }

  @Test(arguments: RequestUse.reads)
  func `An association to an unknown table is reported with its name`(use: RequestUse) throws {
    let books = Table("book")
    try inDatabase { db in
      let requests = [
        books.including(required: books.belongsTo(Table("ghost"))),
        books.including(required: books.hasMany(Table("ghost"))),
        books.including(
          optional: books.belongsTo(Table("ghost"), using: ForeignKey(["authorId"]))),
        books.including(
          optional: books.belongsTo(Table("ghost"), using: ForeignKey(["authorId"], to: ["id"]))),
      ]
      for request in requests {
        let error = databaseError { try use.run(db, request) }
        #expect(error?.message?.hasSuffix("no such table: ghost") == true)
      }
    }
  }

  @Test func `A view without key has no primary key to filter, to find, or to delete`() throws {
    try inDatabase { db in
      let message = "database view bestseller has no primary key"
      let uses: [() throws -> Any?] = [
        { try Bestseller.fetchOne(db, key: 3) }, { try Bestseller.find(db, id: 3) },
        { try Bestseller.filter(id: 3).fetchAll(db) }, { try Bestseller.exists(db, key: 3) },
        { try Bestseller.deleteOne(db, key: 3) },
        { try Bestseller.orderByPrimaryKey().fetchAll(db) },
        { try Bestseller.selectPrimaryKey(as: Int64.self).fetchAll(db) },
      ]
      for use in uses {
        let error = errorText(use)
        #expect(error?.contains(message) == true, "\(error ?? "no error")")
      }
    }
  }

  @Test func `Requests by key that can't be built are thrown by the methods of records`() throws {
    try inDatabase { db in
      let message = """
        Filtering by primary key requires a single-column primary key in the table 'stock'
        """
      let uses: [() throws -> Any?] = [
        { try Stock.fetchOne(db, key: 1) }, { try Stock.find(db, key: 1) },
        { try Stock.fetchAll(db, keys: [1, 2]) }, { try Stock.fetchSet(db, keys: [1]) },
        { try Stock.fetchCursor(db, keys: [1]) }, { try Stock.exists(db, key: 1) },
        { try Stock.deleteOne(db, key: 1) }, { try Stock.deleteAll(db, keys: [1]) },
        { try Table("stock").exists(db, key: 1) }, { try Table("stock").deleteOne(db, key: 1) },
        { try Stock.filter(key: 1).deleteAll(db) },
      ]
      for use in uses {
        let error = errorText(use)
        #expect(error?.hasPrefix(message) == true, "\(error ?? "no error")")
        #expect(error?.contains(#""stock""#) == true, "\(error ?? "no error")")
      }
    }
  }

  @Test func `Keys that are no unique key are thrown by the methods of records`() throws {
    try inDatabase { db in
      let uses: [() throws -> Any?] = [
        { try Stock.fetchOne(db, key: ["qty": 1]) }, { try Stock.find(db, key: ["qty": 1]) },
        { try Stock.fetchAll(db, keys: [["qty": 1]]) }, { try Stock.exists(db, key: ["qty": 1]) },
        { try Stock.deleteOne(db, key: ["qty": 1]) },
        { try Stock.deleteAll(db, keys: [["qty": 1]]) },
      ]
      for use in uses {
        let error = errorText(use)
        #expect(
          error?.hasPrefix("table stock has no unique key on column(s) qty") == true,
          "\(error ?? "no error")")
      }
    }
  }
}
