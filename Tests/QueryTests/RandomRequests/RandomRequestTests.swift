import Foundation
import Quarry
import QuarryTestSupport
import Testing

/// Random requests, compared with nested loops: see `RandomWorld.swift`.
///
/// The environment sets the seed (`QUARRY_RANDOM_SEED`) and the number of requests
/// (`QUARRY_RANDOM_REQUESTS`).
struct RandomRequestTests {
  private static func number(_ name: String) -> UInt64? {
    ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
  }

  private static let seed = number("QUARRY_RANDOM_SEED") ?? UInt64.random(in: 0..<1_000_000)
  private static let requestCount = Int(number("QUARRY_RANDOM_REQUESTS") ?? 1000)
  private static let requestsPerWorld = 25
  /// What the library says that it does not do: required sources whose conditions refer to each
  /// other in knots.
  private static let refusals = [
    "Conditions of associations of the optional association",
    "refer to each other",
  ]

  @Test func `rows are those of nested loops`() throws {
    print("random requests: QUARRY_RANDOM_SEED=\(Self.seed)")
    var seeds = SplitMix64(seed: Self.seed)
    var count = 0
    var rowCount = 0
    var undetermined = 0
    var pages = 0
    var failures = 0
    var refused = 0
    while count < Self.requestCount && failures < 3 {
      let worldSeed = seeds.next()
      var random = SplitMix64(seed: worldSeed)
      let world = RandomWorld(using: &random)
      let database = try world.makeDatabase()
      var generator = RandomRequestGenerator(world: world, random: random)
      for _ in 0..<Self.requestsPerWorld {
        let request = generator.request()
        guard
          let expected = try? RandomRequestEvaluation(world: world, request: request).rows()
        else {
          undetermined += 1
          continue
        }
        count += 1
        if request.root.limit != nil, request.root.isAggregated { pages += 1 }
        rowCount += expected.count
        let difference = difference(request, expected, world, database)
        if let difference, Self.refusals.contains(where: difference.contains) {
          refused += 1
        } else if let difference {
          failures += 1
          Issue.record("world \(worldSeed), request \(count): \(difference)")
        }
      }
    }
    print(
      """
      random requests: \(count) compared, \(rowCount) rows, \(undetermined) undetermined, \
      \(refused) refused, \(pages) limited with aggregates
      """)
    #expect(refused < 3 + count / 200)
    #expect(undetermined < count / 4)
    #expect(rowCount > count)
    #expect(pages > count / 50)
  }

  /// What differs, with all that is needed to understand it.
  private func difference(
    _ request: RandomRequest, _ expected: RandomRows, _ world: RandomWorld,
    _ database: DatabaseQueue
  ) -> String? {
    let log = Log<String>()
    let built = RandomRequestBuilder(world: world, request: request).request(request.root)
    let reason = database.inDatabaseUnlessItFails { db in
      db.trace { log.append("\($0)") }
      defer { db.trace(options: []) }
      if let difference = expected.difference(from: try built.fetchAll(db)) {
        return difference
      }
      let count = try built.fetchCount(db)
      if count != expected.count { return "count \(count)" }
      return try differenceFromOneRecord(request, world, db)
    }
    guard let reason else { return nil }
    let tables = world.tables.indices.map { world.creation(of: $0) }
    var description = ""
    dump(request, to: &description)
    return ([reason] + tables + log.elements + [description]).joined(separator: "\n")
  }

  /// The prefetched associations, requested from one record.
  private func differenceFromOneRecord(
    _ request: RandomRequest, _ world: RandomWorld, _ db: Database
  ) throws -> String? {
    let rows = world.tables[request.root.table].rows
    let builder = RandomRequestBuilder(world: world, request: request)
    let evaluation = RandomRequestEvaluation(world: world, request: request)
    for case .prefetch(let association) in request.root.items
    where !association.refersToItsParent {
      guard let row = rows.indices.last,
        let expected = try? evaluation.rows(of: association, ofRow: row)
      else { continue }
      let request = builder.request(association, ofRow: rows[row], of: request.root)
      if let difference = expected.difference(from: try request.fetchAll(db)) {
        return "request(for: \(association.destination.key)): \(difference)"
      }
    }
    return nil
  }
}

extension DatabaseQueue {
  /// The answer of `body`, or the description of its error.
  fileprivate func inDatabaseUnlessItFails(
    _ body: (Database) throws -> String?
  ) -> String? {
    do { return try read(body) } catch { return "error: \(error)" }
  }
}
