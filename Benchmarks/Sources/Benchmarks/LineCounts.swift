import Counters
import Harness

/// What one pass did, clock or no clock.
struct Counts: Encodable {
  let prepares: UInt64
  let steps: UInt64
  let allocations: UInt64

  init(_ counters: bench_counters) {
    prepares = counters.prepares
    steps = counters.steps
    allocations = counters.allocations
  }
}

/// The counts of one line.
struct LineCounts {
  let line: Line
  let counts: [Contestant.Name: Counts]
}

extension LineCounts: LineResult {
  static let headings =
    ["line"]
    + ["prepared", "steps", "allocations"].flatMap { count in
      Contestant.Name.compared.map { "\(count) \($0.rawValue)" }
    }

  var cells: [String] {
    let getters: [(Counts) -> UInt64] = [\.prepares, \.steps, \.allocations]
    return [line.title]
      + getters.flatMap { count in
        Contestant.Name.compared.map { name in
          counts[name].map { "\(count($0))" } ?? "not yet"
        }
      }
  }
}

extension LineCounts: Encodable {
  private enum CodingKeys: String, CodingKey {
    case line, title, counts
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(line.rawValue, forKey: .line)
    try container.encode(line.title, forKey: .title)
    let counts = Dictionary(uniqueKeysWithValues: self.counts.map { ($0.key.rawValue, $0.value) })
    try container.encode(counts, forKey: .counts)
  }
}
