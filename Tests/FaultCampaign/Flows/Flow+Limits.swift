import Foundation
import Quarry
import QuarryAccess

/// Far away: on a busy machine too.
private var later: ContinuousClock.Instant { .now + .seconds(3600) }

/// A statement without end, which only a deadline stops. It neither reads nor allocates meanwhile,
/// so that the faults of a run can be counted.
private let endlessSQL =
  "SELECT count(*) FROM " + (1...40).map { "author AS a\($0)" }.joined(separator: ", ")

extension Flow {
  /// Accesses that are repeated where they meet a lock: one that is there once must not be seen.
  static let retries = Flow(
    name: "retries", toleratesLocks: true,
    run: { course in
      let retry = RetryPolicy.whenLocked(tries: 3, pause: .zero)
      course.step("write") {
        try course.commit(1, by: { try $0.write(retry: retry, $1) })
      }
      course.step("write with a deadline") {
        try course.commit(2, by: { try $0.write(retry: retry, deadline: later, $1) })
      }
      for _ in 1...2 {
        course.step("read") {
          let count = try course.database.read(retry: retry) { db in
            course.closureDidRun()
            return try Author.fetchCount(db)
          }
          course.closureDidReturn()
          course.expectSame("authors", count)
        }
      }
      course.step("asynchronous write") {
        try course.commitInTask(3) { writer, body in
          try await writer.write(retry: retry, deadline: later, body)
        }
      }
      course.step("asynchronous read") {
        let database = try course.database
        let count = try course.waitForTask {
          try await database.read(retry: retry, deadline: later) { db in
            try Author.fetchCount(db)
          }
        }
        course.expectSame("authors", count)
      }
      course.step("last write") {
        try course.commit(4, by: { try $0.write(retry: retry, deadline: later, $1) })
      }
    })

  /// Deadlines that pass, and others. A transaction that is late is undone, whatever else fails.
  static let deadlines = Flow(
    name: "deadlines",
    run: { course in
      course.step("write in time") {
        try course.commit(1, by: { try $0.write(deadline: later, $1) })
      }
      course.step("read in time") {
        try course.expectSame(
          "authors", course.database.read(deadline: later) { db in try Author.fetchCount(db) })
      }
      course.step("late read") {
        try course.expectLate {
          try course.database.read(deadline: .now + .milliseconds(20)) { db in
            _ = try Author.fetchCount(db)
            _ = try Int.fetchOne(db, sql: endlessSQL)
          }
        }
      }
      for (number, catches) in [(2, false), (3, true)] {
        course.step("late write") {
          course.ledger.begin(number, entryCount: 5)
          course.ledger.undo(number)
          try course.expectLate {
            try course.database.write(deadline: .now + .milliseconds(20)) { db in
              for var entry in Ledger.entries(number, count: 5) { try entry.insert(db) }
              do {
                _ = try Int.fetchOne(db, sql: endlessSQL)
              } catch let error as DatabaseError where catches && error.accessLimit == .deadline {
                // The transaction is undone nevertheless.
              }
            }
          }
        }
      }
      course.step("asynchronous write in time") {
        try course.commitInTask(4) { writer, body in
          try await writer.write(deadline: later, body)
        }
      }
      course.step("last write") { try course.commit(5) }
    })
}

extension Course {
  /// Runs an access, which must end because of its deadline. Its error is none of the flow's.
  fileprivate func expectLate(_ access: () throws -> Void) throws {
    do {
      try access()
      expect(false, "an access without end has returned before its deadline")
    } catch let error as DatabaseError where error.accessLimit == .deadline {
      let isExpected = [.SQLITE_INTERRUPT, .SQLITE_BUSY].contains(error.resultCode)
      expect(isExpected, "the deadline has another code: \(error)")
    }
  }

  /// Writes a transaction by an access that may repeat its closure.
  fileprivate func commit(
    _ number: Int,
    by access: (any DatabaseWriter, (Database) throws -> Void) throws -> Void
  ) throws {
    ledger.begin(number, entryCount: 5)
    try access(database) { db in
      closureDidRun()
      for var entry in Ledger.entries(number, count: 5) { try entry.insert(db) }
    }
    closureDidReturn()
    ledger.acknowledge(number)
  }

  fileprivate func commitInTask(
    _ number: Int,
    by access:
      @escaping @Sendable (
        any DatabaseWriter, @escaping @Sendable (Database) throws -> Void
      ) async throws -> Void
  ) throws {
    ledger.begin(number, entryCount: 4)
    let database = try database
    try waitForTask {
      try await access(database) { db in
        for var entry in Ledger.entries(number, count: 4) { try entry.insert(db) }
      }
    }
    ledger.acknowledge(number)
  }
}
