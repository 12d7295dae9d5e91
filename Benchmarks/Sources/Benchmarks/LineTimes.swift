import Harness

/// The times of one line.
struct LineTimes {
  let line: Line
  var samples: [Contestant.Name: [Clock]] = [:]

  /// Seconds of one pass.
  func median(_ name: Contestant.Name) -> Double? {
    samples[name].map { $0.map(\.wall).median }
  }

  /// How many times the seconds of the work by hand.
  func ratio(_ name: Contestant.Name) -> Double? {
    quotient(name, .byHand)
  }

  /// Whether Quarry keeps to its budget, where there is something to compare.
  var isWithinBudget: Bool? {
    switch line.budget {
    case .timesByHand(let limit): quotient(.quarry, .byHand).map { $0 <= limit }
    case .timesPeer(let limit): quotient(.quarry, .peer).map { $0 <= limit }
    }
  }

  private func quotient(_ name: Contestant.Name, _ base: Contestant.Name) -> Double? {
    guard let time = median(name), let baseTime = median(base) else { return nil }
    return time / baseTime
  }
}

extension LineTimes: LineResult {
  static let headings = [
    "line", "C", "Quarry", "GRDB", "unit", "Quarry/C", "GRDB/C", "budget", "within",
  ]

  var cells: [String] {
    let times = Contestant.Name.allCases.map { median($0).map(display) ?? "not yet" }
    let ratios = [Contestant.Name.quarry, .peer].map { ratio($0)?.rounded(to: 2) ?? "-" }
    let verdict = isWithinBudget.map { $0 ? "yes" : "NO" } ?? "-"
    return [line.title] + times + [line.calls == nil ? "ms" : "us/call"] + ratios + [
      line.budget.text, verdict,
    ]
  }

  private func display(_ seconds: Double) -> String {
    guard let calls = line.calls else { return (seconds * 1e3).rounded(to: 1) }
    return (seconds * 1e6 / Double(calls)).rounded(to: 2)
  }
}

extension LineTimes: Encodable {
  private enum CodingKeys: String, CodingKey {
    case line, title, calls, medians, ratios, budget, isWithinBudget, samples
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(line.rawValue, forKey: .line)
    try container.encode(line.title, forKey: .title)
    try container.encodeIfPresent(line.calls, forKey: .calls)
    try container.encode(byName { median($0) }, forKey: .medians)
    try container.encode(byName { ratio($0) }, forKey: .ratios)
    try container.encode(line.budget.text, forKey: .budget)
    try container.encodeIfPresent(isWithinBudget, forKey: .isWithinBudget)
    try container.encode(byName { samples[$0] }, forKey: .samples)
  }

  private func byName<Value>(_ value: (Contestant.Name) -> Value?) -> [String: Value] {
    let pairs = Contestant.Name.allCases.compactMap { name in
      value(name).map { (name.rawValue, $0) }
    }
    return Dictionary(uniqueKeysWithValues: pairs)
  }
}

extension Budget {
  var text: String {
    switch self {
    case .timesByHand(let limit): "\(limit)"
    case .timesPeer(let limit): "\(limit) GRDB"
    }
  }
}
