import Foundation
import Harness
import WithGRDB
import WithQuarry

// The cost of observations, beside GRDB.
//
//     swift run -c release Observations [--rounds N] [--filter WORD]

@main
struct Observations {
  static func main() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("quarry-observations-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let table = ObservationTable(folder: folder)
    table.show("line", "Quarry", "GRDB", "unit")
    try table.addCommits()
    try table.addUpdates()
    try table.addLatencies()
    try table.addStarts()
    try table.addMemory()
  }
}

/// Prints line after line.
struct ObservationTable {
  let folder: URL
  let rounds = Self.option("--rounds").flatMap { Int($0) } ?? 7
  let filter = option("--filter") ?? ""

  private static func option(_ name: String) -> String? {
    let arguments = CommandLine.arguments
    guard let index = arguments.firstIndex(of: name), index + 1 < arguments.count else {
      return nil
    }
    return arguments[index + 1]
  }

  func isWanted(_ title: String) -> Bool { filter.isEmpty || title.contains(filter) }

  /// New files, for Quarry and GRDB.
  func contenders() throws -> [any ObservationContender] {
    try [
      WithQuarry.ObservationToolkit(path: makePath()),
      WithGRDB.ObservationToolkit(path: makePath()),
    ]
  }

  private func makePath() -> String {
    folder.appendingPathComponent("\(UUID().uuidString).sqlite").path
  }

  func show(_ title: String, _ figures: [Double], _ unit: String, digits: Int = 2) {
    let texts = figures.map { String(format: "%.\(digits)f", $0) }
    show(title, texts[0], texts[1], unit)
  }

  /// Written at once: the next line may take long.
  func show(_ title: String, _ quarry: String, _ peer: String, _ unit: String) {
    let cells = [quarry, peer, unit].map {
      String(repeating: " ", count: max(0, 11 - $0.count)) + $0
    }
    let line = title.padding(toLength: 50, withPad: " ", startingAt: 0) + cells.joined()
    FileHandle.standardOutput.write(Data("\(line)\n".utf8))
  }
}

/// The values that several observers have got.
final class Deliveries: @unchecked Sendable {
  private let condition = NSCondition()
  private var counts: [Int]
  private var lastTime = ContinuousClock.now

  init(observers: Int) {
    counts = Array(repeating: 0, count: observers)
  }

  func deliver(to observer: Int) {
    let now = ContinuousClock.now
    condition.withLock {
      counts[observer] += 1
      lastTime = now
      condition.broadcast()
    }
  }

  /// Waits until each observer has got so many values, and returns the time of the last one. Then
  /// counts from zero.
  @discardableResult func wait(for count: Int) -> ContinuousClock.Instant {
    condition.withLock {
      while counts.contains(where: { $0 < count }) { condition.wait() }
      counts = Array(repeating: 0, count: counts.count)
      return lastTime
    }
  }
}

extension Duration {
  var seconds: Double {
    Double(components.seconds) + Double(components.attoseconds) / 1e18
  }
}
