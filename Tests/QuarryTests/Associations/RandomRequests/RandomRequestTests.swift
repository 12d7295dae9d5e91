import Foundation
import Quarry
import QuarryTestSupport
import Testing

/// Random requests, compared with nested loops: see `RandomWorld.swift`.
///
/// The environment sets the seed (`QUARRY_RANDOM_SEED`) and the number of requests (`QUARRY_RANDOM_REQUESTS`).
struct RandomRequestTests {
  private static func number(_ name: String) -> UInt64? {
    ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
  }

  private static let seed = number("QUARRY_RANDOM_SEED") ?? UInt64.random(in: 0..<1_000_000)
  private static let requestCount = Int(number("QUARRY_RANDOM_REQUESTS") ?? 1000)
  private static let requestsPerWorld = 25

  @Test func rowsAreThoseOfNestedLoops() throws {
    print("random requests: QUARRY_RANDOM_SEED=\(Self.seed)")
    var seeds = SplitMix64(seed: Self.seed)
    var count = 0
    var rowCount = 0
    var undetermined = 0
    var failures = 0
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
        rowCount += expected.count
        if let difference = difference(request, expected, world, database) {
          failures += 1
          Issue.record("world \(worldSeed), request \(count): \(difference)")
        }
      }
    }
    print(
      "random requests: \(count) compared, \(rowCount) rows, \(undetermined) undetermined")
    #expect(undetermined < count / 4)
    #expect(rowCount > count)
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
      let rows = try built.fetchAll(db)
      if let difference = expected.difference(from: rows) { return difference }
      let count = try built.fetchCount(db)
      return count == expected.count || request.root.isDistinct ? nil : "count \(count)"
    }
    guard let reason else { return nil }
    let tables = world.tables.indices.map { world.creation(of: $0) }
    return ([reason] + tables + log.elements).joined(separator: "\n")
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
