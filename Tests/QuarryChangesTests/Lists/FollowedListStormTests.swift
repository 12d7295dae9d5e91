import Quarry
import QuarryChanges
import QuarryTestSupport
import Testing

/// Several connections write, while a list is followed and others come and go.
@Suite("Followed lists under load") struct FollowedListStormTests {
  private struct Account: Codable, Equatable, FetchableRecord, PersistableRecord {
    var id: Int
    var amount: Int
  }

  private static let request = Account.order(Column("amount"), Column("id"))
  private static let total = 20 * 100
  /// The account of the last transaction.
  private static let endID = 1_000

  @Test(arguments: [ConnectionKind.walQueue, .pool], [false, true])
  func `each list shows a committed state`(kind: ConnectionKind, isDebounced: Bool) async throws {
    var configuration = Configuration()
    configuration.busyMode = .timeout(60)
    try await withTemporaryDirectory { [configuration] directory in
      let writer = try kind.open(in: directory, configuration)
      let other = try DatabaseQueue(
        path: directory + "/library.sqlite", configuration: configuration)
      try await writer.write { db in
        try db.create(table: "account") { table in
          table.primaryKey("id", .integer)
          table.column("amount", .integer)
        }
        for id in 0..<20 { try Account(id: id, amount: 100).insert(db) }
      }
      let polling = writer.notifyChangesOfOtherConnections(every: .milliseconds(3))
      var observation = ValueObservation.changes(of: Self.request)
      if isDebounced { observation = observation.debounce(for: .milliseconds(2)) }
      let run = RandomRun("Followed lists under load, \(kind)")
      let writing = Task { try await write(writer, other, run) }
      try await follow(observation, in: writer)
      try await writing.value
      polling.cancel()
    }
  }

  private func follow(
    _ observation: ValueObservation<ValueReducers.RecordChanges<Account>>,
    in writer: any DatabaseWriter
  ) async throws {
    var former: [Account] = []
    for try await list in observation.values(in: writer) {
      #expect(list.records.reduce(0) { $0 + $1.amount } == Self.total)
      #expect(list.records == list.records.sorted { ($0.amount, $0.id) < ($1.amount, $1.id) })
      for case .updated(let old, let new, let offset) in list.changes {
        #expect(former.contains(old) && list.records[offset] == new)
      }
      for case .deleted(let old, let offset) in list.changes { #expect(former[offset] == old) }
      former = list.records
      if list.records.contains(where: { $0.id == Self.endID }) { break }
    }
    #expect(try await former == writer.read { db in try Self.request.fetchAll(db) })
  }

  private func write(
    _ writer: any DatabaseWriter, _ other: any DatabaseWriter, _ run: RandomRun
  ) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      var seeds = run.generator
      for connection in [writer, writer, writer, other] {
        let seed = seeds.next()
        group.addTask {
          var random = SplitMix64(seed: seed)
          for _ in 0..<60 { try await transfer(&random, connection) }
        }
      }
      group.addTask {
        for _ in 0..<20 {
          var lists = ValueObservation.changes(of: Self.request).values(in: writer)
            .makeAsyncIterator()
          let sum = try await lists.next()?.records.reduce(0) { $0 + $1.amount }
          #expect(sum == Self.total)
        }
      }
      try await group.waitForAll()
    }
    try await writer.write { db in try Account(id: Self.endID, amount: 0).insert(db) }
  }

  /// Moves an amount from one account to another one, which may be new, and may end the first one.
  private func transfer(
    _ random: inout SplitMix64, _ connection: any DatabaseWriter
  ) async throws {
    let (first, second, part) = (random.below(30), random.below(30), random.below(4))
    try await connection.write { db in
      guard first != second, let account = try Account.fetchOne(db, key: first) else { return }
      let amount = part == 0 ? account.amount : account.amount / 4
      let target = try Account.fetchOne(db, key: second)?.amount ?? 0
      try Account(id: second, amount: target + amount).upsert(db)
      if part == 0 {
        try account.delete(db)
      } else {
        try Account(id: first, amount: account.amount - amount).update(db)
      }
    }
  }
}
