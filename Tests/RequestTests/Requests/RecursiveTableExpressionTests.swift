import QuarryTestSupport
import Testing

@testable import Quarry

private let id = Column("id")
private let name = Column("name")
private let managerId = Column("managerId")
private let x = Column("x")

private let counter = CommonTableExpression<Int>(named: "counter", columns: ["x"]) { counter in
  SQLRequest<Int>("SELECT \(1)").unionAll(counter.all().select(x + 1).filter(x < 5))
}

/// Ada, and all employees below her.
private let team = CommonTableExpression<Employee>(named: "team") { team in
  let above = Employee.association(to: team) { employee, above in
    employee[managerId] == above[id]
  }
  return Employee.filter(key: 2).union(Employee.joining(required: above))
}

@Suite(.onQueueAndPool)
struct RecursiveTableExpressionTests {
  @Test(arguments: [
    RequestCase(
      counter.all().with(counter),
      #"WITH RECURSIVE "counter"("x") AS (SELECT ? UNION ALL "#
        + #"SELECT "x" + ? FROM "counter" WHERE "x" < ?) SELECT * FROM "counter""#, [1, 1, 5]),
    RequestCase(
      team.all().with(team).order(name),
      #"WITH RECURSIVE "team" AS (SELECT * FROM "employee" WHERE "id" = ? UNION "#
        + #"SELECT "employee".* FROM "employee" JOIN "team" "#
        + #"ON "employee"."managerId" = "team"."id") SELECT * FROM "team" ORDER BY "name""#, [2]),
    RequestCase(
      Note.with(
        CommonTableExpression(named: "n") { n in
          ("SELECT 1 AS x" as SQLRequest<Int>)
            .union("SELECT 2 AS x" as SQLRequest<Int>)
            .unionAll(n.all().select(x * 2).filter(x < 9))
            .order(x.desc).limit(4)
        }),
      #"WITH RECURSIVE "n" AS (SELECT 1 AS x UNION SELECT 2 AS x UNION ALL "#
        + #"SELECT "x" * ? FROM "n" WHERE "x" < ? ORDER BY "x" DESC LIMIT 4) SELECT * FROM "note""#,
      [2, 9]),
    RequestCase(
      Note.with(
        CommonTableExpression<Int>(
          recursive: true, named: "c", columns: ["x"],
          request: SQLRequest<Int>("SELECT 1").unionAll(Table("c").select(x + 1).limit(3)))),
      #"WITH RECURSIVE "c"("x") AS (SELECT 1 UNION ALL SELECT * FROM "#
        + #"(SELECT "x" + ? FROM "c" LIMIT 3)) SELECT * FROM "note""#, [1]),
  ])
  func `both halves are requests`(_ test: RequestCase) throws {
    try test.check()
  }

  @Test func `rows`() throws {
    try makeBookshopDatabase().read { db throws in
      #expect(try counter.all().with(counter).fetchAll(db) == [1, 2, 3, 4, 5])
      #expect(try counter.all().with(counter).filter(x > 3).fetchCount(db) == 2)
      #expect(try team.all().with(team).order(id).fetchAll(db).map(\.name) == ["Bo", "Di"])
      let all = Employee.with(team).filter(!team.all().select(id).contains(id)).order(id)
      #expect(try all.fetchAll(db).map(\.name) == ["Ada", "Cy"])
    }
  }

  @Test func `rows of a scope`() throws {
    struct Member: Decodable, FetchableRecord {
      var employee: Employee
      var team: Employee
    }
    let boss = Employee.association(to: team) { $0[managerId] == $1[id] }
    try makeBookshopDatabase().read { db throws in
      let members = try Employee.with(team).including(required: boss)
        .asRequest(of: Member.self).fetchAll(db)
      #expect(members.map(\.employee.name) == ["Di"])
      #expect(members.map(\.team.name) == ["Bo"])
    }
  }

  @Test func `the recursive half is written by hand`() throws {
    let counter = CommonTableExpression<Int>(named: "counter", columns: ["x"]) { _ in
      SQLRequest<Int>("SELECT \(1)")
        .unionAll("SELECT x + 1 FROM counter WHERE x < 3" as SQLRequest<Int>)
    }
    try makeBookshopDatabase().read { db throws in
      #expect(try counter.all().with(counter).fetchAll(db) == [1, 2, 3])
    }
  }

  @Test func `the recursive half is there`() throws {
    let missing = [
      CommonTableExpression<Row>(named: "c") { _ in Employee.all() },
      CommonTableExpression<Row>(named: "c") { _ in Employee.all().union(Employee.filter(key: 1)) },
      CommonTableExpression<Row>(named: "c") { c in c.all() },
      CommonTableExpression<Row>(recursive: true, named: "c", request: Employee.all()),
      CommonTableExpression<Row>(recursive: true, named: "c", sql: "SELECT 1 AS x"),
      CommonTableExpression<Row>(named: "c") { _ in
        Employee.all().union(Employee.filter(key: 1).union(Employee.filter(key: 2)))
      },
    ]
    try makeBookshopDatabase().read { db throws in
      for cte in missing {
        let error = errorText { try cte.all().with(cte).fetchAll(db) }
        #expect(
          error
            == #"The recursive common table expression "c" has no recursive half: it must be a union "#
            + #"with a request that selects from it - in request SELECT … FROM "c" …"#)
      }
      let circular = CommonTableExpression<Row>(named: "c") { c in
        c.all().union(Employee.all().union(c.all()))
      }
      #expect(
        errorText { try circular.all().with(circular).fetchAll(db) }?.contains("recursive half")
          == true)
      let twice = CommonTableExpression<Row>(named: "c") { c in c.all().unionAll(c.all()) }
      #expect(
        errorText { try twice.all().with(twice).fetchAll(db) }?.contains("circular reference: c")
          == true)
      let raw = CommonTableExpression<Int>(
        recursive: true, named: "c", sql: "SELECT 1 AS x UNION ALL SELECT x + 1 FROM c WHERE x < 3")
      #expect(try raw.all().with(raw).fetchAll(db) == [1, 2, 3])
    }
  }

  @Test func `a definition does not define itself`() throws {
    let cte = CommonTableExpression<Int>(named: "c") { c in
      SQLRequest<Int>("SELECT 1").unionAll(c.all().with(c))
    }
    #expect(
      try invalidity(of: sql(of: cte.all().with(cte)))
        == #"The common table expression "c" can't be defined by its own request"#)
  }
}
