import ByHand
import Counters
import Foundation
import Harness
import WithGRDB
import WithQuarry

// The memory of fetches, beside GRDB and beside the C API, and of remembered queries: see
// Benchmarks/Studies/README.md.
//
//     swift run -c release Memory
//
// Each fetch has a process of its own: the program starts itself. It reads /proc, so it is for
// Linux.

@main
struct Memory {
  static let names = ["C", "Quarry", "GRDB"]

  static func main() throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    if arguments.first == "--child", arguments.count == 4 {
      return try measure(arguments[1], named: arguments[2], path: arguments[3])
    }
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("quarry-memory-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appendingPathComponent("memory.sqlite").path
    try makeMemoryFile(path: path)
    show("\(MemoryWork.rowCount) rows", ["bytes/record", "allocations/r.", "peak, MB"])
    for work in MemoryWork.allCases { try report(work, path) }
    print()
    try RememberedQueries.report()
  }

  /// A line for each contender. Throws when their checksums differ.
  private static func report(_ work: MemoryWork, _ path: String) throws {
    var checksums: Set<String> = []
    for name in names {
      let fields = try runChild(work, name, path).split(separator: " ").map(String.init)
      guard fields.count == 4 else { continue }
      checksums.insert(fields[3])
      show("\(work.rawValue): \(name)", Array(fields[..<3]))
    }
    guard checksums.count == 1 else { throw MemoryFailure("\(work): the checksums differ") }
  }

  private static func runChild(
    _ work: MemoryWork, _ name: String, _ path: String
  ) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
    process.arguments = ["--child", work.rawValue, name, path]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw MemoryFailure("\(work), \(name): failed") }
    return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// In a process of its own: prints the heap and the allocations of a record, the peak of the
  /// process above its start, and the checksum.
  private static func measure(_ work: String, named name: String, path: String) throws {
    guard let work = MemoryWork(rawValue: work),
      let pass = try contender(name, path).pass(for: work)
    else { return }
    try resetPeak()
    let start = try kilobytes("VmRSS")
    let heap = heap_in_use()
    counters_start()
    let outcome = try pass.run()
    let allocations = counters_stop().allocations
    let held = Int(heap_in_use()) - Int(heap)
    let peak = try kilobytes("VmHWM") - start
    let rows = Double(MemoryWork.rowCount)
    let fields = [Double(held) / rows, Double(allocations) / rows, Double(peak) / 1_000]
    print(fields.map { String(format: "%.1f", $0) }.joined(separator: " "), try outcome())
  }

  private static func contender(_ name: String, _ path: String) throws -> any MemoryContender {
    switch name {
    case "C": try MemoryByHand(path: path)
    case "Quarry": try WithQuarry.MemoryToolkit(path: path)
    default: try WithGRDB.MemoryToolkit(path: path)
    }
  }

  /// From here on, VmHWM is the peak since now.
  private static func resetPeak() throws {
    try Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs"))
  }

  /// See https://man7.org/linux/man-pages/man5/proc_pid_status.5.html
  private static func kilobytes(_ name: String) throws -> Int {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix(name + ":") } ?? ""
    guard let value = line.split(whereSeparator: \.isWhitespace).dropFirst().first,
      let number = Int(value)
    else { throw MemoryFailure("/proc/self/status has no \(name)") }
    return number
  }

  static func show(_ title: String, _ cells: [String]) {
    let cells = cells.map { String(repeating: " ", count: max(1, 16 - $0.count)) + $0 }
    let line = title.padding(toLength: 40, withPad: " ", startingAt: 0) + cells.joined()
    FileHandle.standardOutput.write(Data("\(line)\n".utf8))
  }
}

struct MemoryFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
