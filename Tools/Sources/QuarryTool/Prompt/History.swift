import Foundation

/// What was entered at prompts, in a file: one entry a line, ends of lines written as `\n`.
///
/// `QUARRY_HISTORY` names another file than `~/.quarry_history`; if it is empty, nothing is kept.
struct History {
  private(set) var entries: [String] = []
  private var path: String?

  private static let maximumCount = 1000

  static var standard: History {
    let environment = ProcessInfo.processInfo.environment
    let path = environment["QUARRY_HISTORY"] ?? environment["HOME"].map { $0 + "/.quarry_history" }
    return History(path: path.flatMap { $0.isEmpty ? nil : $0 })
  }

  init(path: String?) {
    self.path = path
    guard let path, let data = FileManager.default.contents(atPath: path) else { return }
    entries = String(decoding: data, as: UTF8.self).split(separator: "\n")
      .map { Self.unescaped(String($0)) }
  }

  /// Adds an entry, unless it is the last one. A file that can't be written is no reason to stop.
  mutating func add(_ entry: String) {
    guard !entry.isEmpty, entry != entries.last else { return }
    entries = (entries + [entry]).suffix(Self.maximumCount)
    guard let path, let file = try? Output.openFile(path, permissions: 0o600) else { return }
    Self.makePrivate(file)
    let text = entries.map { Self.escaped($0) + "\n" }.joined()
    try? file.write(contentsOf: Data(text.utf8))
  }

  /// What was entered may be private, also in a file that was there before. A device keeps its
  /// permissions.
  private static func makePrivate(_ file: FileHandle) {
    var status = stat()
    guard fstat(file.fileDescriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return
    }
    fchmod(file.fileDescriptor, 0o600)
  }

  private static func escaped(_ entry: String) -> String {
    entry.replacing("\\", with: "\\\\").replacing("\n", with: "\\n")
  }

  private static func unescaped(_ line: String) -> String {
    line.replacing(#/\\(.)/#) { $0.output.1 == "n" ? "\n" : String($0.output.1) }
  }
}
