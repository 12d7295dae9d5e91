// Tables, indexes, views: how they are created, changed and read.

import Quarry

var traced = Configuration()
traced.prepareDatabase { db in db.trace { print($0.expandedDescription) } }
let queue = try DatabaseQueue(configuration: traced)

// snippet.tables
try queue.write { db in
  try db.create(table: "author") { t in
    t.autoIncrementedPrimaryKey("id")
    t.column("name", .text).notNull().unique()
    t.column("country", .text).notNull().defaults(to: "unknown")
  }
  try db.create(table: "book") { t in
    t.primaryKey("isbn", .text)
    t.belongsTo("author", onDelete: .cascade).notNull()  // authorId, with an index
    t.column("title", .text).notNull().indexed()
    t.column("price", .double).notNull().check { $0 >= 0 }
    t.column("copies", .integer).notNull().defaults(to: 0)
    t.column("value", .double).generatedAs(Column("price") * Column("copies"))
  }
  try db.create(table: "shelfMark") { t in
    t.primaryKey {  // two columns
      t.column("hall", .text)
      t.column("number", .integer)
    }
    t.column("isbn", .text).notNull().references("book")
  }
}
// snippet.end

try queue.write { db in
  // snippet.alter
  try db.alter(table: "book") { t in
    t.add(column: "year", .integer)
    t.rename(column: "title", to: "name")
  }
  // CREATE INDEX "book_by_year" ON "book"("year", "name") WHERE "year" IS NOT NULL
  try db.create(
    index: "book_by_year", on: "book", columns: ["year", "name"], condition: Column("year") != nil)
  try db.create(view: "modernBook", as: Table("book").filter(Column("year") >= 1900))
  // snippet.end

  // snippet.read
  print(try db.columns(in: "author").map(\.name))  // ["id", "name", "country"]
  print(try db.primaryKey("shelfMark").columns)  // ["hall", "number"]
  print(try db.indexes(on: "book").map(\.name).sorted())
  print(try db.foreignKeys(on: "book").map(\.destinationTable))  // ["author"]
  print(try db.tableExists("loan"), try db.viewExists("modernBook"))  // false true
  // snippet.end
}
