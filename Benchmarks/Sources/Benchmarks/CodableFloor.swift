import Harness

/// The least that Codable records cost: the loops by hand, Quarry, and between them the same loops
/// with coders that check nothing. The standard library takes the difference between the first two.
struct CodableFloor {
  private let times: LineTimes

  private static let lines: [Line] = [
    .codable, .narrowCodable, .values, .dates, .uuids, .decimals, .insertCodable,
    .narrowInsertCodable,
  ]

  static func text(path: String, rounds: Int) throws -> String {
    let runner = Runner(contestants: try Contestant.codable(path: path))
    let results = try lines.map { CodableFloor(times: try runner.times(of: $0, rounds: rounds)) }
    return Table(results: results).text
  }
}

extension CodableFloor: LineResult {
  static let headings = [
    "line", "C", "unchecked", "Quarry", "unit", "unchecked/C", "Quarry/C", "Quarry/unchecked",
  ]

  var cells: [String] {
    let names: [Contestant.Name] = [.byHand, .unchecked, .quarry]
    let milliseconds = names.map { (times.least($0) ?? .nan) * 1e3 }
    let ratios = [
      milliseconds[1] / milliseconds[0], milliseconds[2] / milliseconds[0],
      milliseconds[2] / milliseconds[1],
    ]
    return [times.line.title] + milliseconds.map { $0.rounded(to: 1) } + ["ms"]
      + ratios.map { $0.rounded(to: 2) }
  }

  func encode(to encoder: any Encoder) throws {
    try times.encode(to: encoder)
  }
}
