import Foundation

/// The lines of a CSV file, from a place in it. No field reaches over several lines, so that a
/// broken line has no effect on the next one.
struct CSVLines {
  /// Where the next line begins.
  private(set) var offset: Int64
  /// Its number, from 1.
  private(set) var number: Int

  private let handle: FileHandle
  private var buffer: [UInt8] = []
  private var start = 0

  init(_ handle: FileHandle, offset: Int64 = 0, number: Int = 1) throws {
    self.handle = handle
    self.offset = offset
    self.number = number
    try handle.seek(toOffset: UInt64(offset))
  }

  /// The bytes of the next line, without its end; nil at the end of the file.
  mutating func next() throws -> ArraySlice<UInt8>? {
    var searched = start
    while true {
      if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        return take(upTo: end, endLength: 1)
      }
      searched = buffer.count - start
      buffer.removeFirst(start)
      start = 0
      guard let part = try handle.read(upToCount: 1 << 18), !part.isEmpty else {
        return buffer.isEmpty ? nil : take(upTo: buffer.count, endLength: 0)
      }
      buffer.append(contentsOf: part)
    }
  }

  private mutating func take(upTo end: Int, endLength: Int) -> ArraySlice<UInt8> {
    var line = buffer[start..<end]
    offset += Int64(line.count + endLength)
    number += 1
    start = end + endLength
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    return line
  }

  /// The fields of a line: between commas, in quotes where they contain commas or quotes, which are
  /// doubled.
  static func fields(_ line: ArraySlice<UInt8>) throws -> [String] {
    guard var rest = String(bytes: line, encoding: .utf8)?[...] else {
      throw Sale.Mistake(reason: "the text is not UTF-8")
    }
    var (fields, field, isQuoted) = ([String](), "", false)
    while let character = rest.popFirst() {
      switch character {
      case "\"" where isQuoted && rest.first == "\"":
        field.append(rest.removeFirst())
      case "\"" where isQuoted:
        isQuoted = false
        guard rest.isEmpty || rest.first == "," else {
          throw Sale.Mistake(reason: "text after a closing quote")
        }
      case "\"":
        guard field.isEmpty else { throw Sale.Mistake(reason: "a quote inside of a field") }
        isQuoted = true
      case "," where !isQuoted:
        fields.append(field)
        field = ""
      default:
        field.append(character)
      }
    }
    guard !isQuoted else { throw Sale.Mistake(reason: "a quote is never closed") }
    return fields + [field]
  }
}
