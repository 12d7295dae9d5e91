import Quarry
import QuarryRecords
import QuarryTestSupport

struct RecordedBook: Codable, Equatable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "book"
  var id: Int64
  var title: String
}

struct RecordedShelf: Codable, Equatable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "shelf"
  var room: String
  var number: Int
  var name: String
}

func withBookTable<T>(
  _ sql: String = "CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL UNIQUE)",
  _ body: (Database) throws -> T
) throws -> T {
  try makeDatabase(sql: sql).write(body)
}

/// Books with a history, in tables that can be rebuilt: foreign keys are not enforced.
func withHistory(_ sql: String, _ body: (Database) throws -> Void) throws {
  var configuration = Configuration()
  configuration.foreignKeysEnabled = false
  try DatabaseQueue(configuration: configuration).write { db in
    try db.execute(sql: sql)
    try db.createHistory(of: "book")
    try body(db)
  }
}

/// `insert 1 Emma`
func entries(_ db: Database, _ columns: String = "id, title", of table: String = "book")
  throws -> [String]
{
  try Row.fetchAll(
    db, sql: "SELECT historyOperation, \(columns) FROM \"\(table)_history\" ORDER BY historyId"
  ).map { row in
    row.databaseValues.map { $0.storage.value.map { "\($0)" } ?? "-" }.joined(separator: " ")
  }
}

func message(_ body: () throws -> Void) -> String? { databaseError(body)?.message }
