import Foundation

/// What is wrong with the input, and where.
struct InputError: Error, CustomStringConvertible {
  var file: String
  var line: Int?
  var message: String

  var description: String {
    line.map { "\(file):\($0): \(message)" } ?? "\(file): \(message)"
  }
}

/// One record of a CSV file, by the names of the header.
struct CSVRecord {
  var file: String
  var line: Int
  var fields: [String: String]

  func text(_ column: String) throws -> String {
    guard let text = fields[column], !text.isEmpty else { throw error("no \(column)") }
    return text
  }

  func year(_ column: String) throws -> Int {
    guard let year = Int(try text(column)) else { throw error("\(column) is no year") }
    return year
  }

  func error(_ message: String) -> InputError {
    InputError(file: file, line: line, message: message)
  }
}

/// Reads the format of RFC 4180: fields between commas, in double quotes where they contain commas,
/// quotes (doubled) or ends of lines. The first line names the columns.
struct CSVReader {
  private let file: String
  private var rest: ArraySlice<UInt8>
  private var line = 1

  static func records(file: String, columns: [String]) throws -> [CSVRecord] {
    var reader = try CSVReader(file: file)
    guard try reader.nextRecord()?.fields == columns else {
      throw InputError(
        file: file, line: 1, message: "the columns are not \(columns.joined(separator: ","))")
    }
    var records: [CSVRecord] = []
    while let (line, fields) = try reader.nextRecord() {
      let record = CSVRecord(
        file: file, line: line, fields: Dictionary(zip(columns, fields)) { first, _ in first })
      guard fields.count == columns.count else {
        throw record.error("\(fields.count) fields instead of \(columns.count)")
      }
      records.append(record)
    }
    return records
  }

  private init(file: String) throws {
    guard let content = FileManager.default.contents(atPath: file) else {
      throw InputError(file: file, message: "can't read the file")
    }
    self.file = file
    rest = Array(content)[...]
  }

  private mutating func nextRecord() throws -> (line: Int, fields: [String])? {
    while skipLineEnd() {}
    guard !rest.isEmpty else { return nil }
    let start = line
    var fields = [try nextField()]
    while skip(",") { fields.append(try nextField()) }
    guard skipLineEnd() || rest.isEmpty else { throw error("text after a closing quote") }
    return (start, fields)
  }

  private mutating func nextField() throws -> String {
    if skip("\"") { return try quotedField() }
    let bytes = rest.prefix { !",\r\n\"".utf8.contains($0) }
    rest = rest.dropFirst(bytes.count)
    guard !skip("\"") else { throw error("a quote inside an unquoted field") }
    return try text(bytes)
  }

  private mutating func quotedField() throws -> String {
    let start = line
    var bytes: ArraySlice<UInt8> = []
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "\""), !skip("\"") { return try text(bytes) }
      if byte == UInt8(ascii: "\n") { line += 1 }
      bytes.append(byte)
    }
    throw InputError(file: file, line: start, message: "a quote is never closed")
  }

  private mutating func skip(_ token: String) -> Bool {
    guard rest.starts(with: token.utf8) else { return false }
    rest = rest.dropFirst(token.utf8.count)
    return true
  }

  private mutating func skipLineEnd() -> Bool {
    guard skip("\n") || skip("\r\n") else { return false }
    line += 1
    return true
  }

  private func text(_ bytes: ArraySlice<UInt8>) throws -> String {
    guard let text = String(bytes: bytes, encoding: .utf8) else { throw error("not UTF-8") }
    return text
  }

  private func error(_ message: String) -> InputError {
    InputError(file: file, line: line, message: message)
  }
}
