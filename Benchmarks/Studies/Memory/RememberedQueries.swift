import ByHand
import Counters
import Quarry

/// What Quarry keeps of a request whose structure has come for the second time, on a connection.
///
/// Fewer structures than a connection remembers, each three times. What a fetch leaves else (the
/// schema, the record types) is there before.
enum RememberedQueries {
  struct Author: Codable, FetchableRecord, TableRecord {
    static let books = hasMany(Book.self)
    var id: Int64
    var name: String
  }

  struct Book: Codable, FetchableRecord, TableRecord {
    static let author = belongsTo(Author.self)
    var id: Int64
    var title: String
    var authorId: Int64
    var year: Int
    var pages: Int
  }

  private static let columns = ["id", "title", "authorId", "year", "pages"]
  private static let count = 150

  static func report() throws {
    Memory.show(
      "remembered queries, \(count) of each kind",
      ["bytes/query", "SQLite's", "statements", "after release"])
    try report("filter and order") { db, number in
      try filtered(Book.all(), number).fetchAll(db).count
    }
    try report("the same, and a parent") { db, number in
      try filtered(Book.all(), number).including(required: Book.author)
        .asRequest(of: Row.self).fetchAll(db).count
    }
    try report("parents, with such children") { db, number in
      let books = filtered(Author.books, number)
      return try Author.including(all: books).asRequest(of: Row.self).fetchAll(db).count
    }
  }

  /// One of 31 sets of filters, by one of five orders.
  private static func filtered<Request: DerivableRequest>(
    _ request: Request, _ number: Int
  ) -> Request {
    let set = number % 31 + 1
    var request = request.order(Column(columns[number / 31]))
    for (index, name) in columns.enumerated() where set & (1 << index) != 0 {
      request = request.filter(Column(name) > 0)
    }
    return request
  }

  private static func report(
    _ title: String, _ fetch: @escaping (Database, Int) throws -> Int
  ) throws {
    try database().inDatabase { db in
      // The last structure, which is not one of those that are counted.
      for _ in 0..<3 { _ = try fetch(db, count) }
      let (heap, memory) = (heap_in_use(), sqliteMemory)
      let statements = statementCount(of: db.sqliteConnection)
      for number in 0..<count {
        for _ in 0..<3 { _ = try fetch(db, number) }
      }
      let kept = Int(heap_in_use()) - Int(heap)
      let ofSQLite = sqliteMemory - memory
      let newStatements = statementCount(of: db.sqliteConnection) - statements
      db.releaseMemory()
      let rest = Int(heap_in_use()) - Int(heap)
      Memory.show(
        title,
        [kept / count, Int(ofSQLite) / count, newStatements, rest / count].map(String.init))
    }
  }

  private static func database() throws -> DatabaseQueue {
    let database = try DatabaseQueue()
    try database.write { db in
      try db.execute(
        sql: """
          CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
          CREATE TABLE book (
            id INTEGER PRIMARY KEY, title TEXT NOT NULL, authorId INTEGER NOT NULL REFERENCES author(id),
            year INTEGER NOT NULL, pages INTEGER NOT NULL);
          INSERT INTO author VALUES (1, 'Dorothy');
          INSERT INTO book VALUES (1, 'Gaudy Night', 1, 1935, 483);
          """)
    }
    return database
  }
}
