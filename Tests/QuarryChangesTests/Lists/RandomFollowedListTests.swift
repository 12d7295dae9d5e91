import Foundation
import Quarry
import QuarryChanges
import QuarryTestSupport
import Testing

/// Lists whose rows are followed have the changes of lists that are fetched.
///
/// `QUARRY_RANDOM_LISTS` is the number of runs, instead of 100.
@Suite("Random followed lists") struct RandomFollowedListTests {
  private static let count =
    ProcessInfo.processInfo.environment["QUARRY_RANDOM_LISTS"].flatMap { Int($0) } ?? 100

  /// The fetches of one list.
  private struct Fetches {
    var rows = 0
    var lists = 0

    mutating func add(_ statements: [String]) {
      for sql in statements where sql.contains("page key rowid") {
        if sql.contains("ORDER BY") { lists += 1 } else { rows += 1 }
      }
    }
  }

  @Test(arguments: ConnectionKind.allCases)
  func `the rows of a list are followed`(kind: ConnectionKind) async throws {
    let run = RandomRun("Followed lists, \(kind)")
    let fetches = Log<Fetches>()
    let count = Self.count / ConnectionKind.allCases.count
    var seeds = run.generator
    for number in 0..<count {
      var random = SplitMix64(seed: seeds.next())
      let place = "QUARRY_RANDOM_SEED=\(run.seed), run \(number)"
      try await check(kind, &random, fetches, place)
    }
    let rows = fetches.elements.reduce(0) { $0 + $1.rows }
    let lists = fetches.elements.reduce(0) { $0 + $1.lists }
    print("Followed lists, \(kind): \(count) runs, \(rows) fetches of rows, \(lists) of lists")
    // Without a preupdate hook, REPLACE and new keys need the list.
    guard count >= 25 else { return }
    #expect(rows > 0)
    if SQLiteFeature.preUpdateHook.isAvailable { #expect(2 * rows > lists) }
  }

  private func check(
    _ kind: ConnectionKind, _ random: inout SplitMix64, _ fetches: Log<Fetches>, _ seed: String
  ) async throws {
    let model = FollowedListModel(&random)
    let recorder = SQLRecorder()
    var configuration = Configuration()
    configuration.busyMode = .timeout(10)
    let hasOther = kind != .memory && random.below(3) == 0
    try await withTemporaryDirectory { [configuration] directory in
      let writer = try kind.open(in: directory, recorder.recording(configuration))
      try await writer.write { db in try db.execute(sql: model.schema) }
      let path = directory + "/library.sqlite"
      let other = hasOther ? try DatabaseQueue(path: path, configuration: configuration) : nil
      // The twin is fetched by a reader in a pool, which may see the commit of the other connection
      // before the list does, and report it by itself.
      let hasTwin = kind != .pool || other == nil
      try await walk(model, writer, other, &random, seed, hasTwin: hasTwin)
      try other?.close()
    }
    var own = Fetches()
    own.add(recorder.take())
    if !model.isFollowed { #expect(own.rows + own.lists == 0, "\(seed)") }
    // Commits of other connections need the list.
    if !hasOther { fetches.append(own) }
  }

  private func walk(
    _ model: FollowedListModel, _ writer: any DatabaseWriter, _ other: DatabaseQueue?,
    _ random: inout SplitMix64, _ seed: String, hasTwin: Bool
  ) async throws {
    let request = model.request
    // The rows of a list that is identified by columns are not followed.
    var lists = ValueObservation.changes(of: request).values(in: writer).makeAsyncIterator()
    var twins = ValueObservation.changes(of: request, identifiedBy: [Column("id")])
      .values(in: writer).makeAsyncIterator()
    #expect(try await lists.next() == twins.next(), "\(seed)")
    var former: [ListedItem] = []
    for number in 0..<10 {
      var sql = model.transaction(&random)
      if let other, random.below(4) == 0 {
        let statements = sql
        try await other.write { db in try FollowedListModel.execute(statements, db) }
        sql = "INSERT OR REPLACE INTO item VALUES (\(model.key(20 + number)), 1, 2, NULL, NULL)"
      }
      let isRolledBack = random.below(8) == 0
      let notifies = other != nil && (model.isPinned || random.below(4) == 0)
      let statements = sql
      let current = try await writer.write { db -> [ListedItem] in
        try db.inSavepoint {
          try FollowedListModel.execute(statements, db)
          return isRolledBack ? .rollback : .commit
        }
        if notifies || isRolledBack { try db.notifyChanges(in: .fullDatabase) }
        return try request.fetchAll(db)
      }
      guard current != former else { continue }
      let list = try #require(try await lists.next())
      #expect(list.records == current, "\(seed), \(sql)")
      if hasTwin {
        let twin = try #require(try await twins.next())
        #expect(list.changes == twin.changes, "\(seed), \(sql)")
      }
      former = current
    }
  }
}
