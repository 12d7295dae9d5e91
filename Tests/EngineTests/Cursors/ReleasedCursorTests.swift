import Quarry
import QuarryTestSupport
import Testing

/// Cursors that are released in the middle of the rows of a statement that fails at its end: who
/// throws the error.
struct ReleasedCursorTests {
  private struct Loan: Codable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "loan"
    var book: String
    var memberId: Int?
  }

  private static func makeLoans() throws -> DatabaseQueue {
    let queue = try DatabaseQueue()
    try queue.write { db in
      try db.execute(
        sql: """
          CREATE TABLE member (id INTEGER PRIMARY KEY);
          CREATE TABLE loan (
            book TEXT, memberId INTEGER REFERENCES member(id) DEFERRABLE INITIALLY DEFERRED)
          """)
    }
    return queue
  }

  private static func releaseCursor(_ db: Database, before end: () -> Void = {}) throws {
    let cursor = try String.fetchCursor(
      db, sql: "INSERT INTO loan VALUES ('Maps', 1), ('Tides', 1) RETURNING book")
    #expect(try cursor.next() == "Maps")
    withExtendedLifetime(cursor) { end() }
  }

  private static func books(_ queue: DatabaseQueue) throws -> [String] {
    try queue.read { db in try String.fetchAll(db, sql: "SELECT book FROM loan ORDER BY book") }
  }

  enum Writing: CaseIterable {
    case statement, transaction, savepoint, insertion, transactionBlock, savepointBlock
    case insertionInBlock, observer

    func insertFerns(_ db: Database) throws {
      let insertion = "INSERT INTO loan (book) VALUES ('Ferns')"
      switch self {
      case .statement: try db.execute(sql: insertion)
      case .transaction: try db.execute(sql: "BEGIN; \(insertion); COMMIT")
      case .savepoint: try db.execute(sql: "SAVEPOINT shelf; \(insertion); RELEASE shelf")
      case .insertion: #expect(try Loan(book: "Ferns").insertAndFetch(db).book == "Ferns")
      case .transactionBlock: try db.inTransaction { try Self.statement.committing(db) }
      case .savepointBlock: try db.inSavepoint { try Self.statement.committing(db) }
      case .insertionInBlock: try db.inTransaction { try Self.insertion.committing(db) }
      case .observer:
        db.afterNextTransaction { db in
          #expect(throws: Never.self) { try Self.transactionBlock.insertFerns(db) }
        }
        try db.execute(sql: "DELETE FROM loan")
      }
    }

    private func committing(_ db: Database) throws -> Database.TransactionCompletion {
      try insertFerns(db)
      return .commit
    }
  }

  @Test(arguments: Writing.allCases)
  func `outside of transactions, the access throws, and what follows is committed`(
    writing: Writing
  ) throws {
    let queue = try Self.makeLoans()
    let error = databaseError {
      try queue.writeWithoutTransaction { db in
        try Self.releaseCursor(db)
        try writing.insertFerns(db)
        #expect(!db.isInsideTransaction)
      }
    }
    #expect(error?.extendedResultCode == .SQLITE_CONSTRAINT_FOREIGNKEY)
    #expect(try Self.books(queue) == ["Ferns"])
  }

  @Test(arguments: [false, true])
  func `the insertion of a record throws the error of the cursor that it was fetched from`(
    hasEarlierError: Bool
  ) throws {
    let queue = try Self.makeLoans()
    let error = databaseError {
      try queue.writeWithoutTransaction { db in
        if hasEarlierError { try Self.releaseCursor(db) }
        let error = databaseError {
          let loan = Loan(book: "Ferns", memberId: 2)
          _ = try loan.insertAndFetch(db, selection: [Column("book")]) { statement in
            try String.fetchCursor(statement).next()
          }
        }
        #expect(error?.sql?.hasPrefix(#"INSERT INTO "loan""#) == true)
      }
    }
    #expect(error?.sql?.hasPrefix("INSERT INTO loan") == (hasEarlierError ? true : nil))
    #expect(try Self.books(queue) == [])
  }

  @Test func `a cursor that an observer releases fails the access, and not the observed insertion`()
    throws
  {
    let queue = try Self.makeLoans()
    var isInserted = false
    let error = databaseError {
      try queue.writeWithoutTransaction { db in
        db.afterNextTransaction { db in
          #expect(throws: Never.self) { try Self.releaseCursor(db) }
        }
        try Writing.insertion.insertFerns(db)
        isInserted = true
      }
    }
    #expect(isInserted)
    #expect(error?.extendedResultCode == .SQLITE_CONSTRAINT_FOREIGNKEY)
    #expect(try Self.books(queue) == ["Ferns"])
  }

  @Test func `an interruption that ends a transaction leaves the next one alone`() throws {
    let queue = try Self.makeLoans()
    let error = databaseError {
      try queue.writeWithoutTransaction { db in
        try db.beginTransaction()
        try Self.releaseCursor(db) { queue.interrupt() }
        #expect(!db.isInsideTransaction)
        try Writing.transactionBlock.insertFerns(db)
      }
    }
    #expect(error?.resultCode == .SQLITE_INTERRUPT)
    #expect(try Self.books(queue) == ["Ferns"])
  }
}
