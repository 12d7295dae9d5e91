import Counters
import Harness

/// Runs the passes of a line, all contestants in turn, so that what disturbs the machine disturbs
/// all alike. Each line starts with a round that is not recorded and warms the caches.
struct Runner {
  private typealias Work = () throws -> Pass.Outcome

  let contestants: [Contestant]

  func times(of line: Line, rounds: Int) throws -> LineTimes {
    let passes = self.passes(for: line)
    try warmUp(line, passes)
    var times = LineTimes(line: line)
    for _ in 0..<rounds {
      let round = try round(of: line, passes) { work in
        let start = Clock.now
        let outcome = try work()
        return (outcome, Clock.now - start)
      }
      for (name, time) in round {
        times.samples[name, default: []].append(time)
      }
    }
    return times
  }

  func counts(of line: Line) throws -> LineCounts {
    let passes = self.passes(for: line)
    try warmUp(line, passes)
    let counters = try round(of: line, passes) { work in
      counters_start()
      let outcome = try work()
      return (outcome, counters_stop())
    }
    return LineCounts(line: line, counts: counters.mapValues(Counts.init))
  }

  /// Runs one pass of a line inside of `measured_pass`, where a profiler counts its instructions.
  func profile(_ line: Line) throws {
    let passes = self.passes(for: line)
    try warmUp(line, passes)
    _ = try round(of: line, passes) { work in (try ProfiledWork(work).run(), ()) }
  }

  private func passes(for line: Line) -> [(name: Contestant.Name, pass: Pass)] {
    contestants.compactMap { contestant in
      contestant.contender.pass(for: line).map { (contestant.name, $0) }
    }
  }

  private func warmUp(_ line: Line, _ passes: [(name: Contestant.Name, pass: Pass)]) throws {
    _ = try round(of: line, passes) { work in (try work(), ()) }
  }

  /// One pass each. Throws when the products differ.
  private func round<Measure>(
    of line: Line, _ passes: [(name: Contestant.Name, pass: Pass)],
    measure: (@escaping Work) throws -> (Pass.Outcome, Measure)
  ) throws -> [Contestant.Name: Measure] {
    var measures: [Contestant.Name: Measure] = [:]
    var checksums: [(name: Contestant.Name, value: UInt64)] = []
    for (name, pass) in passes {
      try pass.prepare()
      let (outcome, measure) = try measure(pass.run)
      measures[name] = measure
      checksums.append((name, try outcome()))
    }
    if Set(checksums.map(\.value)).count > 1 {
      let list = checksums.map { "\($0.name.rawValue) \($0.value)" }.joined(separator: ", ")
      throw Failure("the results of '\(line.rawValue)' differ: \(list)")
    }
    return measures
  }
}
