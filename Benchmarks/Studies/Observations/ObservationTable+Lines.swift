import Foundation
import Harness

extension ObservationTable {
  /// Observes so many other tables, and waits for the first values.
  private func observe(
    _ contender: any ObservationContender, _ count: Int, tables: Range<Int>
  ) -> [any Sendable] {
    let deliveries = Deliveries(observers: count)
    let started = (0..<count).map { number in
      contender.observe(table: tables.lowerBound + number % tables.count) { _ in
        deliveries.deliver(to: number)
      }
    }
    if count > 0 { deliveries.wait(for: 1) }
    // The observers are installed after the first values.
    Thread.sleep(forTimeInterval: count > 0 ? 0.3 : 0)
    return started
  }

  /// Commits that touch one of 100 tables, while others are observed. The rounds of all lines are
  /// interleaved.
  func addCommits() throws {
    guard isWanted("commit") else { return }
    let counts = [0, 1, 100, 1_000]
    let worlds = try counts.map { count in
      try contenders().map { contender in
        let tables = 1..<ObservationDataset.tableCount
        return (contender, observe(contender, count, tables: tables))
      }
    }
    var best = worlds.map { $0.map { _ in Double.infinity } }
    let commits = 2_000
    for round in 0...(rounds * 3) {
      for (line, world) in worlds.enumerated() {
        for (index, (contender, _)) in world.enumerated() {
          let time = try ContinuousClock().measure {
            for id in 0..<commits { try contender.commit(table: 0, id: id % 1_000 + 1) }
          }
          if round > 0 {
            best[line][index] = min(best[line][index], time.seconds / Double(commits))
          }
        }
      }
    }
    for (count, best) in zip(counts, best) {
      show("commit, \(count) observations of other tables", best.map { $0 * 1e6 }, "us")
    }
  }

  /// Many updates in one transaction, of a table that is observed.
  func addUpdates() throws {
    guard isWanted("updates") else { return }
    for count in [0, 1] {
      let title = count == 0 ? "no observation" : "one observation of the table"
      let best = try contenders().map { contender in
        let started = observe(contender, count, tables: 0..<1)
        let times = try (0...rounds).map { _ in
          try ContinuousClock().measure { try contender.updateRows(table: 0, count: 50_000) }
            .seconds
        }
        return withExtendedLifetime(started) { times.dropFirst().min() ?? 0 }
      }
      show("50,000 updates, \(title)", best.map { $0 * 1e3 }, "ms")
    }
  }

  /// The time from the beginning of a commit to its last value.
  func addLatencies() throws {
    guard isWanted("latency") else { return }
    for count in [1, 100] {
      let times = try contenders().map { contender in
        let deliveries = Deliveries(observers: count)
        let started = (0..<count).map { number in
          contender.observe(table: 0) { _ in deliveries.deliver(to: number) }
        }
        deliveries.wait(for: 1)
        Thread.sleep(forTimeInterval: 0.3)
        // A pool may have reported the first value twice.
        deliveries.wait(for: 0)
        let times = try (0..<(count == 1 ? 2_000 : 300)).map { turn in
          let start = ContinuousClock.now
          try contender.commit(table: 0, id: turn % 1_000 + 1)
          return (deliveries.wait(for: 1) - start).seconds
        }
        return withExtendedLifetime(started) { times.sorted() }
      }
      let observers = count == 1 ? "one observation" : "all of \(count) observations"
      show("latency, \(observers), p50", times.map { $0[$0.count / 2] * 1e6 }, "us", digits: 0)
      show(
        "latency, \(observers), p99", times.map { $0[$0.count * 99 / 100] * 1e6 }, "us", digits: 0)
    }
  }

  /// The start of 100 observations of equal requests.
  func addStarts() throws {
    guard isWanted("start") else { return }
    let count = 100
    var best: [Double] = []
    var fetches: [Double] = []
    for contender in try contenders() {
      let times = (0...rounds).map { _ in
        let deliveries = Deliveries(observers: count)
        let before = type(of: contender).fetchCount
        let start = ContinuousClock.now
        let started = (0..<count).map { number in
          contender.observeRequest(table: 0) { _ in deliveries.deliver(to: number) }
        }
        let time = (deliveries.wait(for: 1) - start).seconds
        Thread.sleep(forTimeInterval: 0.5)
        return withExtendedLifetime(started) {
          (time: time, fetches: type(of: contender).fetchCount - before)
        }
      }
      best.append(times.dropFirst().map(\.time).min() ?? 0)
      fetches.append(Double(times.map(\.fetches).max() ?? 0))
    }
    show("start of \(count) equal observations", best.map { $0 * 1e3 }, "ms")
    show("start of \(count) equal observations: fetches", fetches, "", digits: 0)
  }

  /// The memory of an observation that has reported its first value.
  func addMemory() throws {
    guard isWanted("memory") else { return }
    let sizes = try contenders().map { contender in
      let first = observe(contender, 100, tables: 1..<100)
      let before = residentSize()
      let started = observe(contender, 2_000, tables: 1..<100)
      return withExtendedLifetime([first, started]) {
        Double(residentSize() - before) / 2_000 / 1024
      }
    }
    show("memory of an observation", sizes, "KB", digits: 1)
  }

  private func residentSize() -> Int {
    let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
    return (text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 4096
  }
}
