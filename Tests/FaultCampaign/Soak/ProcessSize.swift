import CSQLite
import Foundation

/// What the process occupies. Linux only: elsewhere, sizes are zero.
struct ProcessSize: Sendable, CustomStringConvertible {
  /// The memory that is resident, in KiB.
  let residentSize: Int
  /// What SQLite has allocated, in KiB.
  let allocatedSize: Int
  let fileCount: Int
  let threadCount: Int

  init() {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    func number(_ name: String) -> Int {
      let line = status.split(separator: "\n").first { $0.hasPrefix("\(name):") }
      return line?.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) } ?? 0
    }
    residentSize = number("VmRSS")
    threadCount = number("Threads")
    allocatedSize = Int(sqlite3_memory_used() / 1024)
    fileCount = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
  }

  var description: String {
    "\(residentSize) KiB resident, \(allocatedSize) KiB of SQLite, \(fileCount) files, \(threadCount) threads"
  }
}
