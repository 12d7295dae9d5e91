import Quarry
import QuarryTestSupport
import Testing

@Suite struct ObservationExtentTests {
  @Test func `observers are not kept by default`() throws {
    try withShop { db throws in
      weak var released: EventLog?
      do {
        let log = EventLog()
        released = log
        db.add(transactionObserver: log)
        try db.execute(sql: "INSERT INTO note VALUES ('a')")
        #expect(log.take().count == 3)
      }
      #expect(released == nil)
      try db.execute(sql: "INSERT INTO note VALUES ('a')")
    }
  }

  @Test func `an observer of the next transaction is kept until then`() throws {
    try withShop { db throws in
      weak var released: EventLog?
      let shared = EventLog()
      do {
        let log = EventLog("next", shared: shared)
        log.onCommit = { db in
          #expect(throws: Never.self) { try db.execute(sql: "INSERT INTO note VALUES ('b')") }
        }
        released = log
        db.add(transactionObserver: log, extent: .nextTransaction)
      }
      #expect(released != nil)
      try db.inTransaction(.deferred) {
        _ = try Row.fetchAll(db, sql: "SELECT * FROM note")
        try? db.execute(sql: "INSERT INTO nope VALUES (1)")
        try db.execute(sql: "INSERT INTO note VALUES ('a')")
        return .commit
      }
      #expect(shared.take() == ["next insert note 1", "next willCommit", "next didCommit"])
      #expect(released == nil)
    }
  }

  @Test func `reads and statements that fail don't end an observation of the next transaction`()
    throws
  {
    try withShop(.queue) { queue throws in
      let log = EventLog()
      queue.add(transactionObserver: log, extent: .nextTransaction)
      try queue.read { db in _ = try Row.fetchAll(db, sql: "SELECT * FROM note") }
      queue.writeWithoutTransaction { db in
        try? db.execute(sql: "INSERT INTO country (name) VALUES ('x')")
      }
      #expect(log.take() == [])
      try queue.write { _ in }
      #expect(log.take() == ["willCommit", "didCommit"])
      try queue.write { _ in }
      #expect(log.take() == [])
    }
  }

  @Test func `an observer can be kept as long as the connection`() throws {
    weak var released: EventLog?
    do {
      let queue = try DatabaseQueue()
      do {
        let log = EventLog()
        released = log
        queue.add(transactionObserver: log, extent: .databaseLifetime)
      }
      try queue.write { _ in }
      #expect(released?.take() == ["willCommit", "didCommit"])
      try queue.close()
      #expect(released != nil)
    }
    #expect(released == nil)
  }

  @Test
  func `observers that come in didCommit wait for the next transaction, those that go are called`()
    throws
  {
    try withShop { db throws in
      let shared = EventLog()
      let first = EventLog("o", shared: shared)
      let second = EventLog("p", shared: shared)
      let third = EventLog("q", shared: shared)
      first.onCommit = { db in
        db.remove(transactionObserver: second)
        db.add(transactionObserver: third)
      }
      db.add(transactionObserver: first)
      db.add(transactionObserver: second)
      try db.execute(sql: "BEGIN; COMMIT")
      #expect(shared.take() == ["o willCommit", "p willCommit", "o didCommit", "p didCommit"])
      first.onCommit = { _ in }
      try db.execute(sql: "BEGIN; COMMIT")
      #expect(shared.take() == ["o willCommit", "q willCommit", "o didCommit", "q didCommit"])
    }
  }

