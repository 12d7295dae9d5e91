import QuarryTestSupport
import Testing

@testable import Quarry

private let y = Column("year")
private let t = Column("title")
private let p = Column("price")
private let id = Column("id")
private let recent = CommonTableExpression<Void>(
  named: "recent", columns: ["id"], sql: "SELECT id FROM book WHERE year > ?", arguments: [2000])

@Suite(.onQueueAndPool)
struct UpdateTests {
  static let assignments: [(ColumnAssignment, String, StatementArguments)] = [
    (y.set(to: 1), #""year" = ?"#, [1]),
    (y.set(to: nil), #""year" = NULL"#, []),
    (y.set(to: p + 1), #""year" = "price" + ?"#, [1]),
    (
      y.set(to: Book.select(max(y))),
      #""year" = (SELECT MAX("year") FROM "book") FROM (SELECT 1 AS "grdb_row")"#, []
    ),
    (y += 1, #""year" = "year" + ?"#, [1]),
    (y -= p, #""year" = "year" - "price""#, []),
    (y *= 2, #""year" = "year" * ?"#, [2]),
    (y /= 2, #""year" = "year" / ?"#, [2]),
    (y &= 1, #""year" = "year" & ?"#, [1]),
    (y |= 1, #""year" = "year" | ?"#, [1]),
    (y <<= 1, #""year" = "year" << ?"#, [1]),
    (y >>= 1, #""year" = "year" >> ?"#, [1]),
  ]

  @Test(arguments: assignments.indices)
  func `assignments of values`(index: Int) throws {
    let (assignment, text, arguments) = Self.assignments[index]
    #expect(
      try updateSQL(of: Book.all(), [assignment])
        == RenderedSQL(#"UPDATE "book" SET "# + text, arguments))
  }

  static let updates: [(QueryInterfaceRequest<Book>, String, StatementArguments)] = [
    (
      Book.filter(id == 2), #"UPDATE "book" SET "year" = ?, "title" = NULL WHERE "id" = ?"#, [1, 2]
    ),
    (
      Book.select(t).distinct().order(y), #"UPDATE "book" SET "year" = ?, "title" = NULL"#, [1]
    ),
    (
      Book.order(y).limit(1, offset: 2),
      #"UPDATE "book" SET "year" = ?, "title" = NULL ORDER BY "year" LIMIT 1 OFFSET 2"#, [1]
    ),
    (
      Book.with(recent).filter(recent.contains(id)),
      #"UPDATE "book" SET "year" = ?, "title" = NULL WHERE "id" IN "#
        + #"(WITH "recent"("id") AS (SELECT id FROM book WHERE year > ?) "#
        + #"SELECT "id" FROM "book" WHERE "id" IN "recent")"#, [1, 2000]
    ),
    (
      Book.joining(required: Book.author).filter(y == 3),
      #"UPDATE "book" SET "year" = ?, "title" = NULL WHERE "id" IN "#
        + #"(SELECT "book"."id" FROM "book" JOIN "author" ON "author"."id" = "book"."authorId" "#
        + #"WHERE "book"."year" = ?)"#, [1, 3]
    ),
    (
      Book.all().groupByPrimaryKey().having(max(y) > 3),
      #"UPDATE "book" SET "year" = ?, "title" = NULL WHERE "id" IN "#
        + #"(SELECT "id" FROM "book" GROUP BY "id" HAVING MAX("year") > ?)"#, [1, 3]
    ),
  ]

  @Test(arguments: updates.indices)
  func `updates of requests`(index: Int) throws {
    let (request, text, arguments) = Self.updates[index]
    #expect(
      try updateSQL(of: request, [y.set(to: 1), t.set(to: nil)]) == RenderedSQL(text, arguments))
  }

  @Test func `conflicts and RETURNING`() throws {
    #expect(
      try updateSQL(of: Book.all(), [y.set(to: 1)], conflictResolution: "IGNORE").sql
        == #"UPDATE OR IGNORE "book" SET "year" = ?"#)
    #expect(
      try updateSQL(of: Book.filter(y == 2), [y.set(to: 1)], returning: [AllColumns()])
        == RenderedSQL(#"UPDATE "book" SET "year" = ? WHERE "year" = ? RETURNING *"#, [1, 2]))
    #expect(
      try updateSQL(of: Book.filter(y == 2), [y.set(to: 1)], returning: [id + 3])
        == RenderedSQL(
          #"UPDATE "book" SET "year" = ? WHERE "year" = ? RETURNING "id" + ?"#, [1, 2, 3]))
  }

  @Test func `an order and a limit stand behind RETURNING`() throws {
    let latest = Book.filter(y > 1).order(y.desc).limit(1)
    #expect(
      try updateSQL(of: latest, [p.set(to: 2)], returning: [id + 3])
        == RenderedSQL(
          #"UPDATE "book" SET "price" = ? WHERE "year" > ? RETURNING "id" + ? "#
            + #"ORDER BY "year" DESC LIMIT 1"#, [2, 1, 3]))
    #expect(
      try deleteSQL(of: latest, returning: [id])
        == RenderedSQL(
          #"DELETE FROM "book" WHERE "year" > ? RETURNING "id" ORDER BY "year" DESC LIMIT 1"#, [1]))
    try makeBookshopDatabase().write { db throws in
      try Review.deleteAll(db)
      let updated = try latest.updateAndFetchAll(db, [p.set(to: 2)])
      #expect(updated.map(\.id) == [3])
      #expect(updated.map(\.price) == [2])
      let deleted = try latest.deleteAndFetchAll(db)
      #expect(deleted.map(\.id) == [3])
      let deletedIds = try latest.deleteAndFetchIds(db)
      #expect(deletedIds == [1])
      let left = try Book.order(id).fetchAll(db)
      #expect(left.map(\.id) == [2, 4])
    }
  }

  @Test func `other groups can't be updated`() throws {
    #expect(
      try invalidity(of: updateSQL(of: Book.all().group(y), [y.set(to: 1)]))
        == "Can't update query with GROUP BY clause")
  }

  @Test func `rows are updated`() throws {
    try makeBookshopDatabase().write { db throws in
      #expect(try Book.filter(y > 1970).updateAll(db, y += 1, p.set(to: nil)) == 2)
      #expect(try Book.order(id).select(y, as: Int?.self).fetchAll(db) == [1975, 1969, 2003, nil])
      #expect(try Book.updateAll(db) { $0.year.set(to: 2000) } == 4)
      #expect(try Book.filter(id == 1).updateAll(db) { [$0.year += 1, $0.price.set(to: 3)] } == 1)
      #expect(try Book.updateAll(db, []) == 0)
      #expect(try Book.updateAll(db, y.noOverwrite) == 0)
      #expect(try Table("book").updateAll(db, y.set(to: 1)) == 4)
      let joined = Book.joining(required: Book.author.filter(Column("country") == "FR"))
      #expect(try joined.updateAll(db, t.set(to: "French")) == 2)
      #expect(try Book.filter(t == "French").fetchCount(db) == 2)
    }
  }

  @Test func `updated rows are fetched`() throws {
    try makeBookshopDatabase().write { db throws in
      let request = Book.filter(y > 1970)
      let books = try request.updateAndFetchAll(db, [y += 1])
      #expect(Set(books.map(\.year)) == [1975, 2003])
      #expect(try request.updateAndFetchSet(db, [y += 1]).count == 2)
      #expect(try Array(request.updateAndFetchCursor(db) { [$0.year += 1] }).count == 2)
      let statement = try request.updateAndFetchStatement(db, [y += 1], selection: [y])
      #expect(try Int.fetchSet(statement) == [1978, 2006])
      #expect(throws: InvalidRequest.self) {
        try request.updateAndFetchStatement(db, [], selection: [y])
      }
      #expect(throws: InvalidRequest.self) {
        try request.updateAndFetchStatement(db, [y += 1], selection: [])
      }
    }
  }
}

@Suite(.onQueueAndPool)
struct DeleteTests {
  @Test func `deletes without database`() throws {
    #expect(
      try deleteSQL(of: Book.filter(y == 1))
        == RenderedSQL(#"DELETE FROM "book" WHERE "year" = ?"#, [1]))
    #expect(
      try deleteSQL(of: Book.order(y).limit(1)).sql
        == #"DELETE FROM "book" ORDER BY "year" LIMIT 1"#)
    #expect(
      try deleteSQL(of: Book.with(recent).filter(recent.contains(id))).sql
        == #"DELETE FROM "book" WHERE "id" IN "#
        + #"(WITH "recent"("id") AS (SELECT id FROM book WHERE year > ?) "#
        + #"SELECT "id" FROM "book" WHERE "id" IN "recent")"#)
    #expect(
      try deleteSQL(of: Author.having(Author.books.isEmpty)).sql
        == #"DELETE FROM "author" WHERE "id" IN (SELECT "author"."id" FROM "author" "#
        + #"LEFT JOIN "book" ON "book"."authorId" = "author"."id" "#
        + #"GROUP BY "author"."id" HAVING COUNT(DISTINCT "book"."id") = 0)"#)
    #expect(
      try deleteSQL(of: Stock.joining(required: Stock.moves)).sql
        == #"DELETE FROM "stock" WHERE "rowid" IN (SELECT "stock"."rowid" FROM "stock" "#
        + #"JOIN "stockMove" ON ("stockMove"."shop" = "stock"."shop") "#
        + #"AND ("stockMove"."isbn" = "stock"."isbn"))"#)
    #expect(
      try deleteSQL(of: Book.filter(y == 1), returning: [id]).sql
        == #"DELETE FROM "book" WHERE "year" = ? RETURNING "id""#)
    #expect(
      try invalidity(of: deleteSQL(of: Book.all().group(y)))
        == "Can't delete query with GROUP BY clause")
  }

  @Test func `rows are deleted`() throws {
    try makeBookshopDatabase().write { db throws in
      #expect(try Review.deleteAll(db) == 3)
      #expect(try Book.deleteOne(db, key: 1))
      #expect(try !Book.deleteOne(db, id: 1))
      #expect(try Book.deleteAll(db, ids: [2, 9]) == 1)
      #expect(try Book.deleteAll(db, keys: [Int]()) == 0)
      #expect(try !Book.deleteOne(db, key: Int?.none))
      #expect(try Stock.deleteOne(db, key: ["shop": "north", "isbn": "b"]))
      #expect(try Author.having(Author.books.isEmpty).deleteAll(db) == 2)
      #expect(try Table("author").deleteOne(db, key: 9) == false)
      #expect(try Author.fetchAll(db).map(\.id) == [2])
    }
  }

  @Test func `deleted rows are fetched`() throws {
    try makeBookshopDatabase().write { db throws in
      try Review.deleteAll(db)
      #expect(try Book.filter(id == 4).deleteAndFetchAll(db).map(\.title) == ["Anonymous"])
      #expect(try Book.filter(y > 2000).deleteAndFetchIds(db) == [3])
      let statement = try Book.filter(id == 1).deleteAndFetchStatement(db, selection: [t])
      #expect(try String.fetchAll(statement) == ["Dispossession"])
      #expect(try Book.all().deleteAndFetchSet(db).count == 1)
      #expect(throws: InvalidRequest.self) {
        try Book.all().deleteAndFetchStatement(db, selection: [])
      }
      #expect(throws: InvalidRequest.self) {
        try Table<Stocked>("stock").all().deleteAndFetchIds(db)
      }
    }
  }

  struct Stocked: TableRecord, Identifiable {
    static let databaseTableName = "stock"
    var id: Int64
  }
}

/// Updates and deletions by key: their values may need what the request in the subquery has.
@Suite(.onQueueAndPool)
struct ModificationByKeyTests {
  private let b = TableAlias<Book>(name: "b")
  private let keys =
    #"(SELECT "b"."id" FROM "book" "b" JOIN "author" ON "author"."id" = "b"."authorId")"#

  private var written: QueryInterfaceRequest<Book> {
    Book.aliased(b).joining(required: Book.author)
  }

  /// The best score of a book.
  private var best: QueryInterfaceRequest<Review> {
    Review.filter(Column("bookId") == b[id]).select(max(Column("score")))
  }

  @Test func `an alias with a name that values refer to`() throws {
    #expect(
      try updateSQL(of: written, [p.set(to: b[p] + 1)])
        == RenderedSQL(
          #"UPDATE "book" AS "b" SET "price" = "price" + ? WHERE "b"."id" IN "# + keys, [1]))
    #expect(
      try updateSQL(of: written, [y.set(to: best)]).sql
        == #"UPDATE "book" AS "b" SET "year" = (SELECT MAX("score") FROM "review" "#
        + #"WHERE "bookId" = "b"."id") WHERE "b"."id" IN "# + keys)
    #expect(
      try updateSQL(of: written, [p.set(to: 1)]).sql
        == #"UPDATE "book" SET "price" = ? WHERE "id" IN "# + keys)
    try makeBookshopDatabase().write { db throws in
      #expect(try written.updateAll(db, p.set(to: b[p] + 1)) == 3)
      #expect(try Book.order(id).fetchAll(db).map(\.price) == [13.5, 10, 16, nil])
      let half = SQL("b.price / 2").sqlExpression
      #expect(try written.updateAll(db, y.set(to: best), p.set(to: half)) == 3)
      #expect(try Book.order(id).fetchAll(db).map(\.year) == [5, nil, 4, nil])
      #expect(try Book.order(id).fetchAll(db).map(\.price) == [6.75, 5, 8, nil])
    }
  }

  @Test func `an alias with a name that RETURNING refers to`() throws {
    #expect(
      try updateSQL(of: written, [p.set(to: 1)], returning: [b[id]]).sql
        == #"UPDATE "book" AS "b" SET "price" = ? WHERE "b"."id" IN "# + keys
        + #" RETURNING "id""#)
    #expect(
      try deleteSQL(of: written, returning: [b[id]]).sql
        == #"DELETE FROM "book" AS "b" WHERE "b"."id" IN "# + keys + #" RETURNING "id""#)
    #expect(
      try deleteSQL(
        of: Book.aliased(b).order(y).limit(1), returning: [b[id]], limitsModifications: false
      ).sql == """
        DELETE FROM "book" AS "b" WHERE "b"."id" IN \
        (SELECT "b"."id" FROM "book" "b" ORDER BY "b"."year" LIMIT 1) RETURNING "id"
        """)
    try makeBookshopDatabase().write { db throws in
      try Review.deleteAll(db)
      let statement = try written.deleteAndFetchStatement(db, selection: [b[t]])
      let titles = try String.fetchSet(statement)
      #expect(titles == ["Dispossession", "Left Hand", "Invisible Towns"])
    }
  }

  /// Also where the table of the subquery has that name.
  @Test func `subqueries of RETURNING know the table by its own name`() throws {
    let twins = Book.filter(Column("authorId") == b[Column("authorId")]).select(count(id))
    let selection: [SQLExpression] = [b[id], best.sqlExpression, twins.sqlExpression]
    let returning =
      #" RETURNING "id", (SELECT MAX("score") FROM "review" WHERE "bookId" = "book"."id"), "#
      + #"(SELECT COUNT("book1"."id") FROM "book" "book1" "#
      + #"WHERE "book1"."authorId" = "book"."authorId")"#
    #expect(
      try updateSQL(of: written, [p.set(to: 1)], returning: selection).sql
        == #"UPDATE "book" AS "b" SET "price" = ? WHERE "b"."id" IN "# + keys + returning)
    #expect(
      try deleteSQL(of: written, returning: selection).sql
        == #"DELETE FROM "book" AS "b" WHERE "b"."id" IN "# + keys + returning)
    let first = Book.aliased(b).filter(y > 2000).order(y).limit(1)
    #expect(
      try deleteSQL(of: first, returning: selection).sql
        == #"DELETE FROM "book" AS "b" WHERE "b"."year" > ?"# + returning
        + #" ORDER BY "b"."year" LIMIT 1"#)
    try makeBookshopDatabase().write { db throws in
      let statement = try written.updateAndFetchStatement(
        db, [p.set(to: 1)], selection: selection)
      let rows = try Row.fetchAll(statement).map { [$0[0] as Int?, $0[1] as Int?, $0[2] as Int?] }
      #expect(Set(rows) == [[1, 5, 2], [2, nil, 2], [3, 4, 1]])
    }
  }

  @Test func `a common table expression that values refer to`() throws {
    let latest = CommonTableExpression<Book>(named: "latest", request: Book.filter(y > 2000))
    let request = Book.with(latest).joining(required: Book.author)
    let definition = #"WITH "latest" AS (SELECT * FROM "book" WHERE "year" > ?) "#
    let condition =
      #""id" IN ("# + definition + #"SELECT "book"."id" FROM "book" "#
      + #"JOIN "author" ON "author"."id" = "book"."authorId")"#
    let year = y.set(to: latest.all().select(max(y)))
    #expect(
      try updateSQL(of: request, [year])
        == RenderedSQL(
          definition + #"UPDATE "book" SET "year" = (SELECT MAX("year") FROM "latest") "#
            + #"FROM (SELECT 1 AS "grdb_row") WHERE "book"."# + condition, [2000, 2000]))
    #expect(
      try updateSQL(of: request, [y.set(to: 1)])
        == RenderedSQL(#"UPDATE "book" SET "year" = ? WHERE "# + condition, [1, 2000]))
    try makeBookshopDatabase().write { db throws in
      #expect(try request.updateAll(db, year) == 3)
      #expect(try Book.order(id).fetchAll(db).map(\.year) == [2002, 2002, 2002, nil])
    }
  }
}

/// Updates and deletions of the first rows of requests that select values of their own.
@Suite(.onQueueAndPool)
struct LimitedModificationTests {
  private let delta = Column("delta")
  private let move = TableAlias<StockMove>()

  /// In a fetch, a name means a selected value, then a column: the moves are 5, -2, 7 and 1.
  ///
  /// See <https://www.sqlite.org/lang_select.html#orderby>.
  private var orders: [(QueryInterfaceRequest<StockMove>, order: String, first: Int64)] {
    let absolute = StockMove.select(id, abs(delta).forKey("delta"))
    let all = StockMove.all()
    let ofMove: SQLExpression = move[delta]
    return [
      (absolute.order(delta), #"ABS("delta")"#, 4),
      (absolute.order(delta).reversed(), #"ABS("delta") DESC"#, 3),
      (absolute.order(delta.collating(.nocase)), #"ABS("delta") COLLATE NOCASE"#, 4),
      (absolute.order(delta.detached), #"ABS("delta")"#, 4),
      (absolute.aliased(move).order(ofMove), #"ABS("delta")"#, 4),
      (absolute.order(abs(delta).desc), #"ABS("delta") DESC"#, 3),
      (absolute.order(id), #""id""#, 1),
      (all.annotated(with: [abs(delta).forKey("delta")]).order(delta), #""delta""#, 2),
      (
        all.annotated(with: [abs(delta).forKey("size")]).order(Column("size").detached),
        #"ABS("delta")"#, 4
      ),
    ]
  }

  @Test func `an order by the name of a selected value is one by the value`() throws {
    for (request, order, _) in orders {
      let limited = request.limit(1)
      #expect(
        try deleteSQL(of: limited).sql
          == #"DELETE FROM "stockMove" ORDER BY "# + order + " LIMIT 1")
      #expect(
        try deleteSQL(of: limited, limitsModifications: false).sql
          == #"DELETE FROM "stockMove" WHERE "id" IN "#
          + #"(SELECT "id" FROM "stockMove" ORDER BY "# + order + " LIMIT 1)")
      #expect(
        try updateSQL(of: limited, [delta.set(to: 0)]).sql
          == #"UPDATE "stockMove" SET "delta" = ? ORDER BY "# + order + " LIMIT 1")
    }
  }

  @Test func `the rows that a fetch returns are modified`() throws {
    try makeBookshopDatabase().write { db throws in
      for (request, _, first) in orders {
        let limited = request.limit(1)
        let row = try limited.asRequest(of: Row.self).fetchOne(db)
        let fetched = row.map { $0["id"] as Int64 }
        var deleted: Set<Int64> = []
        try db.inSavepoint {
          deleted = try limited.deleteAndFetchIds(db)
          return .rollback
        }
        #expect(fetched == first)
        #expect(deleted == [first])
      }
    }
  }

  @Test func `the columns of the primary key are names, too`() throws {
    let negative = StockMove.select((-id).forKey("id")).orderByPrimaryKey().limit(1)
    #expect(
      try deleteSQL(of: negative).sql == #"DELETE FROM "stockMove" ORDER BY -"id" LIMIT 1"#)
    let label = Column("label")
    let shelves = Shelf.select(label, (-Column("num")).forKey("num")).orderByPrimaryKey().limit(1)
    #expect(
      try deleteSQL(of: shelves).sql
        == #"DELETE FROM "shelf" ORDER BY "room", -"num" LIMIT 1"#)
    try makeBookshopDatabase().write { db throws in
      let smallest = try negative.asRequest(of: Int64.self).fetchOne(db)
      #expect(smallest == -4)
      #expect(try negative.deleteAndFetchIds(db) == [4])
      let row = try shelves.asRequest(of: Row.self).fetchOne(db)
      let fetched = row.map { $0["num"] as Int }
      #expect(fetched == -2)
      #expect(try shelves.deleteAll(db) == 1)
      let numbers = try Shelf.orderByPrimaryKey().fetchAll(db).map(\.num)
      #expect(numbers == [1, 1])
    }
  }

  @Test func `columns that are written with their table mean no other value`() throws {
    let named = StockMove.aliased(TableAlias(name: "m"))
      .select(id, abs(delta).forKey("delta")).order(delta).limit(1)
    #expect(
      try deleteSQL(of: named).sql
        == #"DELETE FROM "stockMove" AS "m" ORDER BY "m"."delta" LIMIT 1"#)
    let joined = StockMove.joining(required: StockMove.stock)
      .annotated(with: [abs(delta).forKey("size")])
    let key = """
      DELETE FROM "stockMove" WHERE "id" IN (SELECT "stockMove"."id" FROM "stockMove" \
      JOIN "stock" ON ("stock"."shop" = "stockMove"."shop") \
      AND ("stock"."isbn" = "stockMove"."isbn") ORDER BY
      """
    #expect(
      try deleteSQL(of: joined.order(delta).limit(1)).sql
        == key + #" "stockMove"."delta" LIMIT 1)"#)
    #expect(
      try deleteSQL(of: joined.order(Column("size").detached.desc).limit(1)).sql
        == key + #" ABS("stockMove"."delta") DESC LIMIT 1)"#)
  }

  @Test func `the value may be an aggregate of an association, or of a joined table`() throws {
    let author = TableAlias<Author>()
    try makeBookshopDatabase().write { db throws in
      let most = Author.annotated(with: Author.books.count)
        .order(Column("bookCount").detached.desc).limit(1)
      #expect(try most.updateAll(db, Column("birthYear").set(to: 1)) == 1)
      #expect(try Author.order(id).fetchAll(db).map(\.birthYear) == [1, 1923, 1951])
      // Ages: those of the first two books count from the year 1.
      let latest = Book.joining(required: Book.author.aliased(author))
        .annotated(with: [(y - author[Column("birthYear")]).forKey("age")])
        .order(Column("age").detached).limit(1)
      #expect(try latest.updateAll(db, t.set(to: author[Column("name")])) == 1)
      #expect(
        try Book.order(id).fetchAll(db).map(\.title)
          == ["Dispossession", "Left Hand", "Italo Bassi", "Anonymous"])
    }
  }

  @Test func `columns are ordered by their collation beside selected values`() throws {
    let name = Column("name")
    let shelves = Table("shelf").annotated(with: (Column("id") + 1).forKey("next")).order(name)
    try makeEmptyDatabase().write { db throws in
      try db.execute(
        sql: """
          CREATE TABLE shelf (id INTEGER PRIMARY KEY, name TEXT COLLATE NOCASE);
          INSERT INTO shelf (name) VALUES ('attic'), ('Basement'), ('cellar')
          """)
      #expect(try shelves.limit(1).updateAll(db, name.set(to: "z")) == 1)
      let ids = Table<Row>("shelf").order(name).select(Column("id"), as: Int64.self)
      #expect(try ids.fetchAll(db) == [2, 3, 1])
    }
  }

  /// The author of book 3 is the older one, that of books 1 and 2 was born in 1929.
  @Test func `the value may be one that a joined record selects`() throws {
    let birthYear = Column("birthYear")
    let author = Book.author.select((-birthYear).forKey("birthYear"))
    let key = """
      DELETE FROM "book" WHERE "id" IN (SELECT "book"."id" FROM "book" \
      JOIN "author" ON "author"."id" = "book"."authorId" ORDER BY -"author"."birthYear"
      """
    let requests = [
      Book.including(required: author).order(birthYear.detached, id).limit(1),
      Book.annotated(withRequired: author.order(birthYear.detached)).limit(1),
    ]
    #expect(try deleteSQL(of: requests[0]).sql == key + #", "book"."id" LIMIT 1)"#)
    #expect(try deleteSQL(of: requests[1]).sql == key + " LIMIT 1)")
    for request in requests {
      try makeBookshopDatabase().write { db throws in
        let fetched = try request.asRequest(of: Int64.self).fetchOne(db)
        #expect(fetched == 1)
        #expect(try request.updateAll(db, y.set(to: 1)) == 1)
        #expect(try Book.filter(y == 1).fetchAll(db).map(\.id) == [1])
      }
    }
  }

  @Test func `an order without limit is left out`() throws {
    let counted = Author.annotated(with: Author.books.count)
    #expect(
      try deleteSQL(of: counted.order(Column("bookCount").detached.desc)).sql == """
        DELETE FROM "author" WHERE "id" IN (SELECT "author"."id" FROM "author" \
        LEFT JOIN "book" ON "book"."authorId" = "author"."id" GROUP BY "author"."id")
        """)
  }

  @Test func `conditions may have names of selected values`() throws {
    let counted = Author.annotated(with: Author.books.count)
      .having(Column("bookCount").detached > 1)
    #expect(
      try deleteSQL(of: counted)
        == RenderedSQL(
          """
          DELETE FROM "author" WHERE "id" IN (SELECT "author"."id" FROM "author" \
          LEFT JOIN "book" ON "book"."authorId" = "author"."id" GROUP BY "author"."id" \
          HAVING COUNT(DISTINCT "book"."id") > ?)
          """, [1]))
    let double = Book.annotated(with: [(y * 2).forKey("double")]).filter(Column("double") > 4000)
    #expect(
      try updateSQL(of: double, [p.set(to: 1)])
        == RenderedSQL(#"UPDATE "book" SET "price" = ? WHERE ("year" * ?) > ?"#, [1, 2, 4000]))
    // A column comes before a selected value.
    let year = Book.annotated(with: [(y * 2).forKey("year")]).filter(y > 4000)
    #expect(try deleteSQL(of: year).sql == #"DELETE FROM "book" WHERE "year" > ?"#)
    try makeBookshopDatabase().write { db throws in
      #expect(try double.fetchAll(db).map(\.id) == [3])
      #expect(try double.updateAll(db, p.set(to: 1)) == 1)
      #expect(try year.deleteAll(db) == 0)
    }
  }

  @Test func `a limited number of distinct values is no number of rows`() throws {
    let authors = Book.select(Column("authorId")).distinct().order(Column("authorId"))
    let message = """
      a limited number of distinct rows that are not those of the table "book". To fix this error, \
      select its primary key, or leave out distinct().
      """
    #expect(try invalidity(of: deleteSQL(of: authors.limit(2))) == "Can't delete " + message)
    #expect(
      try invalidity(of: updateSQL(of: authors.limit(2), [y.set(to: 1)]))
        == "Can't update " + message)
    #expect(try deleteSQL(of: authors).sql == #"DELETE FROM "book""#)
    let deletion = #"DELETE FROM "book" ORDER BY "year" LIMIT 2"#
    for request in [Book.all(), Book.select(id, t), Book.selectPrimaryKey(as: Book.self)] {
      #expect(try deleteSQL(of: request.distinct().order(y).limit(2)).sql == deletion)
    }
    try makeBookshopDatabase().write { db throws in
      let notes = Note.all().distinct().limit(1)
      let error = errorText { try notes.deleteAll(db) }
      #expect(error?.hasPrefix("Can't delete a limited number of distinct rows") == true)
      #expect(try Note.fetchCount(db) == 2)
    }
  }
}

/// Updates and deletions of the first rows of requests whose joins repeat rows.
@Suite(.onQueueAndPool)
struct DistinctModificationTests {
  private let birthYear = Column("birthYear")
  private let writers = Author.joining(required: Author.books).distinct().order(id)

  @Test func `the limit counts distinct rows`() throws {
    #expect(
      try updateSQL(of: writers.limit(2), [birthYear.set(to: 1)]).sql == """
        UPDATE "author" SET "birthYear" = ? WHERE "id" IN (SELECT DISTINCT "author"."id" \
        FROM "author" JOIN "book" ON "book"."authorId" = "author"."id" \
        ORDER BY "author"."id" LIMIT 2)
        """)
    let deletion = """
      DELETE FROM "author" WHERE "id" IN (SELECT DISTINCT "author"."id" \
      FROM "author" JOIN "book" ON "book"."authorId" = "author"."id" \
      ORDER BY "author"."id" LIMIT 1)
      """
    for request in [
      writers.select(id, Column("name")), writers.select(.allColumns(excluding: ["name"])),
    ] {
      #expect(try deleteSQL(of: request.limit(1)).sql == deletion)
    }
    #expect(try deleteSQL(of: writers.selectPrimaryKey(as: Int64.self).limit(1)).sql == deletion)
    try makeBookshopDatabase().write { db throws in
      #expect(try writers.limit(2).fetchAll(db).map(\.id) == [1, 2])
      #expect(try writers.limit(2).updateAll(db, birthYear.set(to: 1)) == 2)
      #expect(try Author.order(id).fetchAll(db).map(\.birthYear) == [1, 1, 1951])
    }
  }

  @Test func `joins to one row repeat nothing`() throws {
    let request = Book.including(required: Book.author).distinct().limit(1)
    #expect(
      try updateSQL(of: request, [y.set(to: 1)]).sql == """
        UPDATE "book" SET "year" = ? WHERE "id" IN (SELECT "book"."id" FROM "book" \
        JOIN "author" ON "author"."id" = "book"."authorId" LIMIT 1)
        """)
  }

  @Test func `rows of several tables are refused`() throws {
    let book = TableAlias<Book>()
    let requests: [QueryInterfaceRequest<Author>] = [
      Author.including(required: Author.books).distinct().limit(2),
      Author.annotated(withRequired: Author.books).distinct().limit(2),
      Author.joining(required: Author.books.aliased(book))
        .annotated(with: book[t].forKey("bookTitle")).distinct().limit(2),
      writers.select(Column("name")).limit(2), writers.select(sql: "author.id").limit(2),
    ]
    for request in requests {
      let message = try invalidity(of: updateSQL(of: request, [birthYear.set(to: 1)]))
      #expect(
        message?.hasPrefix("Can't update a limited number of distinct rows") == true,
        "\(message ?? "")")
    }
    let author = TableAlias<Author>()
    let titles = Book.joining(required: Book.author.aliased(author)).select(t).distinct()
    #expect(
      try invalidity(of: updateSQL(of: titles.limit(1), [y.set(to: author[birthYear])]))?
        .hasPrefix("Can't update a limited number of distinct rows") == true)
  }
}
