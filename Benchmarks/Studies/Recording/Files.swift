import Foundation
import Quarry
import QuarryChanges

/// The memory that the application of a large changeset takes, from its file and from memory
/// (Linux).
struct Files {
  private static let count = 1_000_000

  static func run() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("quarry-recording-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let url = folder.appendingPathComponent("book.changes")
    let recording = try peak { try record(to: url, Recording.makePool(folder, "a")) }
    let file = try Recording.makePool(folder, "b")
    let fromFile = try peak { try file.write { db in try db.applyChanges(contentsOf: url) } }
    let memory = try Recording.makePool(folder, "c")
    let fromMemory = try peak {
      try memory.write { db in try Changeset(contentsOf: url).apply(to: db) }
    }
    let size = try url.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
    print("1,000,000 insertions, a changeset of \(size / 1_000_000) MB; milliseconds, peak in MB")
    for (name, (time, peak)) in [
      ("recordChanges(to:)", recording), ("applyChanges(contentsOf:)", fromFile),
      ("Changeset.apply(to:)", fromMemory),
    ] {
      print(name, String(format: "%.0f  %.1f", time, peak))
    }
  }

  private static func record(to url: URL, _ pool: DatabasePool) throws {
    _ = FileManager.default.createFile(atPath: url.path, contents: nil)
    let file = try FileHandle(forWritingTo: url)
    try pool.write { db in
      try db.recordChanges(in: ["book"], to: file) {
        try db.execute(
          sql: """
            WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT \(count))
            INSERT INTO book SELECT i, 'Book number ' || i, i % 100, 9.5 FROM n
            """)
      }
    }
    try file.close()
  }

  /// The milliseconds of a closure, and how far the resident memory rises above that before it.
  private static func peak(_ body: () throws -> Void) throws -> (Double, Double) {
    try Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs"))
    let before = try status("VmRSS")
    let time = try Recording.milliseconds(body)
    return (time, Double(try status("VmHWM") - before) / 1000)
  }

  /// A line of the state of the process, in kilobytes.
  private static func status(_ name: String) throws -> Int {
    let text = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = text.split(separator: "\n").first { $0.hasPrefix(name + ":") }
    return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
  }
}
