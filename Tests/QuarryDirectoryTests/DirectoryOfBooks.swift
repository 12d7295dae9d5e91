import Quarry
import QuarryDirectory
import QuarryTestSupport

/// A directory of databases with a table `book` that has one column, `title`.
func makeDirectory(
  _ folder: String, _ options: DirectoryOptions = DirectoryOptions(), opened: Log<String>? = nil
) throws -> DatabaseDirectory<DatabaseQueue> {
  try DatabaseDirectory(path: folder, options: options, migrator: bookMigrator) { key, path in
    opened?.append(key)
    return try DatabaseQueue(path: path)
  }
}

let bookMigrator: DatabaseMigrator = {
  var migrator = DatabaseMigrator()
  migrator.registerMigration("book") { db in
    try db.execute(sql: "CREATE TABLE book (title TEXT NOT NULL)")
  }
  return migrator
}()

func addBook(_ title: String) -> @Sendable (Database) throws -> Void {
  { db in try db.execute(sql: "INSERT INTO book VALUES (?)", arguments: [title]) }
}

func titles(_ db: Database) throws -> [String] {
  try String.fetchAll(db, sql: "SELECT title FROM book ORDER BY rowid")
}

extension DirectoryOptions {
  static func limit(_ limit: Int, creates: Bool = true) -> DirectoryOptions {
    var options = DirectoryOptions()
    options.limit = limit
    options.createsMissing = creates
    // Tests run on busy machines: what waits for nothing but time has an option of its own.
    options.waitDuration = .seconds(600)
    options.idleDuration = nil
    return options
  }
}

/// Waits for what happens soon, for ten minutes at most.
func eventually(_ condition: () throws -> Bool) async throws -> Bool {
  for _ in 0..<60_000 {
    if try condition() { return true }
    try await Task.sleep(for: .milliseconds(10))
  }
  return false
}

/// A fault that a test makes.
struct Fault: Error, Equatable {
  var name = ""
}
