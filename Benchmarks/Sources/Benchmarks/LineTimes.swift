import Harness

/// The times of one line.
struct LineTimes {
  let line: Line
  var samples: [Contestant.Name: [Clock]] = [:]

  /// Seconds of one pass: the least processor time of all rounds, which other programs on the
  /// machine disturb least.
  func least(_ name: Contestant.Name) -> Double? {
    samples[name]?.map(\.processor).min()
  }

  /// How many times the seconds of the work by hand.
  func ratio(_ name: Contestant.Name) -> Double? {
    guard let time = least(name), let base = least(.byHand) else { return nil }
    return time / base
  }

  /// Whether Quarry keeps to its budget, where there is something to compare.
  var isWithinBudget: Bool? {
    ratio(.quarry).map { $0 <= line.budget }
  }
}

extension LineTimes: LineResult {
  static let headings = [
    "line", "C", "Quarry", "GRDB", "unit", "Quarry/C", "GRDB/C", "budget", "within",
  ]

  var cells: [String] {
    let times = Contestant.Name.compared.map { least($0).map(display) ?? "not yet" }
    let ratios = [Contestant.Name.quarry, .peer].map { ratio($0)?.rounded(to: 2) ?? "-" }
    let verdict = isWithinBudget.map { $0 ? "yes" : "NO" } ?? "-"
    return [line.title] + times + [line.calls == nil ? "ms" : "us/call"] + ratios + [
      "\(line.budget)", verdict,
    ]
  }

  private func display(_ seconds: Double) -> String {
    guard let calls = line.calls else { return (seconds * 1e3).rounded(to: 1) }
    return (seconds * 1e6 / Double(calls)).rounded(to: 2)
  }
}

extension LineTimes: Encodable {
  private enum CodingKeys: String, CodingKey {
    case line, title, calls, least, ratios, budget, isWithinBudget, samples
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(line.rawValue, forKey: .line)
    try container.encode(line.title, forKey: .title)
    try container.encodeIfPresent(line.calls, forKey: .calls)
    try container.encode(byName { least($0) }, forKey: .least)
    try container.encode(byName { ratio($0) }, forKey: .ratios)
    try container.encode(line.budget, forKey: .budget)
    try container.encodeIfPresent(isWithinBudget, forKey: .isWithinBudget)
    try container.encode(byName { samples[$0] }, forKey: .samples)
  }

  private func byName<Value>(_ value: (Contestant.Name) -> Value?) -> [String: Value] {
    let pairs = Contestant.Name.compared.compactMap { name in
      value(name).map { (name.rawValue, $0) }
    }
    return Dictionary(uniqueKeysWithValues: pairs)
  }
}