  @Test func `functions after the transaction run among the observers, in order`() throws {
    try withShop { db throws in
      let shared = EventLog()
      let first = EventLog("o", shared: shared)
      let second = EventLog("p", shared: shared)
      nonisolated(unsafe) let log = shared
      db.add(transactionObserver: first)
      db.afterNextTransaction { _ in log.write("after") }
      db.add(transactionObserver: second)
      try db.execute(sql: "BEGIN; COMMIT; BEGIN; COMMIT")
      #expect(
        shared.take() == [
          "o willCommit", "p willCommit", "o didCommit", "after", "p didCommit",
          "o willCommit", "p willCommit", "o didCommit", "p didCommit",
        ])
    }
  }

  @Test func `a function runs once, whatever observers write at the end of the transaction`() throws
  {
    try withShop { db throws in
      let observer = EventLog()
      nonisolated(unsafe) var isDone = false
      observer.onCommit = { db in
        guard !isDone else { return }
        isDone = true
        try? db.inTransaction {
          try db.execute(sql: "INSERT INTO note VALUES ('b')")
          return .rollback
        }
      }
      let log = Log<String>()
      db.add(transactionObserver: observer)
      db.afterNextTransaction { _ in
        log.append("commit")
      } onRollback: { _ in
        log.append("rollback")
      }
      try db.execute(sql: "INSERT INTO note VALUES ('a')")
      #expect(log.elements == ["commit"])
    }
  }
}

@Suite struct StoppedObserverTests {
  private final class Stopping: TransactionObserver {
    let log: EventLog
    var onCommit: (Database) -> Void = { _ in }
    init(_ log: EventLog) { self.log = log }
    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool {
      log.observes(eventsOfKind: eventKind)
    }
    func databaseDidChange() {
      log.databaseDidChange()
      stopObservingDatabaseChangesUntilNextTransaction()
    }
    func databaseDidChange(with event: DatabaseEvent) {
      log.databaseDidChange(with: event)
      stopObservingDatabaseChangesUntilNextTransaction()
    }
    func databaseWillCommit() throws { try log.databaseWillCommit() }
    func databaseDidCommit(_ db: Database) {
      log.databaseDidCommit(db)
      onCommit(db)
    }
    func databaseDidRollback(_ db: Database) { log.databaseDidRollback(db) }
  }

  @Test func `no changes come until the end of the transaction`() throws {
    try withShop { db throws in
      let log = EventLog()
      log.asks = true
      let observer = Stopping(log)
      db.add(transactionObserver: observer)
      try db.inTransaction {
        try db.execute(sql: "INSERT INTO note VALUES ('a'), ('b')")
        try db.execute(sql: "INSERT INTO note VALUES ('c')")
        try db.notifyChanges(in: Table("note"))
        return .commit
      }
      #expect(
        log.take() == [
          "insert(note)?", "insert note 1", "insert(note)?", "willCommit", "didCommit",
        ])
      try db.execute(sql: "INSERT INTO note VALUES ('d'); INSERT INTO note VALUES ('e')")
      #expect(
        log.take() == [
          "insert(note)?", "insert note 4", "willCommit", "didCommit",
          "insert(note)?", "insert note 5", "willCommit", "didCommit",
        ])
    }
  }

  @Test func `what another observer writes at the end of the transaction is not lost`() throws {
    try withShop { db throws in
      let shared = EventLog()
      let writing = EventLog("o", shared: shared)
      var isDone = false
      writing.onCommit = { db in
        guard !isDone else { return }
        isDone = true
        try? db.execute(sql: "INSERT INTO author (id) VALUES (7)")
      }
      writing.wants = { _ in false }
      let log = EventLog("p", shared: shared)
      let stopping = Stopping(log)
      db.add(transactionObserver: writing)
      db.add(transactionObserver: stopping)
      try db.execute(sql: "INSERT INTO note VALUES ('a')")
      #expect(shared.take().contains("p insert author 7"))
    }
  }

  @Test
  func `what an observer that has stopped writes at the end of the transaction is not its own`()
    throws
  {
    try withShop { db throws in
      let log = EventLog()
      let observer = Stopping(log)
      var isDone = false
      observer.onCommit = { db in
        guard !isDone else { return }
        isDone = true
        try? db.execute(sql: "INSERT INTO note VALUES ('b'); INSERT INTO note VALUES ('c')")
      }
      db.add(transactionObserver: observer)
      try db.execute(sql: "INSERT INTO note VALUES ('a')")
      #expect(
        log.take() == [
          "insert note 1", "willCommit", "didCommit", "willCommit", "didCommit", "willCommit",
          "didCommit",
        ])
      try db.execute(sql: "INSERT INTO note VALUES ('d')")
      #expect(log.take() == ["insert note 4", "willCommit", "didCommit"])
    }
  }
}
