// Errors: their types, codes and patterns.

import Quarry

struct Author: Codable, FetchableRecord, PersistableRecord {
  var id: Int64
  var name: String
}

struct Book: Codable, FetchableRecord, PersistableRecord {
  var id: Int64
  var authorId: Int64
}

let shop = try DatabaseQueue()
try shop.write { db in
  try db.create(table: "author") { t in
    t.primaryKey("id", .integer)
    t.column("name", .text)
  }
  try db.create(table: "book") { t in
    t.primaryKey("id", .integer)
    t.belongsTo("author").notNull()
  }
  try db.execute(sql: "INSERT INTO author (id) VALUES (1)")
}

// snippet.match
try shop.write { db in
  do {
    try Book(id: 1, authorId: 12).insert(db)
  } catch DatabaseError.SQLITE_CONSTRAINT_FOREIGNKEY {
    print("no such author")  // no such author
  } catch DatabaseError.SQLITE_CONSTRAINT_UNIQUE {
    print("a unique key is there already")
  } catch DatabaseError.SQLITE_CONSTRAINT {
    print("another constraint")
  }
}
// snippet.end

// snippet.details
do {
  try shop.write { db in try Book(id: 1, authorId: 12).insert(db) }
} catch let error as DatabaseError {
  print(error.resultCode, error.extendedResultCode, error.message ?? "", error.sql ?? "")
  print(error.details ?? "")  // foreign key from book(authorId) to author(id): there is no such row
}
// snippet.end

// snippet.constraint
do {
  try shop.write { db in try db.execute(sql: "INSERT INTO author (id) VALUES (1)") }
} catch let error as DatabaseError {
  switch error.constraint {
  case let constraint? where constraint.kind == .unique || constraint.kind == .primaryKey:
    print("taken:", constraint.table ?? "", constraint.columns)  // taken: author ["id"]
  case let constraint? where constraint.kind == .notNull:
    print("missing:", constraint.columns)
  default:
    throw error
  }
}
// snippet.end

// snippet.find
do {
  _ = try shop.read { db in try Author.find(db, key: 7) }
} catch let error as RecordError {
  print(error)  // Key not found in table author: [id:7]
}
// snippet.end

// snippet.decode
struct Person: FetchableRecord {
  var name: String
  init(row: Row) { name = row["name"] }
}

do {
  _ = try shop.read { db in try Person.fetchAll(db, sql: "SELECT * FROM author") }
} catch {
  print(error)  // could not decode String from database value NULL - column: "name", …
}
// snippet.end
