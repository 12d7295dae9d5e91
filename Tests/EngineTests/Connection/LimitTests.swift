import Quarry
import QuarryTestSupport
import Testing

@Suite("Limits")
struct LimitTests {
  private static let limits: [Database.Limit] = [
    .length, .sqlLength, .columnCount, .expressionDepth, .compoundSelectCount, .instructionCount,
    .functionArgumentCount, .attachedDatabaseCount, .patternLength, .statementArgumentCount,
    .triggerDepth,
  ]

  @Test(arguments: limits)
  func `a limit is lowered and raised`(limit: Database.Limit) throws {
    try DatabaseQueue().inDatabase { db in
      let initial = db.limit(limit)
      #expect(initial > 5)
      #expect(db.setLimit(limit, to: 5) == initial)
      #expect(db.setLimit(limit, to: initial) < initial)
      #expect(db.limit(limit) == initial)
    }
  }

  @Test func `limits have names of their own`() {
    #expect(Set(Self.limits + [.workerThreadCount]).count == 12)
    #expect(Database.Limit(rawValue: 0) == .length)
    #expect(Database.Limit.triggerDepth.rawValue == 10)
  }

  @Test func `no limit passes the one of SQLite, or goes below zero`() throws {
    try DatabaseQueue().inDatabase { db in
      let initial = db.limit(.columnCount)
      db.setLimit(.columnCount, to: .max)
      #expect(db.limit(.columnCount) >= initial)
      #expect(db.limit(.columnCount) <= 32767)
      db.setLimit(.workerThreadCount, to: -3)
      #expect(db.limit(.workerThreadCount) == 0)
    }
  }

  @Test func `statements that pass a limit are refused`() throws {
    try DatabaseQueue().inDatabase { db in
      db.setLimit(.sqlLength, to: 20)
      let long = databaseError { try db.execute(sql: "SELECT 1, 2, 3, 4, 5, 6, 7") }
      #expect(long?.resultCode == .SQLITE_TOOBIG)
      db.setLimit(.sqlLength, to: 100)
      db.setLimit(.statementArgumentCount, to: 2)
      #expect(db.maximumStatementArgumentCount == 2)
      let error = databaseError { try db.execute(sql: "SELECT ?, ?, ?", arguments: [1, 2, 3]) }
      #expect(error?.message == "too many SQL variables")
    }
  }

  @Test func `there is no limit that SQLite does not know, nor on a closed connection`() throws {
    let queue = try DatabaseQueue()
    queue.inDatabase { db in
      #expect(db.limit(Database.Limit(rawValue: 99)) == 0)
      #expect(db.setLimit(Database.Limit(rawValue: 99), to: 5) == 0)
    }
    try queue.close()
    queue.inDatabase { db in
      #expect(db.limit(.length) == 0)
      #expect(db.setLimit(.length, to: 5) == 0)
    }
  }
}
