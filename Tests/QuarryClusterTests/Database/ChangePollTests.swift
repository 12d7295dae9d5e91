import Quarry
import QuarryTestSupport
import Testing

@testable import QuarryCluster

/// The looks at the version of the content, which need no node.
@Suite("Looks for commits of other clients")
struct ChangePollTests {
  private final class ChangeCounter: TransactionObserver {
    var count = 0

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { true }
    func databaseDidChange() { count += 1 }
    func databaseDidChange(with event: DatabaseEvent) {}
    func databaseDidCommit(_ db: Database) {}
    func databaseDidRollback(_ db: Database) {}
  }

  @Test func `A commit is noticed once no transaction is open any more`() throws {
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    let pool = try DatabasePool.temporary(configuration: configuration)
    let other = try DatabaseQueue(path: pool.path)
    try other.write { db in try db.execute(sql: "CREATE TABLE author (name TEXT)") }
    try pool.writeWithoutTransaction { db throws in
      let counter = ChangeCounter()
      db.add(transactionObserver: counter)
      let version = Locked<[Int64]>([])
      ChangePoll.look(db, version)
      #expect(counter.count == 1)
      ChangePoll.look(db, version)
      #expect(counter.count == 1)
      try other.write { db in try db.execute(sql: "INSERT INTO author VALUES ('Ada')") }
      try db.beginTransaction(.deferred)
      ChangePoll.look(db, version)
      #expect(counter.count == 1)
      try db.commit()
      ChangePoll.look(db, version)
      #expect(counter.count == 2)
    }
  }
}
