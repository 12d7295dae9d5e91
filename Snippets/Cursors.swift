// Cursors of an application, and the C functions of SQLite.

import CSQLite
import Quarry

let shop = try DatabaseQueue()
try shop.write { db in
  try db.execute(
    sql: """
      CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL, price DOUBLE);
      INSERT INTO book VALUES (1, 'The Trial', 12.5), (2, 'The Castle', NULL), (3, 'Emma', 9);
      """)
}

// snippet.own
struct Price {
  var title: String
  var cents: Int?
}

final class PriceCursor: DatabaseCursor {
  let _statement: Statement
  var _isDone = false

  init(_ statement: Statement) { _statement = statement }

  // Called for each row. An error is thrown by `next()`, and the cursor goes on with the next row.
  func _element(sqliteStatement: SQLiteStatement) throws -> Price {
    Price(
      title: String(cString: sqlite3_column_text(sqliteStatement, 0)),
      cents: Double.fromStatement(sqliteStatement, atUncheckedIndex: 1).map { Int($0 * 100) })
  }
}

try shop.read { db in
  let statement = try db.makeStatement(sql: "SELECT title, price FROM book WHERE id >= ?")
  try statement.setArguments([2])
  let prices = PriceCursor(statement)
  while let price = try prices.next() { print(price.title, price.cents ?? 0) }
}
// snippet.end

// snippet.bind
try shop.read { db in
  let statement = try db.makeStatement(sql: "SELECT title, price FROM book WHERE id = ?")
  let prices = PriceCursor(statement)
  sqlite3_bind_int64(statement.sqliteStatement, 1, 1)
  print(try prices.next()?.cents ?? 0)  // 1250
  sqlite3_reset(statement.sqliteStatement)
  sqlite3_bind_int64(statement.sqliteStatement, 1, 3)
  print(try prices.map(\.title).joined(separator: ", "))  // Emma
}
// snippet.end

// snippet.control
var configuration = Configuration()
configuration.prepareDatabase { db in
  guard !db.configuration.readonly else { return }
  var isPersistent: CInt = 1
  let code = sqlite3_file_control(db.sqliteConnection, nil, SQLITE_FCNTL_PERSIST_WAL, &isPersistent)
  guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
}
// snippet.end
try DatabasePool.temporary(configuration: configuration).write { db in
  print(try db.tableExists("book"))  // false
}
