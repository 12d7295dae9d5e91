// Expressions that look at other rows, and expressions that choose.

import Quarry
import QuarryFunctions

struct Employee: Codable, FetchableRecord, PersistableRecord {
  var id: Int64
  var name: String
  var managerId: Int64?
  var salary: Int

  enum Columns {
    static let id = Column(CodingKeys.id)
    static let name = Column(CodingKeys.name)
    static let managerId = Column(CodingKeys.managerId)
    static let salary = Column(CodingKeys.salary)
  }
}

let queue = try DatabaseQueue()
try queue.write { db in db.trace { print($0, $0.expandedDescription, separator: "\n") } }

try queue.write { db in
  try db.create(table: "employee") { t in
    t.primaryKey("id", .integer)
    t.column("name", .text).notNull()
    t.column("managerId", .integer).references("employee")
    t.column("salary", .integer).notNull()
  }
  try Employee(id: 1, name: "Ada", managerId: nil, salary: 300).insert(db)
  try Employee(id: 2, name: "Ben", managerId: 1, salary: 200).insert(db)
  try Employee(id: 3, name: "Cleo", managerId: 2, salary: 120).insert(db)
  try Employee(id: 4, name: "Dan", managerId: 2, salary: 100).insert(db)
}

try queue.read { db in
  // snippet.window
  // SELECT "name", RANK() OVER (PARTITION BY "managerId" ORDER BY "salary" DESC) AS "rank",
  //   CASE WHEN "salary" >= 200 THEN 'high' ELSE 'low' END AS "band"
  // FROM "employee" ORDER BY "id"
  let ranks = try Row.fetchAll(
    db,
    Employee.select {
      [
        $0.name,
        rank().over(partitionBy: $0.managerId, orderBy: $0.salary.desc).forKey("rank"),
        SQLCase().when($0.salary >= 200, then: "high").else("low").forKey("band"),
      ]
    }.order { $0.id })
  // snippet.end
  print(ranks)

  // snippet.frame
  // SELECT "name", SUM("salary") OVER (
  //   ORDER BY "id" ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) AS "lastTwo" FROM "employee"
  //   ORDER BY "id"
  let sums = try Row.fetchAll(
    db,
    Employee.select {
      [
        $0.name,
        sum($0.salary)
          .over(orderBy: $0.id, frame: .rows(from: .preceding(1), to: .currentRow))
          .forKey("lastTwo"),
      ]
    }.order { $0.id })
  // snippet.end
  print(sums)
}
