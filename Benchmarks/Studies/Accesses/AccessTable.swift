import ByHand
import Foundation
import Harness
import WithGRDB
import WithQuarry

/// Prints line after line: the best of all rounds, which other programs on the machine disturb
/// least.
struct AccessTable {
  enum Unit: String {
    case microseconds = "us"
    case milliseconds = "ms"
    case perSecond = "1/s"

    /// What is shown for so many seconds per operation.
    func text(_ seconds: Double) -> String {
      switch self {
      case .microseconds: String(format: "%.2f", seconds * 1e6)
      case .milliseconds: String(format: "%.2f", seconds * 1e3)
      case .perSecond: String(format: "%.0f", 1 / seconds)
      }
    }
  }

  let options: Options

  init(options: Options) {
    self.options = options
    show(row("line", ["C", "Quarry", "GRDB", "unit", "Quarry/C", "GRDB/C", "Quarry/GRDB"]))
  }

  /// The seconds of an operation, by contender: C, Quarry, GRDB. The rounds are interleaved.
  func add(
    _ title: String, _ unit: Unit, _ contenders: [(() throws -> Double)?]
  ) throws {
    guard options.filter.isEmpty || title.contains(options.filter) else { return }
    var best: [Double?] = contenders.map { _ in nil }
    for round in 0...options.rounds {
      for (index, measure) in contenders.enumerated() {
        guard let seconds = try measure?(), round > 0 else { continue }
        best[index] = min(best[index] ?? .infinity, seconds)
      }
    }
    show(title, unit, best)
  }

  func show(_ title: String, _ unit: Unit, _ best: [Double?]) {
    func ratio(_ index: Int, _ base: Int) -> String {
      guard let value = best[index], let base = best[base] else { return "-" }
      return String(format: "%.2f", value / base)
    }
    show(
      row(
        title,
        best.map { $0.map(unit.text) ?? "-" } + [
          unit.rawValue, ratio(1, 0), ratio(2, 0), ratio(1, 2),
        ]))
  }

  /// Written at once: the next line may take long.
  private func show(_ line: String) {
    FileHandle.standardOutput.write(Data("\(line)\n".utf8))
  }

  private func row(_ title: String, _ cells: [String]) -> String {
    let cells = cells.map { String(repeating: " ", count: max(0, 11 - $0.count)) + $0 }
    return title.padding(toLength: 42, withPad: " ", startingAt: 0) + cells.joined()
  }
}

/// The contenders on a file.
struct Contenders {
  let byHand: PoolByHand
  let quarry: WithQuarry.PoolToolkit
  let peer: WithGRDB.PoolToolkit

  var all: [any AccessContender] { [byHand, quarry, peer] }

  /// Each with a file of its own.
  init(_ folder: Folder, readers: Int, synchronous: String = "NORMAL") throws {
    byHand = try PoolByHand(
      path: folder.makeFile(AccessDataset.schema), readers: readers, synchronous: synchronous)
    quarry = try WithQuarry.PoolToolkit(
      path: folder.makeFile(AccessDataset.schema), readers: readers, synchronous: synchronous)
    peer = try WithGRDB.PoolToolkit(
      path: folder.makeFile(AccessDataset.schema), readers: readers, synchronous: synchronous)
  }
}

/// The seconds of a call.
func seconds(_ body: () throws -> Void) rethrows -> Double {
  let clock = ContinuousClock()
  return try clock.measure(body).seconds
}

extension Duration {
  var seconds: Double {
    Double(components.seconds) + Double(components.attoseconds) / 1e18
  }
}
