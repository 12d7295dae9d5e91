import Foundation
import QuarryTestSupport
import Testing

@testable import Quarry
@testable import QuarryChanges

/// Commits of other connections that are looked for from time to time.
@Suite struct PollingTests {
  private let log = ValueRecorder<String>()
  private let report = Report<Int>()
  private let clock = ManualClock()

  @Test(arguments: ConnectionKind.queueAndPool)
  func `commits of other connections are noticed by polling`(kind: ConnectionKind) async throws {
    try await kind.withShop { writer async throws in
      let errors = ValueRecorder<any Error>()
      let polling = writer.notifyChangesOfOtherConnections(
        every: .seconds(1), clock: clock, onError: { errors.append($0) })
      _ = try await clock.delays(1)
      let cancellable = authorCount.logging(to: log).record(in: writer, into: report)
      try await log.wait { $0.count == 4 }
      clock.advance(by: .seconds(1))
      _ = try await clock.delays(2)
      #expect(log.elements.count == 4)
      try writer.run("INSERT INTO note VALUES ('a')")
      clock.advance(by: .seconds(1))
      _ = try await clock.delays(3)
      #expect(log.elements.count == 4)
      let other = try DatabaseQueue(path: writer.path)
      try other.run("INSERT INTO author DEFAULT VALUES")
      clock.advance(by: .seconds(1))
      #expect(try await report.values.first(2) == [0, 1])
      #expect(errors.elements.isEmpty)
      polling.cancel()
      cancellable.cancel()
    }
  }

  @Test func `commits to attached databases are noticed by polling`() async throws {
    try await ConnectionKind.queue.withShop { writer async throws in
      let archive = try DatabaseQueue(path: writer.path + "-archive")
      try archive.run("CREATE TABLE film (title TEXT)")
      try writer.accessNow { db in
        try db.execute(sql: "ATTACH ? AS archive", arguments: [archive.path])
      }
      let polling = writer.notifyChangesOfOtherConnections(
        every: .seconds(1), clock: clock, onError: { _ in })
      _ = try await clock.delays(1)
      let films = ValueObservation.tracking { db in try db.count("film") }
      let cancellable = try await films.recordCommits(in: writer, into: report)
      try archive.run("INSERT INTO film VALUES ('Sea')")
      clock.advance(by: .seconds(1))
      #expect(try await report.values.first(2) == [0, 1])
      polling.cancel()
      cancellable.cancel()
    }
  }

  @Test func `an attached database that is locked does not hide other commits`() throws {
    try withShop(.queue) { writer throws in
      let other = try DatabaseQueue(path: writer.path)
      let archive = try DatabaseQueue(path: writer.path + "-archive")
      try archive.run("CREATE TABLE film (title TEXT)")
      let commits = OtherCommits()
      let look: (Database) throws -> Void = { db in try commits.notify(db) }
      let lookBesideLock: (Database) throws -> Void = { db in
        // Nothing is known of the schemas.
        db.clearSchemaCache()
        try archive.writeWithoutTransaction { archive in
          try archive.execute(sql: "BEGIN EXCLUSIVE")
          let error = databaseError { try commits.notify(db) }
          #expect(error?.resultCode == .SQLITE_BUSY)
          try archive.execute(sql: "ROLLBACK")
        }
      }
      try writer.writeWithoutTransaction { db in
        try db.execute(sql: "ATTACH ? AS archive", arguments: [archive.path])
        try look(db)
        try other.run("INSERT INTO author DEFAULT VALUES")
        let looks = [lookBesideLock, lookBesideLock]
        #expect(try notifications(Table("author"), in: db, of: looks) == [1, 0])
        try archive.run("INSERT INTO film VALUES ('Sea')")
        let laterLooks = [lookBesideLock, look, look]
        #expect(try notifications(Table("film"), in: db, of: laterLooks) == [0, 1, 0])
      }
    }
  }

  @Test(arguments: [false, true])
  func `commits to attached databases are noticed once the main one can be read`(
    knowsSchema: Bool
  ) throws {
    try withShop(.queue) { writer throws in
      let other = try DatabaseQueue(path: writer.path)
      let archive = try DatabaseQueue(path: writer.path + "-archive")
      try archive.run("CREATE TABLE film (title TEXT)")
      let commits = OtherCommits()
      let look: (Database) throws -> Void = { db in try commits.notify(db) }
      let lookBesideLock: (Database) throws -> Void = { db in
        if !knowsSchema { db.clearSchemaCache() }
        try other.writeWithoutTransaction { other in
          try other.execute(sql: "BEGIN EXCLUSIVE")
          let error = databaseError { try commits.notify(db) }
          #expect(error?.resultCode == .SQLITE_BUSY)
          try other.execute(sql: "ROLLBACK")
        }
      }
      try writer.writeWithoutTransaction { db in
        try db.execute(sql: "ATTACH ? AS archive", arguments: [archive.path])
        try look(db)
        try archive.run("INSERT INTO film VALUES ('Sea')")
        let looks = [lookBesideLock, lookBesideLock, look]
        #expect(try notifications(Table("film"), in: db, of: looks) == [0, 0, 1])
      }
    }
  }

  @Test func `polling of a wrapped writer lasts as long as the writer`() async throws {
    let queue = try DatabaseQueue()
    let polling = AnyDatabaseWriter(AnyDatabaseWriter(queue)).notifyChangesOfOtherConnections(
      every: .seconds(1), clock: clock, onError: { _ in })
    _ = try await clock.delays(1)
    clock.advance(by: .seconds(1))
    #expect(try await clock.delays(2) == [.seconds(1), .seconds(1)])
    withExtendedLifetime(queue) {}
    polling.cancel()
  }

  @Test(arguments: ConnectionKind.queueAndPool, [false, true])
  func `polling ends when the database is closed`(
    kind: ConnectionKind, isClosedBefore: Bool
  ) async throws {
    try await kind.withShop { writer async throws in
      let errors = ValueRecorder<any Error>()
      if isClosedBefore { try writer.close() }
      let polling = writer.notifyChangesOfOtherConnections(
        every: .seconds(1), clock: clock, onError: { errors.append($0) })
      _ = try await clock.delays(1)
      if !isClosedBefore { try writer.close() }
      for _ in 1...3 {
        clock.advance(by: .seconds(1))
        await withCheckedContinuation { end in
          writer.asyncWriteWithoutTransaction { _ in end.resume() }
        }
      }
      #expect(try await clock.delays(1) == [.seconds(1)])
      #expect(errors.elements.count == (isClosedBefore ? 1 : 0))
      polling.cancel()
    }
  }

  @Test func `polling does not keep the database alive`() async throws {
    weak var database: AnyObject?
    var polling: AnyDatabaseCancellable?
    do {
      let queue = try DatabaseQueue()
      database = queue
      polling = queue.notifyChangesOfOtherConnections(
        every: .seconds(1), clock: clock, onError: { _ in })
      _ = try await clock.delays(1)
    }
    let end = Date() + 600
    while database != nil, Date() < end { await Task.yield() }
    #expect(database == nil)
    clock.advance(by: .seconds(1))
    polling?.cancel()
  }
}
