import Dispatch
import Foundation
import Quarry
import QuarryChanges
import QuarryTestSupport
import Testing

/// `QUARRY_RANDOM_SEED` sets the seed, and `QUARRY_SIGNAL_TRANSACTIONS` the number of random
/// transactions of each test, 1000 by default.
@Suite("Random signals", .timeLimit(.minutes(60))) struct SignalModelTests {
  private let count =
    ProcessInfo.processInfo.environment["QUARRY_SIGNAL_TRANSACTIONS"].flatMap(Int.init) ?? 1000

  @Test(arguments: [false, true])
  func `all tables whose content has changed are named`(beside foreigner: Bool) throws {
    let run = RandomRun("signals")
    var random = run.generator
    try withTemporaryDirectory { directory in
      let world = try SignalWorld(directory, schema: SignalModel.schema)
      var writers = try (0..<3).map { _ in try world.open() }
      if foreigner { writers.append(try world.open(namingTables: false)) }
      var base: [String: String] = [:]
      var dirty: Set<String> = []
      var outcomes = OutcomeCounts()
      _ = try world.look()
      base = try world.receiver.read(SignalModel.contents)
      for number in 0..<count {
        if Int.random(in: 0..<5, using: &random) == 0 {
          // Its own changes are no news: others are those that it finds.
          try SignalModel.act(on: world.receiver, path: world.path, &random) { db in
            dirty.formUnion(SignalModel.difference(base, try SignalModel.contents(db)))
          }
          base = try world.receiver.read(SignalModel.contents)
        } else {
          let writer = writers.randomElement(using: &random)!
          try SignalModel.act(on: writer, path: world.path, &random)
        }
        if Int.random(in: 0..<100, using: &random) == 0 { writers[0] = try world.open() }
        guard Int.random(in: 0..<3, using: &random) == 0 else { continue }
        let contents = try world.receiver.read(SignalModel.contents)
        dirty.formUnion(SignalModel.difference(base, contents))
        let outcome = try world.look()
        outcomes.count(outcome)
        #expect(
          outcome.covers(dirty), "QUARRY_RANDOM_SEED=\(run.seed), \(number): \(outcome), \(dirty)")
        (base, dirty) = (contents, [])
      }
      print("signals:", outcomes)
      if !foreigner { #expect(outcomes.named > outcomes.all, "\(outcomes)") }
    }
  }

  @Test(arguments: [false, true])
  func `nothing is missed while eight connections write`(beside foreigner: Bool) throws {
    let run = RandomRun("signals at once")
    try withTemporaryDirectory { directory in
      let world = try SignalWorld(directory, schema: SignalModel.schema)
      let counter = Log<Int>()
      let errors = Log<String>()
      _ = try world.look()
      let path = world.path
      let writers = try (0..<8).map { index in
        try world.open(namingTables: !(foreigner && index == 0))
      }
      let group = DispatchGroup()
      for (index, writer) in writers.enumerated() {
        Thread {
          var random = SplitMix64(seed: run.seed &+ UInt64(index))
          for _ in 0..<(count / 8) {
            do {
              try SignalModel.act(on: writer, path: path, &random)
            } catch {
              errors.append("\(error)")
            }
            counter.append(1)
          }
          group.leave()
        }.startCounted(in: group)
      }
      var outcomes = OutcomeCounts()
      var (base, last) = (try world.receiver.read(SignalModel.contents), NamedCommits.Outcome.none)
      var isLast = false
      while !isLast {
        isLast = group.wait(timeout: .now()) == .success
        let contents = try world.receiver.read(SignalModel.contents)
        let outcome = try world.look()
        outcomes.count(outcome)
        let changed = SignalModel.difference(base, contents)
        // The look before may have named it already.
        #expect(
          outcome.joined(with: last).covers(changed),
          "QUARRY_RANDOM_SEED=\(run.seed): \(last), \(outcome), \(changed)")
        (base, last) = (contents, outcome)
      }
      #expect(errors.elements == [])
      #expect(counter.elements.count == count / 8 * 8)
      print("signals at once:", outcomes)
    }
  }
}

/// How many looks have named tables.
private struct OutcomeCounts: CustomStringConvertible {
  var named = 0
  var all = 0
  var none = 0

  mutating func count(_ outcome: NamedCommits.Outcome) {
    switch outcome {
    case .tables: named += 1
    case .all: all += 1
    case .none, .waiting: none += 1
    }
  }

  var description: String { "\(named) with names, \(all) without, \(none) of nothing" }
}

extension Thread {
  fileprivate func startCounted(in group: DispatchGroup) {
    group.enter()
    start()
  }
}
