import QuarryTestSupport
import Testing

@testable import Quarry

private let y = Column("year")
private let t = Column("title")
private let id = Column("id")
private let b = TableAlias(name: "b")
private let typed = TableAlias<Book>(name: "b")
private let a = TableAlias<Author>()

@Suite(.onQueueAndPool)
struct TableAliasTests {
  @Test(arguments: [
    RequestCase(
      Book.aliased(b).filter(b[y] == 1),
      #"SELECT "b".* FROM "book" "b" WHERE "b"."year" = ?"#, [1]),
    RequestCase(
      Book.aliased(b).filter(y == 1), #"SELECT "b".* FROM "book" "b" WHERE "b"."year" = ?"#, [1]),
    RequestCase(
      Book.aliased(b).filter(b["year"] == 1),
      #"SELECT "b".* FROM "book" "b" WHERE "b"."year" = ?"#, [1]),
    RequestCase(
      Book.aliased(typed).filter(typed.year == 1).order(typed.title.desc).select(typed.id),
      #"SELECT "b"."id" FROM "book" "b" WHERE "b"."year" = ? ORDER BY "b"."title" DESC"#, [1]),
    RequestCase(
      Book.aliased(b).select(b[AllColumns()], b[y.forKey("k")]).order(b[t.desc]),
      #"SELECT "b".*, "b"."year" AS "k" FROM "book" "b" ORDER BY "b"."title" DESC"#),
    RequestCase(
      Book.aliased(b).filter(b[abs(y) > 1 && t == "x"]),
      #"SELECT "b".* FROM "book" "b" WHERE (ABS("b"."year") > ?) AND ("b"."title" = ?)"#, [1, "x"]),
    RequestCase(
      Book.aliased(b).filter(b[SQL("\(y) = 1 OR title = 2")]),
      #"SELECT "b".* FROM "book" "b" WHERE "b"."year" = 1 OR title = 2"#),
    RequestCase(
      Book.aliased(b).select(.allColumns(excluding: ["price", "year", "title"])),
      #"SELECT "b"."id", "b"."authorId", "b"."publisherId" FROM "book" "b""#),
    RequestCase(
      Book.aliased(TableAlias(name: "book")).filter(y == 1),
      #"SELECT "book".* FROM "book" WHERE "book"."year" = ?"#, [1]),
  ])
  func `named aliases qualify`(_ test: RequestCase) throws {
    try test.check()
  }

  @Test(arguments: [
    RequestCase(
      Author.aliased(a).filter(a[id] == 1), #"SELECT * FROM "author" WHERE "id" = ?"#, [1]),
    RequestCase(
      Author.aliased(a).filter(Book.filter(Column("authorId") == a[id]).exists()),
      #"SELECT * FROM "author" WHERE EXISTS "#
        + #"(SELECT * FROM "book" WHERE "authorId" = "author"."id")"#),
    RequestCase(
      Author.aliased(a).filter(a[Book.select(max(y))] == 1),
      #"SELECT * FROM "author" WHERE (SELECT MAX("year") FROM "book") = ?"#, [1]),
    RequestCase(
      Author.aliased(a).filter(a[Book.all().exists() && id == 1]),
      #"SELECT * FROM "author" WHERE (EXISTS (SELECT * FROM "book")) AND ("id" = ?)"#, [1]),
  ])
  func `unnamed aliases only refer`(_ test: RequestCase) throws {
    try test.check()
  }

  @Test func `correlated subqueries use the resolved name`() throws {
    let e = TableAlias<Employee>()
    let request = Employee.aliased(e)
      .including(optional: Employee.manager)
      .filter(Note.filter(Column("text") == e[Column("name")]).exists())
    #expect(
      try sql(of: request).sql
        == #"SELECT "employee1".*, "employee2".* FROM "employee" "employee1" "#
        + #"LEFT JOIN "employee" "employee2" ON "employee2"."id" = "employee1"."managerId" "#
        + #"WHERE EXISTS (SELECT * FROM "note" WHERE "text" = "employee1"."name")"#)
  }

  @Test func `a subquery on the same table has another name for it`() throws {
    let e = TableAlias<Employee>()
    let managerId = Column("managerId")
    let managers = Employee.aliased(e).filter(Employee.filter(managerId == e[id]).exists())
    #expect(
      try sql(of: managers).sql
        == #"SELECT * FROM "employee" WHERE EXISTS (SELECT "employee1".* "#
        + #"FROM "employee" "employee1" WHERE "employee1"."managerId" = "employee"."id")"#)
    let reports = Employee.joining(required: Employee.manager).filter(managerId == e[id])
    let joined = Employee.aliased(e).joining(optional: Employee.manager).filter(reports.exists())
    #expect(
      try sql(of: joined).sql
        == #"SELECT "employee1".* FROM "employee" "employee1" "#
        + #"LEFT JOIN "employee" "employee2" ON "employee2"."id" = "employee1"."managerId" "#
        + #"WHERE EXISTS (SELECT "employee3".* FROM "employee" "employee3" "#
        + #"JOIN "employee" "employee2" ON "employee2"."id" = "employee3"."managerId" "#
        + #"WHERE "employee3"."managerId" = "employee1"."id")"#)
    try makeBookshopDatabase().read { db throws in
      for request in [managers, joined] {
        #expect(try request.order(id).fetchAll(db).map(\.id) == [1, 2])
      }
    }
    let x = TableAlias<Employee>(name: "x")
    let named = Employee.aliased(TableAlias(name: "X")).filter(managerId == x[id])
    #expect(
      try invalidity(of: sql(of: Employee.aliased(x).filter(named.exists()))) == """
        ambiguous alias: X. It names table "employee" in a subquery, which refers to another \
        source of this name. To fix this error, give them different names, by TableAlias, and use \
        these in SQL.
        """)
  }

  /// Its SQL would mean the table of the enclosing request.
  @Test func `a subquery whose SQL has the name of the same table is refused`() throws {
    let e = TableAlias<Employee>()
    let reports = Employee.filter(Column("managerId") == e[id])
    for subquery in [
      reports.filter(sql: "employee.id > 2"), reports.filter(sql: #""Employee".id > 2"#),
      reports.select(sql: "MAX(employee.id)"),
    ] {
      #expect(
        try invalidity(of: sql(of: Employee.aliased(e).filter(subquery.exists()))) == """
          ambiguous alias: employee. It names table "employee" in a subquery, which refers to \
          another source of this name. To fix this error, give them different names, by \
          TableAlias, and use these in SQL.
          """)
    }
    let others = Employee.aliased(e).filter(reports.filter(sql: "name <> 'employee'").exists())
    #expect(
      try sql(of: others).sql
        == #"SELECT * FROM "employee" WHERE EXISTS (SELECT "employee1".* "#
        + #"FROM "employee" "employee1" WHERE ("employee1"."managerId" = "employee"."id") "#
        + #"AND (name <> 'employee'))"#)
    let named = reports.aliased(TableAlias(name: "report")).filter(sql: "report.id > 2")
    let managers = Employee.aliased(e).filter(named.exists())
    #expect(
      try sql(of: managers).sql
        == #"SELECT * FROM "employee" WHERE EXISTS (SELECT "report".* "#
        + #"FROM "employee" "report" WHERE ("report"."managerId" = "employee"."id") "#
        + #"AND (report.id > 2))"#)
    try makeBookshopDatabase().read { db throws in
      #expect(try managers.order(id).fetchAll(db).map(\.id) == [1, 2])
    }
  }

  /// Room 2 is the only one that is in the table `room1`.
  private func makeRooms() throws -> any DatabaseWriter {
    try makeDatabase(
      sql: """
        CREATE TABLE room (id INTEGER PRIMARY KEY, parentId INTEGER);
        CREATE TABLE room1 (id INTEGER PRIMARY KEY);
        INSERT INTO room VALUES (1, NULL), (2, 1), (3, NULL);
        INSERT INTO room1 VALUES (2);
        """)
  }

  private func roomsWithDoors(_ room: TableAlias<Void>) -> QueryInterfaceRequest<Row> {
    let rooms = Table("room")
    let doors = rooms.hasMany(rooms, key: "doors", using: ForeignKey(["parentId"], to: ["id"]))
    return rooms.aliased(room).joining(optional: doors)
  }

  @Test func `numbered names may be those of tables that no subquery selects from`() throws {
    let room = TableAlias<Void>()
    let request = roomsWithDoors(room)
    try makeRooms().write { db throws in
      let outer = request.filter(sql: "room1.parentId IS NULL").select(id)
      #expect(
        try sql(of: outer, in: db).sql
          == #"SELECT "room1"."id" FROM "room" "room1" "#
          + #"LEFT JOIN "room" "room2" ON "room2"."parentId" = "room1"."id" "#
          + #"WHERE room1.parentId IS NULL"#)
      #expect(try Int.fetchAll(db, outer.order(id)) == [1, 3])
      let listed = request.filter(
        literal: "EXISTS (SELECT 1 FROM room1 WHERE room1.id = \(room[id]))")
      #expect(try Int.fetchAll(db, listed.select(id)) == [2])
    }
  }

  @Test func `numbered names are those of no table that a subquery selects from`() throws {
    let room = TableAlias<Void>()
    let request = roomsWithDoors(room).filter(Table("room1").filter(id == room[id]).exists())
    try makeRooms().write { db throws in
      #expect(
        try sql(of: request, in: db).sql
          == #"SELECT "room2".* FROM "room" "room2" "#
          + #"LEFT JOIN "room" "room3" ON "room3"."parentId" = "room2"."id" "#
          + #"WHERE EXISTS (SELECT * FROM "room1" WHERE "id" = "room2"."id")"#)
      let ids = try request.asRequest(of: Row.self).fetchAll(db).map { $0["id"] as Int }
      #expect(ids == [2])
      #expect(try request.deleteAll(db) == 1)
      #expect(try Int.fetchAll(db, sql: "SELECT id FROM room ORDER BY id") == [1, 3])
    }
  }

  @Test func `numbered names are those of no enclosing table that SQL refers to`() throws {
    let room = TableAlias<Row>()
    let rooms = Table<Row>("room")
    let outer = rooms.filter(id == room[Column("parentId")]).filter(sql: "room1.id = 2")
    let doors = rooms.all().aliased(room).filter(outer.exists())
    let request = Table<Row>("room1").filter(doors.exists())
    try makeRooms().write { db throws in
      #expect(try Int.fetchAll(db, request.select(id)) == [2])
    }
  }

  @Test func `aliases of joined tables reach the main clauses`() throws {
    let request = Book.including(optional: Book.author.aliased(a))
      .filter(y > a[Column("birthYear")] && a[Column("name")] != nil)
    #expect(
      try sql(of: request).sql
        == #"SELECT "book".*, "author".* FROM "book" "#
        + #"LEFT JOIN "author" ON "author"."id" = "book"."authorId" "#
        + #"WHERE ("book"."year" > "author"."birthYear") AND ("author"."name" IS NOT NULL)"#)
  }

  @Test func `aliases are equal to themselves only`() {
    let (one, two) = (TableAlias(name: "x"), TableAlias(name: "x"))
    #expect(one == one)
    #expect(one != two)
    #expect(Set([one, two, one]).count == 2)
  }

  @Test func `operators see through aliases`() throws {
    let request = Book.aliased(b)
    #expect(
      try sql(of: request.filter(b[t.collating(.nocase)] == "x")).sql
        == #"SELECT "b".* FROM "book" "b" WHERE "b"."title" = ? COLLATE NOCASE"#)
    #expect(
      try sql(of: request.filter(!b[y == 1])).sql
        == #"SELECT "b".* FROM "book" "b" WHERE "b"."year" <> ?"#)
    #expect(
      try sql(of: request.filter(b[y && t] && id)).sql
        == #"SELECT "b".* FROM "book" "b" WHERE "b"."year" AND "b"."title" AND "b"."id""#)
  }

  @Test func `a second alias is a synonym`() throws {
    let request = Book.aliased(TableAlias()).aliased(b).filter(b[y] == 1)
    #expect(try sql(of: request).sql == #"SELECT "b".* FROM "book" "b" WHERE "b"."year" = ?"#)
  }

  @Test func `an alias of two tables is invalid`() throws {
    let request = Book.aliased(b).joining(required: Book.author.aliased(TableAlias()))
    #expect(try invalidity(of: sql(of: request)) == nil)
    let e = TableAlias<Employee>()
    let invalid = Employee.aliased(e).joining(required: Employee.manager.aliased(e))
    #expect(
      try invalidity(of: sql(of: invalid)) == """
        A TableAlias must not be used to refer to multiple tables: here it refers to table \
        "employee", and to table "employee" in another place. \
        To fix this error, give each of them its own TableAlias.
        """)
  }

  @Test func `an alias of a query and its subquery is invalid`() throws {
    let message = "A TableAlias must not be used to refer to multiple tables"
    let e = TableAlias<Employee>()
    let inner = Employee.aliased(e).filter(e[id] > 1)
    let manager = Employee.joining(required: Employee.manager.aliased(e))
    for request in [
      inner.filter(inner.exists()), inner.filter(manager.exists()), manager.filter(inner.exists()),
      inner.filter(inner.select(id).union(Book.select(id)).contains(id)),
      inner.select(inner.select(id)), inner.filter(literal: "id IN (\(inner.select(id)))"),
    ] {
      #expect(try invalidity(of: sql(of: request))?.hasPrefix(message) == true)
    }
    let request = errorText { try sql(of: inner.filter(manager.exists())) }
    #expect(request?.hasPrefix(message) == true)
    #expect(request?.hasSuffix(#" - in request SELECT … FROM "employee" …"#) == true)
    #expect(try invalidity(of: sql(of: inner.select(id).union(inner.select(id)))) == nil)
    #expect(try invalidity(of: deleteSQL(of: manager.aliased(TableAlias()))) == nil)
    // The rows are found by their key, in a subquery.
    #expect(
      try invalidity(of: deleteSQL(of: manager.filter(inner.exists())))?.hasPrefix(message) == true)
    #expect(
      try invalidity(
        of: updateSQL(of: Employee.aliased(TableAlias()).joining(required: Employee.manager), []))
        != message)
  }
}

@Suite(.onQueueAndPool)
struct AliasExistenceTests {
  @Test(arguments: [
    (Author.aliased(a).filter(a.exists).sqlSubquery, #""id" IS NOT NULL"#),
    (Author.aliased(a).filter(!a.exists).sqlSubquery, #""id" IS NULL"#),
    (Author.aliased(a).filter(a.exists == true).sqlSubquery, #"("id" IS NOT NULL) = ?"#),
    (Stock.aliased(b).filter(b.exists).sqlSubquery, #""b"."rowid" IS NOT NULL"#),
    (Note.aliased(b).filter(b.exists).sqlSubquery, #""b"."rowid" IS NOT NULL"#),
    (
      Shelf.aliased(b).filter(b.exists).sqlSubquery,
      #"("b"."room" IS NOT NULL) OR ("b"."num" IS NOT NULL)"#
    ),
    (
      Shelf.aliased(b).filter(!b.exists).sqlSubquery,
      #"("b"."room" IS NULL) AND ("b"."num" IS NULL)"#
    ),
  ])
  func `existence tests the key`(request: SQLSubquery, condition: String) throws {
    #expect(try sql(of: request).sql.hasSuffix(" WHERE " + condition))
  }

  @Test func `existence of an optional association`() throws {
    let request = Book.joining(optional: Book.author.aliased(a))
      .annotated(with: a.exists.forKey("hasAuthor"))
    #expect(
      try sql(of: request).sql
        == #"SELECT "book".*, "author"."id" IS NOT NULL AS "hasAuthor" FROM "book" "#
        + #"LEFT JOIN "author" ON "author"."id" = "book"."authorId""#)
    try makeBookshopDatabase().read { db throws in
      let flags = try request.order(id).asRequest(of: Row.self).fetchAll(db)
        .map { $0["hasAuthor"] as Bool }
      #expect(flags == [true, true, true, false])
    }
  }
}
