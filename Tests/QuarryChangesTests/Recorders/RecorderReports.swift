import Quarry
import QuarryChanges
import QuarryTestSupport

/// What recorders have reported.
final class RecorderReports: Sendable {
  private let content = Locked<[String]>([])
  var texts: [String] { content.withLock { $0 } }

  func add(_ text: String) { content.withLock { $0.append(text) } }

  func add(_ changeset: Changeset) {
    add(changeset.changes.map(\.description).sorted().joined(separator: ", "))
  }

  func take() -> [String] {
    content.withLock { texts in
      defer { texts = [] }
      return texts
    }
  }

  /// A recorder that reports here.
  func record(_ writer: some DatabaseWriter, _ tables: [String]? = nil) throws -> ChangeRecorder {
    try ChangeRecorder(writer, tables: tables) { [self] changeset, _ in add(changeset) }
  }
}

func makeRecordedDatabase(_ sql: String = "") throws -> AnyDatabaseWriter {
  let writer = try makeEmptyDatabase()
  try writer.write { db in
    try db.execute(
      sql: """
        CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
        CREATE TABLE book (
          id INTEGER PRIMARY KEY, title TEXT,
          authorId INTEGER REFERENCES author DEFERRABLE INITIALLY DEFERRED);
        CREATE TABLE note (text);
        \(sql)
        """)
  }
  return writer
}
