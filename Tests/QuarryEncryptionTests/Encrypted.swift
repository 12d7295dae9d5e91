import Foundation
import Quarry
import QuarryEncryption

/// A configuration whose connections use a passphrase, and then execute some SQL.
func configuration(_ passphrase: String, _ sql: String = "") -> Configuration {
  var configuration = Configuration()
  configuration.prepareDatabase { db in
    try db.usePassphrase(passphrase)
    try db.execute(sql: sql)
  }
  return configuration
}

/// Creates a table with two books, and closes the connection.
func writeBooks(_ database: some DatabaseWriter) throws {
  try database.write { db in
    try db.execute(
      sql: """
        CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL);
        INSERT INTO book (title) VALUES ('Moby-Dick'), ('Emma');
        """)
  }
  try database.close()
}

/// Creates a table of many books, closes the connection, and overwrites the last page of the file.
func writeDamagedBooks(_ queue: DatabaseQueue) throws {
  try queue.write { db in
    try db.execute(
      sql: """
        CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT);
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
          INSERT INTO book (title) SELECT 'Volume ' || i FROM n;
        """)
  }
  try queue.close()
  let url = URL(fileURLWithPath: queue.path)
  var content = try Data(contentsOf: url)
  content.replaceSubrange(content.count - 4096..<content.count, with: Data(count: 4096))
  try content.write(to: url)
}

/// The titles in a file.
func titles(_ path: String, _ configuration: Configuration = Configuration()) throws -> [String] {
  let queue = try DatabaseQueue(path: path, configuration: configuration)
  defer { try? queue.close() }
  return try queue.read(fetchTitles)
}

func fetchTitles(_ db: Database) throws -> [String] {
  try String.fetchAll(db, sql: "SELECT title FROM book ORDER BY id")
}

/// Whether one of the files of a database has the text.
func files(of path: String, contain text: String) throws -> Bool {
  try ["", "-wal", "-journal"].contains { suffix in
    guard FileManager.default.fileExists(atPath: path + suffix) else { return false }
    let content = try Data(contentsOf: URL(fileURLWithPath: path + suffix))
    return content.range(of: Data(text.utf8)) != nil
  }
}

/// Whether a condition comes true within ten seconds.
func eventually(_ condition: () -> Bool) -> Bool {
  for _ in 1...1000 where !condition() { Thread.sleep(forTimeInterval: 0.01) }
  return condition()
}
