import CSQLite
import Foundation

/// The same with the C API, by hand.
struct ByHand {
  private let path: String
  private let hasSession: Bool

  init(_ folder: URL, hasSession: Bool) {
    path = folder.appendingPathComponent("c").path
    self.hasSession = hasSession
  }

  private struct Failure: Error { let code: CInt }

  func times(_ count: Int) throws -> [Double] {
    var db: OpaquePointer?
    try check(sqlite3_open(path, &db))
    defer { sqlite3_close(db) }
    try execute(
      """
      PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
      CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT, shelf INTEGER, price REAL)
      """, db)
    let insertion = try write("INSERT INTO book VALUES (?, ?, ?, ?)", db) { statement in
      for id in 1...count {
        sqlite3_bind_int64(statement, 1, Int64(id))
        let title = "Book number \(id)"
        try check(quarry_bind_text_copy(statement, 2, title, UInt64(title.utf8.count)))
        sqlite3_bind_int64(statement, 3, Int64(id % 100))
        sqlite3_bind_double(statement, 4, 9.5)
        try run(statement)
      }
    }
    let update = try write("UPDATE book SET price = price + 1 WHERE id = ?", db) { statement in
      for id in 1...count {
        sqlite3_bind_int64(statement, 1, Int64(id))
        try run(statement)
      }
    }
    return [insertion, update, 0]
  }

  private func write(
    _ sql: String, _ db: OpaquePointer?, _ body: (OpaquePointer?) throws -> Void
  ) throws -> Double {
    try Recording.milliseconds {
      try execute("BEGIN IMMEDIATE", db)
      var session: OpaquePointer?
      if hasSession {
        try check(quarry_session_create(db, "main", &session))
        try check(quarry_session_attach(session, "book"))
      }
      var statement: OpaquePointer?
      try check(sqlite3_prepare_v2(db, sql, -1, &statement, nil))
      try body(statement)
      sqlite3_finalize(statement)
      if hasSession {
        var count: CInt = 0
        var bytes: UnsafeMutableRawPointer?
        try check(quarry_session_changeset(session, &count, &bytes))
        sqlite3_free(bytes)
        quarry_session_delete(session)
      }
      try execute("COMMIT", db)
    }
  }

  private func run(_ statement: OpaquePointer?) throws {
    let code = sqlite3_step(statement)
    guard code == SQLITE_DONE else { throw Failure(code: code) }
    try check(sqlite3_reset(statement))
  }

  private func execute(_ sql: String, _ db: OpaquePointer?) throws {
    try check(sqlite3_exec(db, sql, nil, nil, nil))
  }

  private func check(_ code: CInt) throws {
    guard code == SQLITE_OK else { throw Failure(code: code) }
  }
}
