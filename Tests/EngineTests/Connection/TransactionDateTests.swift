import Foundation
import Quarry
import QuarryTestSupport
import Testing

@Suite("Transaction date")
struct TransactionDateTests {
  /// A clock that goes one second further each time it is asked.
  private final class Clock: @unchecked Sendable {
    private let lock = NSLock()
    private var now = Date(timeIntervalSince1970: 1000)

    var configuration: Configuration {
      var configuration = Configuration()
      configuration.transactionClock = .custom { _ in self.tick() }
      return configuration
    }

    @discardableResult func tick() -> Date {
      lock.withLock {
        now += 1
        return now
      }
    }
  }

  @Test func `the date is constant in a transaction`() throws {
    let queue = try DatabaseQueue(configuration: Clock().configuration)
    try queue.write { db throws in
      let date = try db.transactionDate
      #expect(try db.transactionDate == date)
      try db.inSavepoint { () throws in
        #expect(try db.transactionDate == date)
        return .commit
      }
      #expect(try db.transactionDate == date)
    }
  }

  @Test func `the date is the one of the beginning of the transaction`() throws {
    let clock = Clock()
    let queue = try DatabaseQueue(configuration: clock.configuration)
    try queue.write { db throws in
      let later = clock.tick()
      #expect(try db.transactionDate < later)
    }
  }

  @Test(arguments: [
    "BEGIN; COMMIT", "BEGIN; ROLLBACK", "SAVEPOINT a; RELEASE a",
    "BEGIN IMMEDIATE; SAVEPOINT a; ROLLBACK TO a; RELEASE a; COMMIT",
  ])
  func `each transaction has its own date`(sql: String) throws {
    let statements = sql.components(separatedBy: "; ")
    let queue = try DatabaseQueue(configuration: Clock().configuration)
    try queue.inDatabase { db throws in
      var dates: Set<Date> = []
      for _ in 1...3 {
        var date: Date?
        for statement in statements.dropLast() {
          try db.execute(sql: statement)
          #expect(try date == nil || date == db.transactionDate)
          date = try db.transactionDate
        }
        try db.execute(sql: statements[statements.count - 1])
        if let date { dates.insert(date) }
      }
      #expect(dates.count == 3)
    }
  }

  @Test func `outside of a transaction, the date is the current one`() throws {
    let queue = try DatabaseQueue(configuration: Clock().configuration)
    try queue.inDatabase { db throws in
      let date = try db.transactionDate
      #expect(try db.transactionDate > date)
    }
  }

  @Test func `the default clock returns the current date`() throws {
    let queue = try DatabaseQueue()
    let start = Date()
    let date = try queue.write { db in try db.transactionDate }
    #expect(date >= start)
    #expect(date <= Date())
    #expect(try queue.inDatabase { db in try db.transactionDate } >= date)
  }

  @Test func `a clock that throws makes the date throw, not the transaction`() throws {
    struct Failure: Error {}
    var configuration = Configuration()
    configuration.transactionClock = .custom { _ in throw Failure() }
    let queue = try DatabaseQueue(configuration: configuration)
    try queue.write { db throws in
      #expect(throws: Failure.self) { try db.transactionDate }
      #expect(throws: Failure.self) { try db.transactionDate }
    }
    try queue.inDatabase { db throws -> Void in
      #expect(throws: Failure.self) { try db.transactionDate }
    }
  }
}
