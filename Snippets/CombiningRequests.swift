// Unions of requests, common table expressions, and joins along any condition.

import Quarry
import QuarryRecords

// snippet.records
struct Employee: Codable, FetchableRecord, PersistableRecord {
  var id: Int64
  var name: String
  var managerId: Int64?

  enum Columns {
    static let id = Column(CodingKeys.id)
    static let name = Column(CodingKeys.name)
    static let managerId = Column(CodingKeys.managerId)
  }
}

struct Course: Codable, FetchableRecord, PersistableRecord {
  var id: Int64
  var title: String
  var languages: [String]

  enum Columns {
    static let id = Column(CodingKeys.id)
    static let title = Column(CodingKeys.title)
    static let languages = Column(CodingKeys.languages)
  }
}

struct Shift: Codable, FetchableRecord, PersistableRecord {
  var employeeId: Int64
  var day: String
  var hours: Int

  enum Columns {
    static let employeeId = Column(CodingKeys.employeeId)
    static let day = Column(CodingKeys.day)
    static let hours = Column(CodingKeys.hours)
  }
}
// snippet.end

let staff = try DatabaseQueue()
try staff.write { db in db.trace { print($0, $0.expandedDescription, separator: "\n") } }
try staff.write { db in
  try db.create(table: "employee") { t in
    t.primaryKey("id", .integer)
    t.column("name", .text).notNull()
    t.belongsTo("manager", inTable: "employee")
  }
  try db.create(table: "shift") { t in
    t.belongsTo("employee").notNull()
    t.column("day", .text).notNull()
    t.column("hours", .integer).notNull()
  }
  try Employee(id: 1, name: "Ada", managerId: nil).insert(db)
  try Employee(id: 2, name: "Bo", managerId: 1).insert(db)
  try Employee(id: 3, name: "Cy", managerId: 2).insert(db)
  try Shift(employeeId: 2, day: "2024-05-01", hours: 8).insert(db)
  try Shift(employeeId: 2, day: "2024-05-02", hours: 6).insert(db)
  try Shift(employeeId: 3, day: "2024-05-02", hours: 4).insert(db)
}

try staff.read { db in
  // snippet.union
  // SELECT "id" FROM "employee" WHERE "managerId" IS NULL
  // UNION SELECT "employeeId" FROM "shift" WHERE "hours" > ?
  // ORDER BY "id"
  let ids = Employee.filter { $0.managerId == nil }.select(\.id, as: Int64.self)
    .union(Shift.filter { $0.hours > 6 }.select { $0.employeeId })
    .order(Column("id"))
  print(try ids.fetchAll(db))  // [1, 2]
  // snippet.end

  // snippet.recursion
  // WITH RECURSIVE "team" AS (
  //   SELECT * FROM "employee" WHERE "id" = ?
  //   UNION
  //   SELECT "employee".* FROM "employee" JOIN "team" ON "employee"."managerId" = "team"."id")
  // SELECT * FROM "team"
  let team = CommonTableExpression<Employee>(named: "team") { team in
    let manager = Employee.association(to: team) { employee, manager in
      employee.managerId == manager.id
    }
    return Employee.filter(key: 1).union(Employee.joining(required: manager))
  }
  let members = try team.all().with(team).fetchAll(db)
  print(members.map(\.name))  // ["Ada", "Bo", "Cy"]
  // snippet.end

  // snippet.join
  // SELECT "employee".*, "workload".* FROM "employee"
  // LEFT JOIN (SELECT "employeeId", SUM("hours") AS "hours" FROM "shift" GROUP BY "employeeId")
  // "workload" ON "workload"."employeeId" = "employee"."id"
  struct EmployeeInfo: Decodable, FetchableRecord {
    struct Workload: Decodable { var hours: Int }

    var employee: Employee
    var workload: Workload?
  }
  let workloads = Shift.all()
    .select { [$0.employeeId, sum($0.hours).forKey("hours")] }
    .group { $0.employeeId }
  let workload = Employee.association(to: workloads, named: "workload") { employee, workload in
    workload[Column("employeeId")] == employee.id
  }
  let infos = try Employee.including(optional: workload)
    .asRequest(of: EmployeeInfo.self)
    .fetchAll(db)
  print(infos.map { $0.workload?.hours ?? 0 })  // [0, 14, 4]
  // snippet.end

  // snippet.pairs
  // SELECT "employee1".*, "employee2".* FROM "employee" "employee1"
  // JOIN "employee" "employee2" ON "employee1"."name" < "employee2"."name"
  let rival = Employee.association(to: Employee.self) { employee, rival in
    employee.name < rival.name
  }.forKey("rival")
  let pairs = try Employee.including(required: rival).asRequest(of: Row.self).fetchAll(db)
  print(pairs.count)  // 3
  // snippet.end
}

