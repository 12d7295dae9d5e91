import Foundation

/// The lines of a text file, or of standard input, read in parts. Lines end with LF or CRLF.
final class LineReader {
  /// The text before the number of a line in errors.
  private let place: String
  private let handle: FileHandle
  private var buffer = Data()
  /// The number of the first bytes in the buffer that contain no end of a line.
  private var searchedCount = 0
  private var isAtEnd = false

  /// The number of the line that was read last, from 1.
  private(set) var line = 0
  /// How many bytes were read up to the end of this line.
  private(set) var position = 0
  /// The number of bytes of a file. 0 for standard input.
  let size: Int

  private static let partSize = 1 << 18

  private init(place: String, handle: FileHandle, size: Int) {
    self.place = place
    self.handle = handle
    self.size = size
  }

  convenience init(path: String) throws {
    guard let handle = FileHandle(forReadingAtPath: path) else {
      throw ToolError("\(path): can't read the file")
    }
    let size = Int(try handle.seekToEnd())
    try handle.seek(toOffset: 0)
    self.init(place: "\(path):", handle: handle, size: size)
  }

  static func standardInput() -> LineReader {
    LineReader(place: "standard input, line ", handle: .standardInput, size: 0)
  }

  /// - parameter keepingEnd: whether the line has the bytes of its end.
  func next(keepingEnd: Bool = false) throws -> String? {
    while true {
      if let end = buffer.dropFirst(searchedCount).firstIndex(of: 0x0A) {
        return try take(upTo: end + 1, keepingEnd)
      }
      if isAtEnd { return buffer.isEmpty ? nil : try take(upTo: buffer.endIndex, keepingEnd) }
      searchedCount = buffer.count
      try readPart()
    }
  }

  /// Reads what is there: the other end of a pipe may wait for the effect of its first lines.
  private func readPart() throws {
    var bytes = [UInt8](repeating: 0, count: Self.partSize)
    let count = read(handle.fileDescriptor, &bytes, Self.partSize)
    guard count >= 0 else {
      throw ToolError("\(place)\(line + 1): \(String(cString: strerror(errno)))")
    }
    isAtEnd = count == 0
    buffer.append(contentsOf: bytes[..<count])
  }

  private func take(upTo end: Data.Index, _ keepingEnd: Bool) throws -> String {
    var bytes = buffer[..<end]
    buffer = buffer[end...]
    searchedCount = 0
    line += 1
    position += bytes.count
    if !keepingEnd {
      if bytes.last == 0x0A { bytes = bytes.dropLast() }
      if bytes.last == 0x0D { bytes = bytes.dropLast() }
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw ToolError("\(place)\(line): the text is not UTF-8")
    }
    return text
  }

  /// The number of line ends in a file.
  static func countLines(_ path: String) throws -> Int {
    guard let handle = FileHandle(forReadingAtPath: path) else {
      throw ToolError("\(path): can't read the file")
    }
    var count = 0
    while let part = try handle.read(upToCount: partSize), !part.isEmpty {
      count += part.withUnsafeBytes { bytes in bytes.count { $0 == 0x0A } }
    }
    return count
  }
}
