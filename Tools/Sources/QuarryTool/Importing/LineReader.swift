import Foundation

/// The lines of a text file, read in parts. Lines end with LF or CRLF.
final class LineReader {
  private let path: String
  private let handle: FileHandle
  private var buffer = Data()
  private var isAtEnd = false

  /// The number of the line that was read last, from 1.
  private(set) var line = 0
  /// How many bytes were read up to the end of this line.
  private(set) var position = 0
  let size: Int

  private static let partSize = 1 << 18

  init(path: String) throws {
    self.path = path
    guard let handle = FileHandle(forReadingAtPath: path) else {
      throw ToolError("\(path): can't read the file")
    }
    self.handle = handle
    size = Int(try handle.seekToEnd())
    try handle.seek(toOffset: 0)
  }

  func next() throws -> String? {
    while true {
      if let end = buffer.firstIndex(of: 0x0A) { return try take(upTo: end, and: 1) }
      if isAtEnd { return buffer.isEmpty ? nil : try take(upTo: buffer.endIndex, and: 0) }
      let part = try handle.read(upToCount: Self.partSize) ?? Data()
      isAtEnd = part.isEmpty
      buffer.append(part)
    }
  }

  private func take(upTo end: Data.Index, and length: Int) throws -> String {
    var bytes = buffer[..<end]
    buffer = buffer[(end + length)...]
    line += 1
    position += bytes.count + length
    if bytes.last == 0x0D { bytes = bytes.dropLast() }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw ToolError("\(path):\(line): the text is not UTF-8")
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
