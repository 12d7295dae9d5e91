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

  /// Opens what is at a path, to write into it, or makes a file: a link, a pipe or a device stays
  /// what it is, and a file keeps its permissions.
  static func openFile(_ path: String, permissions: mode_t = 0o666) throws -> FileHandle {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, permissions)
    guard descriptor >= 0 else { throw ToolError("\(path): can't write the file") }
    return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
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

  /// - parameter path: nil for standard output. A file that exists gets another content.
  init(path: String?) throws {
    handle = try path.map { try Output.openFile($0) }
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
