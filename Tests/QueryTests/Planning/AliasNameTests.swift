import QuarryTestSupport
import Testing

@testable import Quarry

private let id = Column("id")
private let n = Column("name")
private let y = Column("year")

/// The names of the sources of a query.
struct AliasNameTests {
  @Test(arguments: [
    // Two joins to the same table.
    RequestCase(
      Book.including(required: Book.author.forKey("writer"))
        .including(optional: Book.author.forKey("translator")),
      """
      SELECT "book".*, "author1".*, "author2".* FROM "book" \
      JOIN "author" "author1" ON "author1"."id" = "book"."authorId" \
      LEFT JOIN "author" "author2" ON "author2"."id" = "book"."authorId"
      """),
    RequestCase(
      Employee.joining(optional: Employee.manager),
      """
      SELECT "employee1".* FROM "employee" "employee1" \
      LEFT JOIN "employee" "employee2" ON "employee2"."id" = "employee1"."managerId"
      """),
    RequestCase(
      Employee.joining(
        optional: Employee.manager.joining(optional: Employee.manager)),
      """
      SELECT "employee1".* FROM "employee" "employee1" \
      LEFT JOIN "employee" "employee2" ON "employee2"."id" = "employee1"."managerId" \
      LEFT JOIN "employee" "employee3" ON "employee3"."id" = "employee2"."managerId"
      """),
  ])
  func `sources of the same table are numbered`(_ test: RequestCase) throws {
    try test.check()
  }

  @Test(arguments: [
    RequestCase(
      Employee.including(optional: Employee.manager.aliased(TableAlias(name: "boss"))),
      """
      SELECT "employee".*, "boss".* FROM "employee" \
      LEFT JOIN "employee" "boss" ON "boss"."id" = "employee"."managerId"
      """),
    RequestCase(
      Employee
        .including(optional: Employee.manager.aliased(TableAlias(name: "employee1")))
        .joining(optional: Employee.manager.forKey("other")),
      """
      SELECT "employee2".*, "employee1".* FROM "employee" "employee2" \
      LEFT JOIN "employee" "employee1" ON "employee1"."id" = "employee2"."managerId" \
      LEFT JOIN "employee" "employee3" ON "employee3"."id" = "employee2"."managerId"
      """),
    RequestCase(
      Employee.including(optional: Employee.manager.aliased(TableAlias(name: "employee"))),
      """
      SELECT "employee1".*, "employee".* FROM "employee" "employee1" \
      LEFT JOIN "employee" ON "employee"."id" = "employee1"."managerId"
      """),
    RequestCase(
      Employee.including(optional: Employee.manager.aliased(TableAlias(name: "Employee"))),
      """
      SELECT "employee1".*, "Employee".* FROM "employee" "employee1" \
      LEFT JOIN "employee" "Employee" ON "Employee"."id" = "employee1"."managerId"
      """),
  ])
  func `names of the user stay`(_ test: RequestCase) throws {
    try test.check()
  }

