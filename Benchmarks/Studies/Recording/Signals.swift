import Dispatch
import Foundation
import Quarry
import QuarryChanges

/// What signals between processes cost: a commit, the time until another process is notified, and
/// how often a process wakes up while nothing happens (Linux).
struct Signals {
  private static let count = 2_000

  static func run() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("quarry-signals-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try printCommits(folder)
    for hasNames in [false, true] {
      let pool = try Recording.makePool(folder, "latency-\(hasNames)")
      let signals = try pool.notifyChangesOfOtherProcesses(namingTables: hasNames)
      defer { signals.cancel() }
      try printLatencies(pool, hasNames)
      // The threads of the queues end in the meantime.
      Thread.sleep(forTimeInterval: 10)
      let switches = contextSwitches()
      Thread.sleep(forTimeInterval: 10)
      // This thread, which sleeps, is among them.
      print("names \(hasNames): \(contextSwitches() - switches) wake-ups in 10 idle seconds")
    }
  }

  private static func printCommits(_ folder: URL) throws {
    var best = [Double](repeating: .infinity, count: 2)
    for round in 0..<7 {
      for (index, hasNames) in [false, true].enumerated() {
        let pool = try Recording.makePool(folder, "commits-\(round)-\(hasNames)")
        let publisher = try hasNames ? NamedSignals(pool) : nil
        let time = try Recording.milliseconds {
          for _ in 0..<count { try insertBook(pool) }
        }
        publisher?.end()
        best[index] = min(best[index], time / Double(count) * 1e3)
      }
    }
    print(String(format: "a commit: %.1f microseconds, with names %.1f", best[0], best[1]))
  }

  /// The connection publishes; looks at its own commits are not what is measured.
  private struct NamedSignals {
    let signals: AnyDatabaseCancellable

    init(_ pool: DatabasePool) throws {
      signals = try pool.notifyChangesOfOtherProcesses(namingTables: true)
    }

    func end() { signals.cancel() }
  }

  private static func insertBook(_ pool: DatabasePool) throws {
    try pool.write { db in
      try db.execute(sql: "INSERT INTO book (title, shelf, price) VALUES ('Emma', 1, 9.5)")
    }
  }

  private static func printLatencies(_ pool: DatabasePool, _ hasNames: Bool) throws {
    let semaphore = DispatchSemaphore(value: 0)
    nonisolated(unsafe) var notified: UInt64 = 0
    let observation = DatabaseRegionObservation(tracking: Table("book")).start(in: pool) { _ in
    } onChange: { _ in
      notified = DispatchTime.now().uptimeNanoseconds
      semaphore.signal()
    }
    defer { observation.cancel() }
    let (process, input, output) = (Process(), Pipe(), Pipe())
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = ["--signals-peer", pool.path, hasNames ? "names" : ""]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    var times: [Double] = []
    for _ in 0..<500 {
      while semaphore.wait(timeout: .now()) == .success {}
      input.fileHandleForWriting.write(Data("\n".utf8))
      let text = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
      let committed = UInt64(text.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0
      semaphore.wait()
      times.append((Double(notified) - Double(committed)) / 1e6)
      usleep(2_000)
    }
    process.terminate()
    times.sort()
    print(
      "names \(hasNames): notified after "
        + String(format: "%.2f ms (median), %.2f ms (99%%)", times[250], times[494]))
  }

  /// The other process: commits for each line, and says when it has.
  static func peer(_ arguments: [String]) throws {
    let pool = try DatabasePool(path: arguments[0])
    let signals =
      arguments[1] == "names" ? try pool.notifyChangesOfOtherProcesses(namingTables: true) : nil
    while readLine() != nil {
      try insertBook(pool)
      let time = DispatchTime.now().uptimeNanoseconds
      FileHandle.standardOutput.write(Data("\(time)\n".utf8))
    }
    signals?.cancel()
  }

  /// How often a thread of the process has waited, also one that has ended since.
  private static func contextSwitches() -> Int {
    var usage = rusage()
    // RUSAGE_SELF, which has another type on each system.
    getrusage(0, &usage)
    return usage.ru_nvcsw
  }
}
