import Foundation
import QuarryTestSupport
import Testing

@testable import Quarry

/// Operators that delay fetches, leave values out, and start again.
@Suite struct ValueBeyondTests {
  private let log = ValueRecorder<String>()
  private let report = Report<Int>()
  private let clock = ManualClock()

  private func observation(isConstant: Bool) -> ValueObservation<ValueReducers.Fetch<Int>> {
    var observation = isConstant ? constantAuthorCount : authorCount
    observation.clock = clock
    return observation
  }

  @Test(arguments: ConnectionKind.queueAndPool, [false, true])
  func `debounce fetches after a pause`(kind: ConnectionKind, isConstant: Bool) async throws {
    try await kind.withShop { writer async throws in
      let cancellable = observation(isConstant: isConstant).debounce(for: .seconds(10))
        .logging(to: log).record(in: writer, into: report)
      try await log.wait { $0.count == 4 }
      log.takeAll()
      try writer.run("INSERT INTO author DEFAULT VALUES")
      #expect(try await clock.delays(1) == [.seconds(10)])
      clock.advance(by: .seconds(6))
      try writer.run("INSERT INTO author DEFAULT VALUES")
      clock.advance(by: .seconds(4))
      #expect(try await clock.delays(2) == [.seconds(10), .seconds(6)])
      #expect(log.elements == ["database did change", "database did change"])
      clock.advance(by: .seconds(6))
      #expect(try await report.values.first(2) == [0, 2])
      #expect(log.elements.filter { $0 == "fetch" }.count == 1)
      cancellable.cancel()
    }
  }

  @Test(arguments: ConnectionKind.queueAndPool, [false, true])
  func `throttle fetches once in a while, and after the last change`(
    kind: ConnectionKind, isConstant: Bool
  ) async throws {
    try await kind.withShop { writer async throws in
      let cancellable = observation(isConstant: isConstant).throttle(for: .seconds(10))
        .logging(to: log).record(in: writer, into: report)
      try await log.wait { $0.count == 4 }
      clock.advance(by: .seconds(20))
      try writer.run("INSERT INTO author DEFAULT VALUES")
      #expect(try await report.values.first(2) == [0, 1])
      for _ in 2...5 { try writer.run("INSERT INTO author DEFAULT VALUES") }
      #expect(try await clock.delays(1) == [.seconds(10)])
      #expect(report.values.elements == [0, 1])
      clock.advance(by: .seconds(10))
      #expect(try await report.values.first(3) == [0, 1, 5])
      cancellable.cancel()
    }
  }

  @Test(arguments: ConnectionKind.queueAndPool)
  func `a region that changes while the fetch is delayed is not missed`(kind: ConnectionKind)
    async throws
  {
    try await kind.withShop { writer async throws in
      var observation = ValueObservation.tracking { db in
        try db.count("note") == 0 ? 0 : try db.count("country")
      }
      observation.clock = clock
      let cancellable = observation.debounce(for: .seconds(1)).logging(to: log)
        .record(in: writer, into: report)
      try await log.wait { $0.count == 4 }
      try writer.run("INSERT INTO note VALUES ('a')")
      try writer.run("INSERT INTO country VALUES ('FR', 'France')")
      _ = try await clock.delays(1)
      clock.advance(by: .seconds(1))
      #expect(try await report.values.first(2) == [0, 1])
      try writer.run("INSERT INTO country VALUES ('IT', 'Italy')")
      _ = try await clock.delays(2)
      clock.advance(by: .seconds(1))
      #expect(try await report.values.first(3) == [0, 1, 2])
      cancellable.cancel()
    }
  }

  @Test(arguments: ConnectionKind.queueAndPool)
  func `the first value is left out`(kind: ConnectionKind) async throws {
    try await kind.withShop { writer async throws in
      let cancellable = authorCount.removeDuplicates().dropInitial().logging(to: log)
        .record(in: writer, into: report)
      try await log.wait { $0.count == 4 }
      try writer.run("INSERT INTO note VALUES ('a')")
      try writer.writeNow { db in try db.notifyChanges(in: Table("author")) }
      try writer.run("INSERT INTO author DEFAULT VALUES")
      #expect(try await report.values.first(1) == [1])
      cancellable.cancel()
    }
  }

