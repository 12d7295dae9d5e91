import QuarryFunctions
import QuarryTestSupport
import Testing

@testable import Quarry

private let id = Column("id")
private let name = Column("name")
private let title = Column("title")
private let year = Column("year")
private let price = Column("price")
private let recent = CommonTableExpression<Row>(
  named: "recent", columns: ["id", "title"],
  request: Book.filter(year > 2000).select(id, title))

@Suite(.onQueueAndPool)
struct KeyPathTests {
  @Test(arguments: [
    RequestCase(Book.select(\.title), #"SELECT "title" FROM "book""#),
    RequestCase(Book.all().select(\.title, as: String.self), #"SELECT "title" FROM "book""#),
    RequestCase(Book.annotated(with: \.year), #"SELECT *, "year" FROM "book""#),
    RequestCase(Book.filter(\.year), #"SELECT * FROM "book" WHERE "year""#),
    RequestCase(Book.order(\.year), #"SELECT * FROM "book" ORDER BY "year""#),
    RequestCase(Book.all().group(\.year), #"SELECT * FROM "book" GROUP BY "year""#),
    RequestCase(
      Book.all().group(\.year).having { count($0.id) > 1 },
      #"SELECT * FROM "book" GROUP BY "year" HAVING COUNT("id") > ?"#, [1]),
    RequestCase(
      Table<Book>("book").all().order(\.year).select { [$0.title, $0.year] }.filter { $0.year > 1 },
      #"SELECT "title", "year" FROM "book" WHERE "year" > ? ORDER BY "year""#, [1]),
    RequestCase(
      Book.all().group { [$0.year, $0.title] }.annotated { [$0.price] },
      #"SELECT *, "price" FROM "book" GROUP BY "year", "title""#),
  ])
  func `closures are key paths too`(_ test: RequestCase) throws {
    try test.check()
  }
}

/// Rules of sources without key, of raw selections, of versions of requests.
@Suite(.onQueueAndPool)
struct RequestRuleTests {
  @Test func `stable order of sources without key`() throws {
    #expect(
      try sql(of: recent.all().order(title).withStableOrder()).sql
        == #"SELECT * FROM "recent" ORDER BY "title", 1, 2"#)
    #expect(
      try sql(of: recent.all().withStableOrder().reversed()).sql
        == #"SELECT * FROM "recent" ORDER BY 1 DESC, 2 DESC"#)
    #expect(
      try sql(of: Book.including(optional: Book.author).withStableOrder()).sql.hasSuffix(
        #" ORDER BY "book"."id", "author"."id""#))
    let raw = CommonTableExpression<Row>(named: "raw", sql: "SELECT 1")
    #expect(
      try invalidity(of: sql(of: raw.all().withStableOrder()))
        == "Can't order rows by all their columns: the number of columns is known to SQLite only")
  }

  @Test func `the key of a table expression is unknown`() throws {
    for request in [recent.all().filter(key: 1), recent.all().orderByPrimaryKey()] {
      #expect(
        try invalidity(of: sql(of: request))
          == #"The common table expression "recent" has no primary key"#)
    }
    #expect(
      try invalidity(of: sql(of: recent.all().filter(key: ["id": 1])))
        == #"The common table expression "recent" has no unique key"#)
  }

  @Test func `unordered reaches associations`() throws {
    let request = Book.order(title)
      .including(required: Book.author.order(name))
      .including(all: Book.reviews.order(Column("score")))
    #expect(!(try sql(of: request.unordered()).sql.contains("ORDER BY")))
    let recorder = SQLRecorder()
    try makeBookshopDatabase(configuration: recorder.recording()).read { db throws in
      _ = recorder.take()
      _ = try request.unordered().asRequest(of: Row.self).fetchAll(db)
      let fetches = recorder.take().filter { !$0.contains("sqlite_master") }
      #expect(!fetches.contains { $0.contains("ORDER BY") })
    }
  }

  @Test(arguments: [
    Book.select(literal: "title").joining(required: Book.author),
    Book.including(required: Book.author.select(sql: "name")),
    Book.select(SQL("title")).joining(optional: Book.author),
  ])
  func `raw selections of joins have an unknown width`(request: QueryInterfaceRequest<Book>) throws
  {
    try makeBookshopDatabase().read { db throws in
      let error = errorText { try request.fetchAll(db) }
      #expect(
        error?.hasPrefix(
          "Selection literals don't known how many columns they contain. "
            + "To resolve this error, select one or several expressions instead.") == true)
      let typo = databaseError {
        try Book.select(sql: "titel").joining(required: Book.author).fetchAll(db)
      }
      #expect(typo?.message == "no such column: titel")
      let fine = Book.joining(required: Book.author).order(id)
        .select(SQL("title").sqlExpression, as: String.self)
      #expect(try fine.fetchAll(db) == ["Dispossession", "Left Hand", "Invisible Towns"])
    }
  }

  @Test func `the width of a table expression may have to be compiled`() throws {
    let broken = CommonTableExpression<Row>(named: "broken", sql: "SELECT nope")
    let association = Book.association(to: broken)
    try makeBookshopDatabase().read { db throws in
      let context = PlanningContext(db)
      let plan = try Planner.plan(
        Book.including(required: association).relation, in: context)
      let error = databaseError { try plan.rowScopes(in: context) }
      #expect(
        error?.message
          == #"Can't compute the number of columns in the "broken" common table expression: "#
          + "no such column: nope. Check the syntax of the SQL definition, or provide the explicit "
          + "list of selected columns with the `columns` parameter in the CommonTableExpression "
          + "initializer.")
    }
  }

  @Test func `updates and deletions with a named alias`() throws {
    let b = TableAlias(name: "b")
    #expect(
      try deleteSQL(of: Book.aliased(b).filter(b[year] == 1)).sql
        == #"DELETE FROM "book" AS "b" WHERE "b"."year" = ?"#)
    #expect(
      try updateSQL(of: Book.aliased(b), [year.set(to: 1)]).sql
        == #"UPDATE "book" AS "b" SET "year" = ?"#)
  }

  @Test func `existence of a row of a view`() throws {
    let view = Table("bestseller")
    let alias = TableAlias<Row>()
    let request = view.select(id).aliased(alias).filter(alias.exists)
    let columns = ["id", "title", "year", "price", "authorId", "publisherId"]
    #expect(
      try sql(of: request).sql
        == #"SELECT "id" FROM "bestseller" WHERE "#
        + columns.map { #"("\#($0)" IS NOT NULL)"# }.joined(separator: " OR "))
  }

  @Test func `partial unique indexes pin a row`() throws {
    let schema = LiteralSchemaReader([
      LiteralTable("code", ["value": "TEXT", "isActive": "BOOLEAN"], uniqueKeys: [["value"]])
    ])
    #expect(
      try sql(
        of: Table("code").filter(Column("value") == "a"), schema: schema, forSingleResult: true
      ).sql == #"SELECT * FROM "code" WHERE "value" = ?"#)
    try makeDatabase(
      sql: """
        CREATE TABLE code (value TEXT, isActive BOOLEAN);
        CREATE UNIQUE INDEX activeCode ON code(value) WHERE isActive;
        """
    ).read { db throws in
      let request = Table("code").filter(Column("value") == "a")
      let prepared = try request.makePreparedRequest(db, forSingleResult: true)
      defer { prepared.statement.release() }
      #expect(prepared.statement.sql == #"SELECT * FROM "code" WHERE "value" = ?"#)
    }
  }

  @Test func `requests for associated records are limited like others`() throws {
    let book = Book(id: 1, authorId: 1)
    let author = Author(id: 1)
    #expect(
      try sql(of: book.request(for: Book.author), forSingleResult: true).sql
        == #"SELECT * FROM "author" WHERE "id" = ?"#)
    #expect(
      try sql(of: author.request(for: Author.oneBook), forSingleResult: true).sql
        == #"SELECT * FROM "book" WHERE "authorId" = ? LIMIT 1"#)
  }

  @Test func `table expressions and views are limited`() throws {
    #expect(
      try sql(of: recent.all().filter(id == 1), forSingleResult: true).sql
        == #"SELECT * FROM "recent" WHERE "id" = ? LIMIT 1"#)
  }
}

@Suite(.onQueueAndPool)
struct ModificationRuleTests {
  struct Cautious: MutablePersistableRecord, Codable {
    static let databaseTableName = "book"
    static let persistenceConflictPolicy = PersistenceConflictPolicy(
      insert: .abort, update: .ignore)

    var id: Int64
  }

  @Test func `the conflict policy of the record applies`() throws {
    let recorder = SQLRecorder()
    try makeBookshopDatabase(configuration: recorder.recording()).write { db throws in
      _ = recorder.take()
      try Cautious.updateAll(db, year.set(to: 1))
      try Cautious.all().updateAll(db, onConflict: .replace, year.set(to: 2))
      try Cautious.all().updateAll(db, onConflict: .abort, year.set(to: 3))
      try Book.all().updateAll(db, onConflict: .rollback, year.set(to: 4))
      #expect(
        recorder.take() == [
          #"UPDATE OR IGNORE "book" SET "year" = ?"#, #"UPDATE OR REPLACE "book" SET "year" = ?"#,
          #"UPDATE "book" SET "year" = ?"#, #"UPDATE OR ROLLBACK "book" SET "year" = ?"#,
        ])
    }
  }

  @Test func `groups of one row are modified`() throws {
    let fallback: SQLExpression = Column("email") ?? "a@example.com"
    let suffixed = [Column("code").sqlExpression, "x".sqlExpression].joined(operator: .concat)
    for request in [
      Book.all().group(id), Book.all().group(id.collating(.nocase), year), Book.all().group(-id),
      Member.all().group(Column("email")).asRequest(of: Book.self), Book.all().group(hex(id)),
      Country.all().group(Column("code").asJSON).asRequest(of: Book.self),
    ] {
      #expect(try deleteSQL(of: request).sql.hasPrefix("DELETE FROM "))
    }
    for request in [
      Book.all().group(year, title), Book.all().group(id + 1), Book.all().group(sql: "id"),
      Table<Book>("bestseller").all().group(id), recent.all().group(id).asRequest(of: Book.self),
      Member.all().group(Column("email").collating(.nocase)).asRequest(of: Book.self),
      Member.all().group(fallback).asRequest(of: Book.self),
      Country.all().group(-Column("code")).asRequest(of: Book.self),
      Country.all().group(hex(Column("code"))).asRequest(of: Book.self),
      Country.all().group(suffixed).asRequest(of: Book.self),
    ] {
      #expect(
        try invalidity(of: deleteSQL(of: request)) == "Can't delete query with GROUP BY clause")
      #expect(
        try invalidity(of: updateSQL(of: request, [year.set(to: 1)]))
          == "Can't update query with GROUP BY clause")
    }
  }

  /// The number 1, the text '1' and the blob of this text are different codes with equal texts.
  @Test func `groups of equal texts are not modified`() throws {
    let schema = """
      CREATE TABLE shelfmark (code NOT NULL UNIQUE);
      INSERT INTO shelfmark VALUES (1), ('1'), (x'31'), (2)
      """
    let code = Column("code")
    try makeDatabase(sql: schema).write { db throws in
      for term in [
        [code.sqlExpression, "x".sqlExpression].joined(operator: .concat), hex(code),
        code.collating(.nocase),
      ] {
        #expect(throws: (any Error).self) { try Table("shelfmark").all().group(term).deleteAll(db) }
      }
      #expect(try Table("shelfmark").fetchCount(db) == 4)
      #expect(try Table("shelfmark").all().group(code).deleteAll(db) == 4)
    }
  }

  /// An update by a unique column changed one of the rows with NULL, which are one group.
  @Test func `rows with NULL in a unique column are groups of one row`() throws {
    let members = Member.all().group(Column("email"))
    #expect(
      try updateSQL(of: members, [Column("nick").set(to: "x")])
        == RenderedSQL(
          #"UPDATE "member" SET "nick" = ? WHERE "rowid" IN "#
            + #"(SELECT "rowid" FROM "member" GROUP BY "email", "rowid")"#, ["x"]))
    #expect(
      try deleteSQL(of: Book.all().group(id)).sql
        == #"DELETE FROM "book" WHERE "id" IN (SELECT "id" FROM "book" GROUP BY "id")"#)
    try inBookshop { db, recorder throws in
      try db.execute(sql: "INSERT INTO member VALUES (NULL, 'dan')")
      #expect(try members.updateAll(db, Column("nick").set(to: "x")) == 4)
      #expect(try Member.fetchAll(db).map(\.nick) == ["x", "x", "x", "x"])
      _ = recorder.takeStatements()
      #expect(try Country.all().group(Column("code")).deleteAll(db) == 2)
      #expect(
        recorder.takeStatements() == [
          #"DELETE FROM "country" WHERE "rowid" IN "#
            + #"(SELECT "rowid" FROM "country" GROUP BY "code")"#
        ])
    }
  }

  /// Such an update changed no row: groups of one row have no count above one.
  @Test func `a condition on groups of several rows with NULL modifies none of them`() throws {
    let nick = Column("nick")
    let several = Member.all().group(Column("email")).having(count(nick) > 1)
    #expect(
      try invalidity(of: deleteSQL(of: several)) == "Can't delete query with GROUP BY clause")
    #expect(
      try invalidity(of: updateSQL(of: several, [nick.set(to: "x")]))
        == "Can't update query with GROUP BY clause")
    let titled = Book.all().group(id).having(count(title) > 0)
    #expect(try deleteSQL(of: titled).sql.hasPrefix(#"DELETE FROM "book" WHERE "id" IN "#))
  }

  @Test func `libraries without limited modifications get a subquery`() throws {
    #expect(
      try deleteSQL(of: Book.order(year).limit(1), limitsModifications: false).sql
        == #"DELETE FROM "book" WHERE "id" IN (SELECT "id" FROM "book" ORDER BY "year" LIMIT 1)"#)
    #expect(
      try deleteSQL(of: Book.order(year), limitsModifications: false).sql
        == #"DELETE FROM "book""#)
  }

  @Test func `keys of several columns are row values`() throws {
    let shelves = Table("shelf")
    let request = shelves.joining(
      required: shelves.association(to: Table("note")) { $0["label"] == $1["text"] })
    #expect(
      try deleteSQL(of: request).sql
        == #"DELETE FROM "shelf" WHERE ("room", "num") IN (SELECT "shelf"."room", "shelf"."num" "#
        + #"FROM "shelf" JOIN "note" ON "shelf"."label" = "note"."text")"#)
  }

  @Test func `table expressions stand in the subquery of the keys`() throws {
    let association = Book.association(to: recent) { $0[id] == $1[id] }
    let request = Book.with(recent).joining(required: association)
    #expect(
      try deleteSQL(of: request)
        == RenderedSQL(
          #"DELETE FROM "book" WHERE "id" IN (WITH "recent"("id", "title") AS "#
            + #"(SELECT "id", "title" FROM "book" WHERE "year" > ?) SELECT "book"."id" FROM "book" "#
            + #"JOIN "recent" ON "book"."id" = "recent"."id")"#, [2000]))
    try makeBookshopDatabase().write { db throws in
      #expect(try request.updateAll(db, price.set(to: 1)) == 1)
      #expect(try request.updateAndFetchAll(db, [price += 1]).map(\.price) == [2])
    }
  }
}
