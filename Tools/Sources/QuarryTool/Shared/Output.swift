import Foundation

/// The two streams: results on standard output, the rest on standard error.
enum Output {
  static func line(_ text: String = "") {
    print(text)
  }

  /// Writes a line that is no result: progress, warnings, errors.
  static func note(_ text: String) {
    FileHandle.standardError.write(Data("quarry: \(text)\n".utf8))
  }

  /// Flushes standard output: a full disk is an error, and not a shorter result.
  static func end() throws {
    guard fflush(nil) == 0 else {
      throw ToolError("can't write the result: \(String(cString: strerror(errno)))")
    }
  }

  static var isErrorTerminal: Bool { isatty(STDERR_FILENO) == 1 }
}

/// A text file that is written in parts, or standard output.
struct TextFile: TextOutputStream {
  private let handle: FileHandle?
  private var buffer: [UInt8] = []

  /// - parameter path: nil for standard output. A file that exists is replaced.
  init(path: String?) throws {
    guard let path else {
      handle = nil
      return
    }
    guard FileManager.default.createFile(atPath: path, contents: nil),
      let handle = FileHandle(forWritingAtPath: path)
    else { throw ToolError("\(path): can't write the file") }
    self.handle = handle
  }

  mutating func write(_ string: String) {
    guard handle != nil else { return print(string, terminator: "") }
    buffer.append(contentsOf: string.utf8)
  }

  /// Writes what has come together.
  mutating func flush(atLeast size: Int = 1 << 16) throws {
    guard let handle, buffer.count >= size else { return }
    try handle.write(contentsOf: Data(buffer))
    buffer.removeAll(keepingCapacity: true)
  }

  mutating func close() throws {
    try flush(atLeast: 0)
    try handle?.close()
  }
}
