import Foundation
import Quarry
import QuarryTestSupport
import Testing

/// An interruption lasts while a statement runs: a cursor that is kept, or one that a full-text
/// table keeps running until the end of the transaction that has written to it.
struct InterruptedTransactionTests {
  enum Running: CaseIterable {
    case cursor, fullText

    /// FTS5 of SQLite 3.53 keeps none.
    static let ofLibrary =
      SQLiteFeature.fullText.isAvailable && SQLiteBuild.version < 3_053_000 ? allCases : [.cursor]
  }

  private final class Pages: @unchecked Sendable {
    let queue: DatabaseQueue
    private let running: Running?
    private var cursor: RowCursor?

    /// - parameter running: what keeps a statement running after an insertion.
    init(_ running: Running?) throws {
      self.running = running
      queue = try DatabaseQueue()
      try queue.write { db in
        try db.execute(
          sql: """
            CREATE \(running == .fullText ? "VIRTUAL TABLE page USING fts5(body)" : "TABLE page (body)");
            INSERT INTO page VALUES ('kept');
            """)
      }
    }

    func insert(_ db: Database, _ body: String) throws {
      try db.execute(sql: "INSERT INTO page VALUES (?)", arguments: [body])
      guard running == .cursor else { return }
      cursor = try Row.fetchCursor(db, sql: "SELECT 1 UNION ALL SELECT 2")
      _ = try cursor?.next()
    }

    func expectUsable(_ bodies: [String] = ["kept"]) throws {
      cursor = nil
      #expect(!queue.inDatabase(\.isInsideTransaction))
      #expect(
        try queue.read { db in try String.fetchAll(db, sql: "SELECT body FROM page") } == bodies)
      if running == .fullText { #expect(try found("lost") == []) }
      try queue.write { db in try insert(db, "later") }
      if running == .fullText { #expect(try found("later") == ["later"]) }
    }

    private func found(_ word: String) throws -> [String] {
      try queue.read { db in
        try String.fetchAll(db, sql: "SELECT body FROM page WHERE page MATCH ?", arguments: [word])
      }
    }
  }

  @Test(arguments: Running.ofLibrary)
  func `a write that is interrupted before its commit is undone`(running: Running) throws {
    let pages = try Pages(running)
    let error = databaseError {
      try pages.queue.write { db in
        try pages.insert(db, "lost")
        pages.queue.interrupt()
      }
    }
    #expect(error?.resultCode == .SQLITE_INTERRUPT)
    try pages.expectUsable()
  }

  @Test(arguments: Running.ofLibrary)
  func `a statement after the interruption throws, and the next one is executed`(
    running: Running
  ) throws {
    let pages = try Pages(running)
    try pages.queue.write { db in
      try pages.insert(db, "more")
      pages.queue.interrupt()
      #expect(
        databaseError { try Int.fetchOne(db, sql: "SELECT 1") }?.resultCode == .SQLITE_INTERRUPT)
      #expect(try Int.fetchOne(db, sql: "SELECT 1") == 1)
      try pages.insert(db, "again")
    }
    try pages.expectUsable(["kept", "more", "again"])
  }

  @Test(arguments: Running.ofLibrary)
  func `an interrupted transaction is rolled back`(running: Running) throws {
    let pages = try Pages(running)
    try pages.queue.inTransaction { db in
      try pages.insert(db, "lost")
      pages.queue.interrupt()
      return .rollback
    }
    try pages.expectUsable()
  }

  @Test(arguments: Running.ofLibrary)
  func `an interrupted savepoint is rolled back, and its transaction is not`(
    running: Running
  ) throws {
    let pages = try Pages(running)
    try pages.queue.write { db in
      try pages.insert(db, "more")
      try db.inSavepoint {
        try pages.insert(db, "lost")
        pages.queue.interrupt()
        return .rollback
      }
    }
    try pages.expectUsable(["kept", "more"])
  }

  @Test(arguments: Running.ofLibrary)
  func `a savepoint whose release is interrupted is rolled back`(running: Running) throws {
    let pages = try Pages(running)
    try pages.queue.write { db in
      try pages.insert(db, "more")
      let error = databaseError {
        try db.inSavepoint {
          try pages.insert(db, "lost")
          pages.queue.interrupt()
          return .commit
        }
      }
      #expect(error?.resultCode == .SQLITE_INTERRUPT)
    }
    try pages.expectUsable(["kept", "more"])
  }

  @Test(arguments: Running.ofLibrary)
  func `a transaction that is left is rolled back`(running: Running) throws {
    let pages = try Pages(running)
    let error = databaseError {
      try pages.queue.inDatabase { db in
        try db.beginTransaction()
        try pages.insert(db, "lost")
        pages.queue.interrupt()
      }
    }
    #expect(error?.resultCode == .SQLITE_MISUSE)
    try pages.expectUsable()
  }

  @Test(arguments: Running.ofLibrary)
  func `a cancelled task writes nothing, and the connection goes on`(running: Running) async throws
  {
    let pages = try Pages(running)
    let task = Task {
      try await pages.queue.write { db in
        try pages.insert(db, "lost")
        withUnsafeCurrentTask { $0?.cancel() }
      }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    try pages.expectUsable()
  }

  @Test func `between statements, an interruption has no effect`() throws {
    let pages = try Pages(nil)
    try pages.queue.write { db in
      try pages.insert(db, "more")
      pages.queue.interrupt()
    }
    try pages.expectUsable(["kept", "more"])
  }

  @Test(.needs(.fullText))
  func `a write to a full-text table is committed, or undone and the error thrown`() throws {
    let pages = try Pages(.fullText)
    let error = databaseError {
      try pages.queue.write { db in
        try pages.insert(db, "more")
        pages.queue.interrupt()
      }
    }
    #expect(error?.resultCode == (SQLiteBuild.version < 3_053_000 ? .SQLITE_INTERRUPT : nil))
    try pages.expectUsable(error == nil ? ["kept", "more"] : ["kept"])
  }
}
