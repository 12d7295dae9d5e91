import Foundation
import QuarryTestSupport
import Testing

@testable import Quarry

/// Sessions of SQLite record changes with the preupdate hook, of which a connection has one.
@Suite(.serialized) struct SessionTests {
  private static let setUp = """
    CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT);
    CREATE TABLE shelf (code TEXT PRIMARY KEY, label TEXT) WITHOUT ROWID;
    """

  private func queue(usesPreUpdateHook: Bool) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.usesPreUpdateHook = usesPreUpdateHook
    let queue = try DatabaseQueue(configuration: configuration)
    try queue.write { db in try db.execute(sql: Self.setUp) }
    return queue
  }

  private func observe(
    _ table: String, in queue: DatabaseQueue, _ log: Log<String>
  ) -> AnyDatabaseCancellable {
    DatabaseRegionObservation(tracking: Table(table)).start(in: queue) {
      Issue.record($0)
    } onChange: { _ in
      log.append(table)
    }
  }

  private static let changes = """
    INSERT INTO book VALUES (1, 'A'), (2, 'B');
    UPDATE book SET title = 'C' WHERE id = 2;
    INSERT INTO shelf VALUES ('x', 'Poetry');
    """

  @Test(.needs(.sessions), arguments: [false, true])
  func `a session records all, and observations notice all`(isObserved: Bool) throws {
    let queue = try queue(usesPreUpdateHook: false)
    let log = Log<String>()
    let observations = isObserved ? ["book", "shelf"].map { observe($0, in: queue, log) } : []
    defer { for observation in observations { observation.cancel() } }
    let changeset = try queue.writeWithoutTransaction { db in
      let session = try Session(db)
      try db.execute(sql: Self.changes)
      return try session.changeset()
    }
    #expect(log.elements == (isObserved ? ["book", "book", "shelf"] : []))
    let copy = try self.queue(usesPreUpdateHook: true)
    try copy.write { db in
      try Session.apply(changeset, to: db)
      #expect(try String.fetchAll(db, sql: "SELECT title FROM book ORDER BY id") == ["A", "C"])
      #expect(try String.fetchAll(db, sql: "SELECT label FROM shelf") == ["Poetry"])
    }
  }

  /// Found by the model of regions.
  @Test func `what FAIL leaves is noticed without the preupdate hook`() throws {
    let queue = try queue(usesPreUpdateHook: false)
    try queue.write { db in
      try db.execute(
        sql: """
          CREATE UNIQUE INDEX label ON shelf (label);
          INSERT INTO shelf VALUES ('x', 'Poetry'), ('y', 'Prose');
          """)
    }
    let log = Log<String>()
    let observation = observe("shelf", in: queue, log)
    defer { observation.cancel() }
    try queue.write { db in
      let error = databaseError { try db.execute(sql: "UPDATE OR FAIL shelf SET label = 'New'") }
      #expect(error?.resultCode == .SQLITE_CONSTRAINT)
      let labels = try String.fetchAll(db, sql: "SELECT label FROM shelf ORDER BY code")
      #expect(labels == ["New", "Prose"])
    }
    #expect(log.elements == ["shelf"])
  }

  @Test(.needs(.sessions))
  func `changes that are applied are notified when the application reports them`() throws {
    let source = try queue(usesPreUpdateHook: true)
    let changeset = try source.writeWithoutTransaction { db in
      let session = try Session(db)
      try db.execute(sql: Self.changes)
      return try session.changeset()
    }
    let queue = try queue(usesPreUpdateHook: true)
    let log = Log<String>()
    let observation = observe("book", in: queue, log)
    defer { observation.cancel() }
    try queue.write { db in
      try Session.apply(changeset, to: db)
      try db.notifyChanges(in: .fullDatabase)
    }
    #expect(log.elements == ["book"])
  }

  @Test(.needs(.sessions))
  func `a statement that is observed is refused where the application has the hook`() throws {
    let queue = try queue(usesPreUpdateHook: true)
    let log = Log<String>()
    let observation = observe("book", in: queue, log)
    defer { observation.cancel() }
    try queue.writeWithoutTransaction { db in
      let session = try Session(db)
      // Nobody observes it.
      try db.execute(sql: "INSERT INTO shelf VALUES ('x', 'Poetry')")
      try #expect(!session.changeset().isEmpty)
      for _ in 0..<2 {
        let session = try Session(db)
        let error = try #require(
          databaseError { try db.execute(sql: "INSERT INTO book VALUES (1, 'A')") })
        #expect(error.resultCode == .SQLITE_MISUSE)
        #expect(error.sql == "INSERT INTO book VALUES (1, 'A')")
        #expect(error.message?.contains("configuration.usesPreUpdateHook = false") == true)
        withExtendedLifetime(session) {}
      }
      #expect(try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM book") == 0)
    }
    #expect(log.elements == [])
    // The hook is free.
    try queue.write { db in try db.execute(sql: "INSERT INTO book VALUES (1, 'A')") }
    #expect(log.elements == ["book"])
  }

  @Test(.needs(.sessions)) func `a query that may write is refused, too`() throws {
    let queue = try queue(usesPreUpdateHook: true)
    let log = Log<String>()
    let observation = observe("book", in: queue, log)
    defer { observation.cancel() }
    try queue.writeWithoutTransaction { db in
      let session = try Session(db)
      let error = databaseError { try Row.fetchAll(db, sql: "SELECT abs(1)") }
      #expect(error?.resultCode == .SQLITE_MISUSE)
      withExtendedLifetime(session) {}
      #expect(try Int.fetchOne(db, sql: "SELECT abs(-1)") == 1)
    }
  }
}