  @Test(arguments: ConnectionKind.queueAndPool)
  func `a failing fetch is tried again after a delay`(kind: ConnectionKind) async throws {
    try await kind.withShop { writer async throws in
      var observation = ValueObservation.tracking { db in
        let count = try db.count("author")
        if count == 1 { throw Mishap() }
        return count
      }
      observation.clock = clock
      let failures = ValueRecorder<Int>()
      let cancellable = observation.removeDuplicates()
        .retry { error, count in
          failures.append(count)
          return error is Mishap && count < 3 ? .seconds(count) : nil
        }
        .logging(to: log).record(in: writer, into: report)
      try await log.wait { $0.count == 4 }
      try writer.run("INSERT INTO author DEFAULT VALUES")
      #expect(try await clock.delays(1) == [.seconds(1)])
      clock.advance(by: .seconds(1))
      #expect(try await clock.delays(2) == [.seconds(1), .seconds(2)])
      try writer.run("INSERT INTO author DEFAULT VALUES")
      clock.advance(by: .seconds(2))
      #expect(try await report.values.first(2) == [0, 2])
      log.takeAll()
      try writer.run("DELETE FROM author WHERE id = 2")
      #expect(try await clock.delays(3).last == .seconds(1))
      clock.advance(by: .seconds(1))
      _ = try await clock.delays(4)
      clock.advance(by: .seconds(2))
      try await report.errors.first(1)
      #expect(failures.elements == [1, 2, 1, 2, 3])
      cancellable.cancel()
      #expect(log.elements.last == "failure: Mishap()")
    }
  }

  @Test(arguments: ConnectionKind.queueAndPool)
  func `a start that fails is tried again`(kind: ConnectionKind) async throws {
    try await kind.withDatabase { writer async throws in
      var observation = authorCount
      observation.clock = clock
      let cancellable = observation.retry { _, _ in .seconds(1) }.record(in: writer, into: report)
      _ = try await clock.delays(1)
      try makeShopTables(writer)
      clock.advance(by: .seconds(1))
      #expect(try await report.values.first(1) == [0])
      try writer.run("INSERT INTO author DEFAULT VALUES")
      #expect(try await report.values.first(2) == [0, 1])
      cancellable.cancel()
    }
  }

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

/// How lists change.
@Suite struct ListChangeTests {
  private struct Item: Identifiable, Equatable, Sendable {
    let id: Int
    var name = ""
  }

  @Test func `insertions, removals, moves, and updates`() throws {
    let old = [Item(id: 1), Item(id: 2), Item(id: 3)]
    let new = [Item(id: 3), Item(id: 1, name: "new"), Item(id: 4)]
    let change = ListChange(from: old, to: new)
    #expect(change.elements == new)
    #expect(change.updates == [Item(id: 1, name: "new")])
    #expect(old.map(\.id).applying(ids(change.difference)) == [3, 1, 4])
    let inserted = change.difference.insertions.map(Self.element)
    let removed = change.difference.removals.map(Self.element)
    #expect(inserted.contains { $0.element == Item(id: 4) && !$0.isMove })
    #expect(removed.contains { $0.element == Item(id: 2) && !$0.isMove })
    // Either the first or the last one has moved.
    #expect(inserted.count(where: \.isMove) == 1)
    #expect(removed.count(where: \.isMove) == 1)
  }

  private static func element(
    of change: CollectionDifference<Item>.Change
  ) -> (element: Item, isMove: Bool) {
    switch change {
    case .insert(_, let element, let other), .remove(_, let element, let other):
      (element, other != nil)
    }
  }

  private func ids(_ difference: CollectionDifference<Item>) -> CollectionDifference<Int> {
    CollectionDifference(
      difference.map { change in
        switch change {
        case .insert(let offset, let element, let other):
          .insert(offset: offset, element: element.id, associatedWith: other)
        case .remove(let offset, let element, let other):
          .remove(offset: offset, element: element.id, associatedWith: other)
        }
      }) ?? [].difference(from: [])
  }

  @Test func `equal lists have no change`() {
    let list = [Item(id: 1), Item(id: 2)]
    #expect(ListChange(from: list, to: list).isEmpty)
  }

  @Test(arguments: ConnectionKind.queueAndPool)
  func `an observation reports the changes of a list`(kind: ConnectionKind) async throws {
    try await kind.withShop { writer async throws in
      try writer.run("INSERT INTO author (name) VALUES ('b'), ('c')")
      let report = Report<ListChange<Item>>()
      let observation = ValueObservation.tracking { db in
        try Row.fetchAll(db, sql: "SELECT id, name FROM author ORDER BY name").map { row in
          Item(id: row["id"], name: row["name"])
        }
      }
      let cancellable = observation.differences().record(in: writer, into: report)
      try await report.values.first(1)
      try writer.run("UPDATE author SET name = name")
      try writer.run(
        "INSERT INTO author (name) VALUES ('a'); UPDATE author SET name = 'd' WHERE id = 2")
      let changes = try await report.values.first(2)
      #expect(changes[0].difference.insertions.count == 2)
      #expect(changes[0].updates == [])
      #expect(changes[1].elements.map(\.id) == [3, 1, 2])
      #expect(
        changes[1].difference.insertions == [
          .insert(offset: 0, element: Item(id: 3, name: "a"), associatedWith: nil)
        ])
      #expect(changes[1].difference.removals == [])
      #expect(changes[1].updates == [Item(id: 2, name: "d")])
      cancellable.cancel()
    }
  }
}
