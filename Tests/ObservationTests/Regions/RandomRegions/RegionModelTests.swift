import Foundation
import QuarryTestSupport
import Testing

@testable import Quarry

/// Random requests and random writes, in random databases: a result that changes is notified. See
/// `RegionWorld.swift`.
///
/// `QUARRY_REGION_STEPS` sets the number of writes, and `QUARRY_RANDOM_SEED` the seed of the first
/// database. Changes by other code with the C API, such as changesets that are applied, are none of
/// the library: see `notifyChanges(in:)`. Without the preupdate hook, nothing reports the rows that
/// a function writes into a table `WITHOUT ROWID`.
@Suite struct RegionModelTests {
  private static let stepsOfWorld = 40

  @Test(.needs(.fullText, .preUpdateHook)) func `a result that changes is notified`() throws {
    let run = RandomRun("Model of regions")
    let count = ProcessInfo.processInfo.environment["QUARRY_REGION_STEPS"].flatMap { Int($0) }
    let end = Date().addingTimeInterval(2.5)
    var total = RegionModel.Counts()
    var failures = 0
    var seed = run.seed
    while failures < 3, count.map({ total.steps < $0 }) ?? (Date() < end) {
      try withTemporaryDirectory { directory in
        let model = try RegionModel(seed: seed, in: directory)
        if let failure = try model.run(steps: Self.stepsOfWorld) {
          failures += 1
          Issue.record("QUARRY_RANDOM_SEED=\(seed): \(failure)")
        }
        total.add(model.counts)
      }
      seed &+= 1
    }
    print("Model of regions: \(total)")
    // Neither all is notified, nor nothing. Some 27% of the steps change a result: more or less in
    // each database, and there may be 25 of them.
    #expect(failures > 0 || total.steps < 1000 || total.changed > total.steps / 8)
    #expect(failures > 0 || total.steps < 200 || total.silent > total.notified)
  }
}

/// A random database, with requests that are observed.
private final class RegionModel {
  struct Counts: CustomStringConvertible {
    var steps = 0
    /// The results that have changed, those that were notified, and those that were not.
    var (changed, notified, silent) = (0, 0, 0)
    var ended = 0

    mutating func add(_ other: Counts) {
      steps += other.steps
      changed += other.changed
      notified += other.notified
      silent += other.silent
      ended += other.ended
    }

    var description: String {
      "\(steps) steps, \(changed) results changed, \(notified) notified, \(silent) not, \(ended) ended"
    }
  }

  private final class Watcher {
    let request: RegionRequest
    var value = ""
    var isNotified = false
    var observer: RegionObserver?

    init(_ request: RegionRequest) { self.request = request }
  }

  private(set) var counts = Counts()
  private let world: RegionWorld
  private let database: any DatabaseWriter
  private var random: SplitMix64
  private var generator: RegionRequestGenerator
  private var writer: RegionWriter
  private var watchers: [Watcher] = []
  private var session: Session?

  init(seed: UInt64, in directory: String) throws {
    random = SplitMix64(seed: seed)
    world = RegionWorld(seed, &random)
    database = try world.open(in: directory)
    generator = RegionRequestGenerator(random: SplitMix64(seed: random.next()))
    writer = RegionWriter(SplitMix64(seed: random.next()))
    if world.hasSession, SQLiteFeature.sessions.isAvailable {
      session = try database.writeWithoutTransaction { db in try Session(db) }
    }
  }

  /// Returns what went wrong.
  func run(steps: Int) throws -> String? {
    // Before the database.
    defer { session = nil }
    for _ in 0..<steps {
      while watchers.count < 8 { start() }
      database.writeWithoutTransaction { db in writer.write(db) }
      counts.steps += 1
      for watcher in watchers {
        if let failure = try check(watcher) { return failure }
      }
      watchers.removeAll { $0.observer == nil }
      if random.chance(6), let index = watchers.indices.randomElement(using: &random) {
        end(watchers[index])
        watchers.remove(at: index)
      }
    }
    return nil
  }

  /// What differs, if a result has changed without notification.
  private func check(_ watcher: Watcher) throws -> String? {
    let value = fetch(watcher.request)?.value
    if watcher.isNotified { counts.notified += 1 } else { counts.silent += 1 }
    if value != watcher.value {
      counts.changed += 1
      if !watcher.isNotified { return description(of: watcher, value) }
    }
    if value == nil {
      counts.ended += 1
      end(watcher)
    } else if watcher.isNotified {
      try observe(watcher)
    }
    return nil
  }

  private func description(of watcher: Watcher, _ value: String?) -> String {
    """
    \(watcher.request.name)
    of \(watcher.observer.map { "\($0.region)" } ?? "none") (\(world.keyOfP), \(world.module), \
    \(world.isPool ? "pool" : "queue"), \(world.hasSession ? "session" : "hook")) was not notified of
    \(writer.log.joined(separator: "\n"))
    before: \(watcher.value)
    now: \(value ?? "an error")
    """
  }

  private func start() {
    let watcher = Watcher(generator.request())
    // A request that fails is no observation.
    if (try? observe(watcher)) != nil { watchers.append(watcher) }
  }

  private func end(_ watcher: Watcher) {
    watcher.observer?.cancel()
    watcher.observer = nil
  }

  /// Fetches the value, and observes what it has read.
  private func observe(_ watcher: Watcher) throws {
    guard let (value, region) = fetch(watcher.request) else { throw Mishap() }
    watcher.value = value
    watcher.isNotified = false
    database.writeWithoutTransaction { db in
      if let observer = watcher.observer { return db.setRegion(region, of: observer) }
      let observer = RegionObserver(region) { [unowned watcher] _ in watcher.isNotified = true }
      watcher.observer = observer
      db.add(observer)
    }
  }

  /// The value, and the region that an observation would have. Nil for an error.
  private func fetch(_ request: RegionRequest) -> (value: String, region: DatabaseRegion)? {
    try? database.read { db in
      let (value, recorded) = try db.recordRegion { try request.fetch(db) }
      let region = try request.region?.databaseRegion(db) ?? recorded
      return try (value, region.observed(in: db))
    }
  }
}
