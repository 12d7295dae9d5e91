// The SQL of requests, the statements that run, and what SQLite makes of them.

import Quarry
import QuarryPlans

struct Author: Codable, FetchableRecord, PersistableRecord {
  var id: Int64
  var name: String
}

struct Book: Codable, FetchableRecord, PersistableRecord {
  enum Columns {
    static let title = Column(CodingKeys.title)
    static let year = Column(CodingKeys.year)
  }

  static let author = belongsTo(Author.self)

  var id: Int64
  var title: String
  var year: Int
  var authorId: Int64
}

// snippet.trace
var configuration = Configuration()
configuration.prepareDatabase { db in
  db.trace { event in print(event) }
}
let queue = try DatabaseQueue(configuration: configuration)
// snippet.end

try queue.write { db in
  try db.create(table: "author") { t in
    t.autoIncrementedPrimaryKey("id")
    t.column("name", .text).notNull()
  }
  try db.create(table: "book") { t in
    t.autoIncrementedPrimaryKey("id")
    t.belongsTo("author").notNull()
    t.column("title", .text).notNull()
    t.column("year", .integer).notNull()
  }
  try Author(id: 1, name: "Italo Bassi").insert(db)
  try Book(id: 1, title: "Invisible Towns", year: 2002, authorId: 1).insert(db)
}

// snippet.sql
let recent = Book.filter { $0.year > 2000 }

// SELECT * FROM "book" WHERE "year" > ? [2000]
print(recent)

try queue.read { db in
  // SELECT "book".*, "author".* FROM "book" JOIN "author" ON … WHERE "book"."year" > 2000
  try print(recent.including(required: Book.author).sql(db))

  // The text with its parameters, and the arguments.
  let statement = try recent.makePreparedRequest(db).statement
  print(statement.sql, statement.arguments)
}
// snippet.end

// snippet.rows
try queue.read { db in
  // The rows of a request, and those of the associations that it prefetches.
  try db.dumpRequest(recent)

  let plan = try recent.order { $0.title }.explain(db)
  print(plan.scans, plan.temporaryTrees)  // ["book"] ["ORDER BY"]
  // QUERY PLAN
  // |--SCAN book
  // `--USE TEMP B-TREE FOR ORDER BY
  print(plan)
}
// snippet.end

// snippet.slow
try queue.write { db in
  db.trace(options: .profile) { event in
    if case .profile(_, let duration) = event, duration >= 0.001 { print("slow:", event) }
  }
}
// snippet.end
try queue.read { db in
  _ = try Int.fetchOne(
    db,
    sql: """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
      SELECT SUM(i) FROM n
      """)
}
try queue.write { db in db.trace() }
