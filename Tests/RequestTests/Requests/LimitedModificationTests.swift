import QuarryTestSupport
import Testing

@testable import Quarry

private let y = Column("year")
private let t = Column("title")
private let p = Column("price")
private let id = Column("id")

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