try staff.write { db in
  try db.create(table: "course") { t in
    t.primaryKey("id", .integer)
    t.column("title", .text).notNull()
    t.column("languages", .jsonText).notNull()
  }
  try db.create(table: "correction") { t in
    t.column("employeeId", .integer).notNull()
    t.column("day", .text).notNull()
    t.column("hours", .integer).notNull()
  }
  try Course(id: 1, title: "Safety", languages: ["en", "fr"]).insert(db)
  try Course(id: 2, title: "Ledgers", languages: ["en"]).insert(db)

  // snippet.table
  // SELECT * FROM (SELECT * FROM "shift" ORDER BY "hours" DESC LIMIT 2) "shift" WHERE "day" > ?
  let longest = Shift.all().order { $0.hours.desc }.limit(2)
  let late = try longest.asTable().filter { $0.day > "2024-05-01" }.fetchAll(db)
  print(late.map(\.hours))  // [6]

  // SELECT AVG("total") FROM
  // (SELECT SUM("hours") AS "total" FROM "shift" GROUP BY "employeeId") "shift"
  let totals = Shift.all().select { sum($0.hours).forKey("total") }.group { $0.employeeId }
  let mean = totals.asTable().select(average(Column("total")), as: Double.self)
  print(try mean.fetchOne(db) ?? 0)  // 9.0
  // snippet.end

  // snippet.function
  // SELECT "value" FROM "json_each"(?) ORDER BY "key" DESC
  let words = TableFunction("json_each", #"["en", "fr"]"#)
    .order(Column("key").desc)
    .select(Column("value"), as: String.self)
  print(try words.fetchAll(db))  // ["fr", "en"]
  // snippet.end

  // snippet.functionJoin
  // SELECT "course".* FROM "course" JOIN "json_each"("course"."languages")
  // ON "json_each"."value" = ?
  let languages = Course.association(to: TableFunction("json_each", Course.Columns.languages))
  let french = Course.joining(required: languages.filter(Column("value") == "fr"))
  print(try french.fetchAll(db).map(\.title))  // ["Safety"]
  // snippet.end

  // snippet.functionMany
  struct Tongue: Decodable, FetchableRecord { var value: String }
  struct Taught: Decodable, FetchableRecord {
    var title: String
    var tongues: [Tongue]
  }
  let call = TableFunction<Tongue>("json_each", Course.Columns.languages)
  let taught = try Course.including(all: Course.hasMany(call, key: "tongues"))
    .asRequest(of: Taught.self).fetchAll(db)
  print(taught.map(\.tongues.count))  // [2, 1]
  // snippet.end

  // snippet.functionSubquery
  // SELECT * FROM "course"
  // WHERE (SELECT COUNT("value") FROM "json_each"("course"."languages")) > ?
  let course = TableAlias<Course>()
  let number = TableFunction("json_each", course.languages).select(count(Column("value")))
  let several = Course.all().aliased(course).filter(number > 1)
  print(try several.fetchAll(db).map(\.title))  // ["Safety"]
  // snippet.end

  // snippet.insert
  // INSERT INTO "correction" ("employeeId", "day", "hours")
  // SELECT "employeeId", "day", "hours" + ? AS "hours" FROM "shift" WHERE "hours" > ?
  let inserted = try Shift.filter { $0.hours > 5 }
    .select { [$0.employeeId, $0.day, ($0.hours + 1).forKey("hours")] }
    .insertAll(db, into: "correction")
  print(inserted)  // 2
  // snippet.end

  // snippet.update
  // UPDATE "shift" SET "hours" = "correction"."hours" FROM "correction"
  // WHERE ("correction"."employeeId" = "shift"."employeeId")
  // AND ("correction"."day" = "shift"."day") AND ("shift"."hours" < ?)
  let correction = TableAlias<Row>()
  let corrections = Shift.association(to: Table("correction")) { shift, correction in
    let isSameDay = correction["day"] == shift.day
    return correction["employeeId"] == shift.employeeId && isSameDay
  }
  let corrected = try Shift.joining(required: corrections.aliased(correction))
    .filter { $0.hours < 8 }
    .updateAll(db) { [$0.hours.set(to: correction["hours"])] }
  print(corrected)  // 1
  // snippet.end
}
