// SQL and rows.

import Quarry

var traced = Configuration()
traced.prepareDatabase { db in db.trace { print($0.expandedDescription) } }
let shop = try DatabaseQueue(configuration: traced)

// snippet.execute
try shop.write { db in
  try db.execute(
    sql: """
      CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
      CREATE TABLE book (
        id INTEGER PRIMARY KEY, title TEXT NOT NULL, price DOUBLE, authorId REFERENCES author(id));
      """)
  try db.execute(
    sql: "INSERT INTO author VALUES (?, ?)", arguments: [1, "Franz Kafka"])
  try db.execute(
    sql: "INSERT INTO book VALUES (:id, :title, :price, :author)",
    arguments: ["id": 1, "title": "The Trial", "price": 12.5, "author": 1])
  try db.execute(literal: "INSERT INTO book VALUES (2, \("The Castle"), NULL, \(1))")
  print(db.lastInsertedRowID, db.changesCount)  // 2 1
}
// snippet.end

try shop.read { db in
  // snippet.fetch
  let titles = try String.fetchAll(db, sql: "SELECT title FROM book ORDER BY id")
  let count = try Int.fetchOne(
    db, sql: "SELECT COUNT(*) FROM book WHERE price > ?", arguments: [10])
  let rows = try Row.fetchAll(db, sql: "SELECT * FROM book")
  // snippet.end
  print(titles, count ?? 0, rows.count)  // ["The Trial", "The Castle"] 1 2

  // snippet.cursor
  let books = try Row.fetchCursor(db, sql: "SELECT title, price FROM book")
  while let row = try books.next() {
    let title = try row.decode(String.self, forColumn: "title")
    let price = try row.decode(Double?.self, forColumn: "price")  // nil for NULL
    print(title, price ?? 0)
  }
  // snippet.end

  // snippet.row
  let row = try Row.fetchOne(db, sql: "SELECT * FROM book WHERE id = 2") ?? Row()
  print(row)  // [id:2 title:"The Castle" price:NULL authorId:1]
  print(Array(row.columnNames), row.hasColumn("isbn"), row.hasNull(atIndex: 2))

  // Shorter, for values that certainly fit: a text here would stop the program.
  let id: Int64 = row["id"]

  // An error for a value that does not fit
  let title = try row.decode(String.self, forColumn: "title")
  let price = try row.decode(Double?.self, forColumn: "price")
  // snippet.end
  print(id, title, price ?? -1)  // 2 The Castle -1.0

  // snippet.interpolation
  let minimum = 10.0
  let request: SQLRequest<String> = "SELECT title FROM book WHERE price >= \(minimum)"
  print(try request.fetchAll(db))  // ["The Trial"]

  // Names are not values: they are quoted. SELECT "title" FROM "book"
  let column = "title"
  let named: SQLRequest<String> = "SELECT \(identifier: column) FROM \(identifier: "book")"
  print(try named.fetchCount(db))  // 2

  // SELECT * FROM book WHERE id IN (1,2)
  let listed: SQLRequest<Row> = "SELECT * FROM book WHERE id IN \([1, 2])"
  print(try listed.fetchAll(db).count)  // 2
  // snippet.end

  // snippet.mixed
  struct Book: Decodable, FetchableRecord, TableRecord {
    var id: Int64
    var title: String
  }
  // SELECT * FROM "book" WHERE price IS NOT NULL ORDER BY "title"
  let priced = try Book.filter(sql: "price IS NOT NULL").order(Column("title")).fetchAll(db)
  let sql = try Book.fetchAll(db, sql: "SELECT id, title FROM book")
  // snippet.end
  print(priced.count, sql.count)  // 1 2

  // snippet.statement
  let statement = try db.makeStatement(sql: "SELECT title FROM book WHERE id = ?")
  for id in 1...2 {
    print(try String.fetchOne(statement, arguments: [id]) ?? "")
  }
  // snippet.end

  // snippet.scopes
  // A join by hand: the columns of the author come after the four of the book.
  let joined = try Row.fetchAll(
    db, sql: "SELECT book.*, author.* FROM book JOIN author ON author.id = authorId",
    adapter: ScopeAdapter(["author": SuffixRowAdapter(fromIndex: 4)]))
  let author = joined[0].scopes["author"]
  print(try author?.decode(String.self, forColumn: "name") ?? "")  // Franz Kafka
  // snippet.end
}
