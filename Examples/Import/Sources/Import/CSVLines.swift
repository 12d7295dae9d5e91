import Foundation

/// The lines of a CSV file, from a place in it. No field has several lines: so a broken line has no effect on the next.
struct CSVLines {
  /// Where the next line begins.
  private(set) var offset: Int64
  /// Its number, from 1.
  private(set) var number: Int

  private let handle: FileHandle
  private var buffer: [UInt8] = []
  private var start = 0

  private static let partSize = 1 << 18

  init(path: String, offset: Int64 = 0, number: Int = 1) throws {
    handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
    try handle.seek(toOffset: UInt64(offset))
    self.offset = offset
    self.number = number
  }

  /// The bytes of the next line, without its end. Nil at the end of the file.
  mutating func next() throws -> ArraySlice<UInt8>? {
    var searched = start
    while true {
      if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        return take(upTo: end, endLength: 1)
      }
      searched = buffer.count - start
      buffer.removeFirst(start)
      start = 0
      guard let part = try handle.read(upToCount: Self.partSize), !part.isEmpty else {
        return buffer.isEmpty ? nil : take(upTo: buffer.count, endLength: 0)
      }
      buffer.append(contentsOf: part)
    }
  }

  private mutating func take(upTo end: Int, endLength: Int) -> ArraySlice<UInt8> {
    let line = buffer[start..<end]
    offset += Int64(line.count + endLength)
    number += 1
    start = end + endLength
    return line.last == UInt8(ascii: "\r") ? line.dropLast() : line
  }

  /// The fields of a line: between commas, and in quotes where they contain some.
  static func fields(_ line: ArraySlice<UInt8>) throws -> [String] {
    guard let text = String(validating: line, as: UTF8.self) else {
      throw Sale.Mistake(reason: "the text is not UTF-8")
    }
    guard text.contains("\"") else {
      return text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    var fields: [String] = []
    var rest = Substring(text)
    repeat { fields.append(try field(&rest)) } while rest.popFirst() != nil
    return fields
  }

  /// Takes a field, and leaves the comma after it.
  private static func field(_ rest: inout Substring) throws -> String {
    guard rest.first == "\"" else {
      let field = rest.prefix { $0 != "," }
      guard !field.contains("\"") else { throw Sale.Mistake(reason: "a quote inside of a field") }
      rest = rest[field.endIndex...]
      return String(field)
    }
    var field = ""
    repeat {
      let part = rest.dropFirst().prefix { $0 != "\"" }
      guard part.endIndex < rest.endIndex else {
        throw Sale.Mistake(reason: "a quote is never closed")
      }
      field += part
      rest = rest[part.endIndex...].dropFirst()
      if rest.first == "\"" { field += "\"" }
    } while rest.first == "\""
    guard rest.isEmpty || rest.first == "," else {
      throw Sale.Mistake(reason: "text after a closing quote")
    }
    return field
  }
}
