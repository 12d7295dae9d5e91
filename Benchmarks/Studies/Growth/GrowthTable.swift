import ByHand
import Foundation
import Harness
import WithGRDB
import WithQuarry

/// Measures the work of the growth, Quarry beside the C API and beside GRDB.
///
/// What is shown is the least processor time of all passes, by row: where the cost is linear, it is
/// the same for each number of rows.
struct GrowthTable {
  private static let names = ["C", "Quarry", "GRDB"]
  private static let rowCounts = [1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000]
  /// Fewer rows are fetched more often.
  private static let rowsOfAllRounds = 1_000_000

  /// The nanoseconds of a row, by the contender's name.
  struct Point: Encodable {
    var work: String
    var title: String
    var rows: Int
    var nanoseconds: [String: Double]
  }

  static func measure() throws -> [Point] {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("quarry-growth-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    show("ns per row", ["rows"] + names)
    return try rowCounts.flatMap { rows in
      try points(rows, folder.appendingPathComponent("\(rows).sqlite").path)
    }
  }

  private static func points(_ rows: Int, _ path: String) throws -> [Point] {
    try makeGrowthFile(path: path, rows: rows)
    let contenders: [any GrowthContender] = [
      try GrowthByHand(path: path), try WithQuarry.GrowthToolkit(path: path),
      try WithGRDB.GrowthToolkit(path: path),
    ]
    return try GrowthWork.allCases.map { work in
      let times = try times(work, rows, contenders)
      let point = Point(
        work: work.rawValue, title: work.title, rows: rows,
        nanoseconds: times.mapValues { ($0 * 1e9 / Double(rows)).rounded() })
      show(
        work.title,
        ["\(rows)"] + names.map { point.nanoseconds[$0].map { "\(Int($0))" } ?? "-" })
      return point
    }
  }

  /// The least seconds of all rounds, after one that is not recorded. The checksums are compared in
  /// each.
  private static func times(
    _ work: GrowthWork, _ rows: Int, _ contenders: [any GrowthContender]
  ) throws -> [String: Double] {
    var passes: [String: Pass] = [:]
    for (name, contender) in zip(names, contenders) {
      passes[name] = contender.pass(for: work, rows: rows)
    }
    var best: [String: Double] = [:]
    for round in 0...max(3, min(100, rowsOfAllRounds / rows)) {
      var checksums: Set<UInt64> = []
      for name in names {
        guard let pass = passes[name] else { continue }
        try pass.prepare()
        let start = processorSeconds()
        guard let outcome = try attempt(pass, round) else {
          passes[name] = nil
          continue
        }
        let time = processorSeconds() - start
        if round > 0 { best[name] = min(best[name] ?? .infinity, time) }
        checksums.insert(try outcome())
      }
      guard checksums.count == 1 else { throw DifferentResults(work: work, rows: rows) }
    }
    return best
  }

  /// Nil when the work fails, such as by a limit of SQLite: then its column is empty.
  private static func attempt(_ pass: Pass, _ round: Int) throws -> Pass.Outcome? {
    do {
      return try pass.run()
    } catch  where round == 0 {
      FileHandle.standardError.write(Data("\(error)".prefix(200).utf8 + [10]))
      return nil
    }
  }

  private static func show(_ title: String, _ cells: [String]) {
    let cells = cells.map { String(repeating: " ", count: max(1, 10 - $0.count)) + $0 }
    let line = title.padding(toLength: 40, withPad: " ", startingAt: 0) + cells.joined()
    FileHandle.standardOutput.write(Data("\(line)\n".utf8))
  }
}

private func processorSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// Contenders have read or written different data.
struct DifferentResults: Error {
  let work: GrowthWork
  let rows: Int
}