  @Test func `trailing digits are replaced`() throws {
    let schema = LiteralSchemaReader([
      LiteralTable(
        "shelf2", ["id": "INTEGER", "parentId": "INTEGER"], primaryKey: ["id"],
        foreignKeys: [.init(["parentId"], "shelf2", ["id"])])
    ])
    let shelves = Table("shelf2")
    let request = shelves.joining(optional: shelves.belongsTo(shelves, key: "parent"))
    #expect(
      try sql(of: request, schema: schema).sql == """
        SELECT "shelf1".* FROM "shelf2" "shelf1" \
        LEFT JOIN "shelf2" ON "shelf2"."id" = "shelf1"."parentId"
        """)
  }

  @Test func `numbers of other tables are skipped`() throws {
    let schema = LiteralSchemaReader([
      LiteralTable("author", ["id": "INTEGER"], primaryKey: ["id"]),
      LiteralTable("author1", ["id": "INTEGER"], primaryKey: ["id"]),
      LiteralTable(
        "book", ["a": "INTEGER", "b": "INTEGER", "c": "INTEGER"],
        foreignKeys: [
          .init(["a"], "author", ["id"]), .init(["b"], "author", ["id"]),
          .init(["c"], "author1", ["id"]),
        ]),
    ])
    let books = Table("book")
    let author = Table("author")
    let request =
      books
      .joining(optional: books.belongsTo(author, key: "a", using: ForeignKey(["a"])))
      .joining(optional: books.belongsTo(author, key: "b", using: ForeignKey(["b"])))
      .joining(optional: books.belongsTo(Table("author1")))
    #expect(
      try sql(of: request, schema: schema).sql == """
        SELECT "book".* FROM "book" \
        LEFT JOIN "author" "author2" ON "author2"."id" = "book"."a" \
        LEFT JOIN "author" "author3" ON "author3"."id" = "book"."b" \
        LEFT JOIN "author1" ON "author1"."id" = "book"."c"
        """)
  }

  @Test func `an alias without name does not change the SQL`() throws {
    let alias = TableAlias<Author>()
    let request = Author.aliased(alias).filter(alias[n] == "Ursula")
    #expect(
      try sql(of: request)
        == RenderedSQL(#"SELECT * FROM "author" WHERE "name" = ?"#, ["Ursula"]))
  }

  @Test func `a named alias qualifies all columns`() throws {
    let alias = TableAlias<Book>(name: "b")
    #expect(
      try sql(of: Book.aliased(alias).filter(alias[y] == 1).order(y))
        == RenderedSQL(
          #"SELECT "b".* FROM "book" "b" WHERE "b"."year" = ? ORDER BY "b"."year""#, [1]))
  }

  @Test func `aliases of the same source are synonyms`() throws {
    let named = TableAlias<Book>(name: "b")
    let unnamed = TableAlias<Book>()
    let request = Book.aliased(unnamed).aliased(named).filter(unnamed[y] > 1 && named[y] < 2)
    #expect(
      try sql(of: request)
        == RenderedSQL(
          #"SELECT "b".* FROM "book" "b" WHERE ("b"."year" > ?) AND ("b"."year" < ?)"#, [1, 2]))
  }

  @Test func `aliases reach over the query`() throws {
    let author = TableAlias<Author>()
    let request =
      Book
      .joining(required: Book.author.aliased(author))
      .filter(y > author[Column("birthYear")])
      .order(author[n], y)
    #expect(
      try sql(of: request).sql == """
        SELECT "book".* FROM "book" JOIN "author" ON "author"."id" = "book"."authorId" \
        WHERE "book"."year" > "author"."birthYear" ORDER BY "author"."name", "book"."year"
        """)
  }

  @Test func `aliases reach into subqueries`() throws {
    let author = TableAlias<Author>()
    let books = Book.filter(Column("authorId") == author[id])
    #expect(
      try sql(of: Author.aliased(author).filter(books.exists())).sql == """
        SELECT * FROM "author" WHERE EXISTS (\
        SELECT * FROM "book" WHERE "authorId" = "author"."id")
        """)
    let employee = TableAlias<Employee>()
    let reports = Employee.filter(Column("managerId") == employee[id])
    #expect(
      try sql(
        of: Employee.aliased(employee).joining(optional: Employee.manager)
          .filter(reports.exists())
      ).sql == """
        SELECT "employee1".* FROM "employee" "employee1" \
        LEFT JOIN "employee" "employee2" ON "employee2"."id" = "employee1"."managerId" \
        WHERE EXISTS (SELECT * FROM "employee" WHERE "managerId" = "employee1"."id")
        """)
  }

  @Test func `two sources with the same name are ambiguous`() throws {
    let request = Book.aliased(TableAlias(name: "a"))
      .joining(required: Book.author.aliased(TableAlias(name: "A")))
    #expect(
      try invalidity(of: sql(of: request)) == """
        ambiguous alias: A. It names table "book", and table "author". \
        To fix this error, give them different names.
        """)
  }

  @Test func `a source has one name`() throws {
    let request = Book.all().aliased(TableAlias(name: "a")).aliased(TableAlias(name: "b"))
    #expect(
      try invalidity(of: sql(of: request)) == """
        ambiguous alias: b. The alias of table "book" has another name, too: a. To fix this error, \
        give it one TableAlias.
        """)
    let same = Book.all().aliased(TableAlias(name: "a")).aliased(TableAlias(name: "A"))
    #expect(try sql(of: same).sql.contains("FROM \"book\" \"A\""))
  }

  @Test func `an alias designates one source`() throws {
    let alias = TableAlias<Author>()
    let request = Book.joining(required: Book.author.aliased(alias))
      .joining(optional: Book.author.forKey("other").aliased(alias))
    #expect(
      try invalidity(of: sql(of: request))?
        .hasPrefix("A TableAlias must not be used to refer to multiple tables: here it") == true)
  }

  @Test func `an alias must belong to a source`() throws {
    let alias = TableAlias<Author>()
    #expect(
      try invalidity(of: sql(of: Book.filter(alias[id] == 1)))
        == "Undefined alias has no table name")
  }

  @Test func `the fault names the request`() throws {
    let alias = TableAlias<Author>()
    #expect {
      try sql(of: Book.filter(alias[id] == 1))
    } throws: { error in
      "\(error)"
        == """
        Undefined alias has no table name
        TableAlias<Author> must be given to the request, or to one of its associations, \
        with `aliased(_:)`
        - in request SELECT … FROM "book" …
        """
    }
  }

  @Test func `existence`() throws {
    let alias = TableAlias<Author>()
    let authors = Author.aliased(alias)
    #expect(
      try sql(of: authors.filter(alias.exists)).sql
        == #"SELECT * FROM "author" WHERE "id" IS NOT NULL"#)
    #expect(
      try sql(of: authors.filter(!alias.exists)).sql
        == #"SELECT * FROM "author" WHERE "id" IS NULL"#)
  }

  @Test func `existence of a joined source`() throws {
    let author = TableAlias<Author>()
    let request = Book.joining(optional: Book.author.aliased(author))
    #expect(
      try sql(of: request.annotated(with: author.exists.forKey("hasAuthor"))).sql == """
        SELECT "book".*, "author"."id" IS NOT NULL AS "hasAuthor" FROM "book" \
        LEFT JOIN "author" ON "author"."id" = "book"."authorId"
        """)
    #expect(
      try sql(of: request.filter(author.exists == true))
        == RenderedSQL(
          """
          SELECT "book".* FROM "book" LEFT JOIN "author" ON "author"."id" = "book"."authorId" \
          WHERE ("author"."id" IS NOT NULL) = ?
          """, [true]))
  }

  @Test func `existence of rows with other keys`() throws {
    let country = TableAlias<Country>()
    #expect(
      try sql(of: Country.aliased(country).filter(country.exists)).sql
        == #"SELECT * FROM "country" WHERE "rowid" IS NOT NULL"#)
    let shelf = TableAlias<Shelf>()
    #expect(
      try sql(of: Shelf.aliased(shelf).filter(!shelf.exists)).sql
        == #"SELECT * FROM "shelf" WHERE ("room" IS NULL) AND ("num" IS NULL)"#)
    let schema = LiteralSchemaReader([LiteralTable("v", ["id": "", "title": ""], kind: .view)])
    let view = TableAlias<Void>(name: "v")
    #expect(
      try sql(of: Table<Void>("v").aliased(view).filter(view.exists), schema: schema).sql
        == #"SELECT "v".* FROM "v" WHERE ("v"."id" IS NOT NULL) OR ("v"."title" IS NOT NULL)"#)
  }
}
