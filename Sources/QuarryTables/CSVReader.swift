import Foundation
import Quarry

/// Reads the records of a CSV file, one after the other, with a buffer that holds the current one.
///
/// The format is that of RFC 4180: fields between delimiters, in double quotes where they contain
/// delimiters, quotes (doubled), or ends of lines. Lines end with CRLF, LF or CR. Quotes elsewhere
/// are an error.
///
/// The file is open until the reader goes: it may be deleted or replaced meanwhile. If it is
/// written to, the reader throws.
///
/// See <https://www.rfc-editor.org/rfc/rfc4180>.
@safe final class CSVReader {
  /// A field of the current record, in the buffer.
  struct Field {
    /// The bounds of its content, in bytes from the beginning of the record.
    var start: Int
    var end: Int
    /// Whether the field is in quotes.
    var isQuoted = false
    /// Whether the content has doubled quotes.
    var hasQuotes = false
  }

  let path: String
  /// The line where the current record begins, counted from 1.
  private(set) var line = 0
  private(set) var fields: ContiguousArray<Field> = []

  private let descriptor: CInt
  private let version: FileVersion
  private let delimiter: UInt8
  /// For each byte, whether it may end an unquoted field.
  private let endsField: UnsafeMutablePointer<Bool>

  private var buffer: UnsafeMutablePointer<UInt8>
  private var capacity = 1 << 16
  /// The beginning of the current record, that of the next one, and the end of the bytes that were
  /// read.
  private var recordStart = 0
  private var nextStart = 0
  private var count = 0
  private var nextLine = 1
  private var isFileAtEnd = false

  private static let maximumRecordSize = 1 << 28

  init(path: String, delimiter: UInt8) throws {
    self.path = path
    self.delimiter = delimiter
    try FilePath.check(path)
    // Without waiting for the other end of a pipe.
    descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw Self.failure(path, errno) }
    do {
      version = try FileVersion(descriptor, path: path)
    } catch {
      Foundation.close(descriptor)
      throw error
    }
    // One more, for the end of a line that ends each search.
    unsafe buffer = .allocate(capacity: capacity + 1)
    unsafe endsField = .allocate(capacity: 256)
    unsafe endsField.initialize(repeating: false, count: 256)
    for byte in [delimiter, UInt8.quote, .lineFeed, .carriageReturn] {
      unsafe endsField[Int(byte)] = true
    }
  }

  deinit {
    Foundation.close(descriptor)
    unsafe buffer.deallocate()
    unsafe endsField.deallocate()
  }

  /// The size of the file in bytes.
  var fileSize: Int64 { version.size }

  /// Moves to the next record. Returns false after the last one. Empty lines are passed over,
  /// unless records have one field: before the header, they always are.
  func next(fieldCount: Int?, isHeader: Bool = false) throws -> Bool {
    repeat {
      guard try readRecord() else { return false }
    } while fields.count == 1 && fields[0].end == 0 && (isHeader || fieldCount != 1)
    if let fieldCount, fields.count != fieldCount {
      throw error("\(fields.count) fields instead of \(fieldCount)")
    }
    return true
  }

  private func readRecord() throws -> Bool {
    recordStart = nextStart
    line = nextLine
    if line == 1, count == 0 { try begin() }
    while true {
      if recordStart == count, isFileAtEnd { return false }
      if try parse() { return true }
      try fill()
    }
  }

  /// Passes over the byte order mark.
  private func begin() throws {
    while count < 3, !isFileAtEnd { try fill() }
    let start = unsafe UnsafeBufferPointer(start: buffer, count: min(count, 3))
    if unsafe start.starts(with: [0xFF, 0xFE]) || start.starts(with: [0xFE, 0xFF]) {
      throw error("the file is not UTF-8, but UTF-16")
    }
    if unsafe start.elementsEqual([0xEF, 0xBB, 0xBF]) { recordStart = 3 }
  }

  /// Reads more of the file, after the current record.
  private func fill() throws {
    unsafe buffer.update(from: buffer + recordStart, count: count - recordStart)
    count -= recordStart
    nextStart = max(0, nextStart - recordStart)
    recordStart = 0
    if count == capacity { try grow() }
    let size = unsafe read(descriptor, buffer + count, capacity - count)
    guard size >= 0 else { throw Self.failure(path, errno) }
    guard try FileVersion(descriptor, path: path) == version else {
      throw error("the file has changed while it was read")
    }
    count += size
    isFileAtEnd = size == 0
    unsafe buffer[count] = .lineFeed
  }

  private func grow() throws {
    guard capacity < Self.maximumRecordSize else {
      throw error("a record has more than \(Self.maximumRecordSize) bytes: a quote may be missing")
    }
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity * 4 + 1)
    unsafe larger.update(from: buffer, count: count)
    unsafe buffer.deallocate()
    unsafe buffer = unsafe larger
    capacity *= 4
  }
}

// One record.
extension CSVReader {
  /// Finds the fields of the record. Returns false if its end was not read yet.
  private func parse() throws -> Bool {
    fields.removeAll(keepingCapacity: true)
    var position = recordStart
    var lineCount = 0
    while true {
      let isQuoted = unsafe position < count && buffer[position] == .quote
      let end = try isQuoted ? parseQuoted(position, &lineCount) : parsePlain(position)
      guard let end else { return false }
      position = end
      if position == count { break }
      if unsafe buffer[position] != delimiter { break }
      position += 1
    }
    return endRecord(at: position, lineCount: lineCount)
  }

  /// Returns where the field ends, nil if that was not read yet.
  private func parsePlain(_ start: Int) throws -> Int? {
    let (buffer, endsField) = unsafe (buffer, endsField)
    var position = start
    while unsafe !endsField[Int(buffer[position])] { position += 1 }
    if position == count {
      guard isFileAtEnd else { return nil }
    } else if unsafe buffer[position] == .quote {
      throw error("a quote inside of a field that is not in quotes")
    }
    fields.append(Field(start: start - recordStart, end: position - recordStart))
    return position
  }

  /// Returns where the field ends, after its quote, nil if that was not read yet.
  private func parseQuoted(_ start: Int, _ lineCount: inout Int) throws -> Int? {
    let buffer = unsafe buffer
    var field = Field(start: start + 1 - recordStart, end: 0, isQuoted: true)
    var position = start + 1
    let firstLine = line + lineCount
    while true {
      while position < count, unsafe buffer[position] != .quote {
        if endsLine(position) { lineCount += 1 }
        position += 1
      }
      if position == count {
        guard isFileAtEnd else { return nil }
        throw error("a quote is never closed", line: firstLine)
      }
      position += 1
      if position == count, !isFileAtEnd { return nil }
      guard position < count, unsafe buffer[position] == .quote else { break }
      field.hasQuotes = true
      position += 1
    }
    field.end = position - 1 - recordStart
    guard unsafe position == count || endsField[Int(buffer[position])] else {
      throw error("text after a closing quote", line: line + lineCount)
    }
    fields.append(field)
    return position
  }

  /// A line ends with LF, or with a CR that is not part of CRLF. The byte after the last one that
  /// was read is LF.
  private func endsLine(_ position: Int) -> Bool {
    let byte = unsafe buffer[position]
    return unsafe byte == .lineFeed || byte == .carriageReturn && buffer[position + 1] != .lineFeed
  }

  /// Passes over the end of the line. Returns false if it was not read yet.
  private func endRecord(at position: Int, lineCount: Int) -> Bool {
    var end = position
    if end < count {
      if unsafe buffer[end] == .carriageReturn {
        if end + 1 == count, !isFileAtEnd { return false }
        if end + 1 < count, unsafe buffer[end + 1] == .lineFeed { end += 1 }
      }
      end += 1
    }
    nextStart = end
    nextLine = line + lineCount + 1
    return true
  }
}

// Contents of fields.
extension CSVReader {
  /// The bytes of a field, valid until the next record. Doubled quotes are doubled in them.
  func bytes(_ field: Field) -> UnsafeBufferPointer<UInt8> {
    unsafe UnsafeBufferPointer(
      start: buffer + recordStart + field.start, count: field.end - field.start)
  }

  func text(_ field: Field) throws -> String {
    let bytes = unsafe bytes(field)
    let text =
      unsafe field.hasQuotes ? Self.text(unescaping: bytes) : String(decoding: bytes, as: UTF8.self)
    // Bytes that are no UTF-8 are repaired.
    guard unsafe field.hasQuotes ? text.unicodeScalars.contains("\u{FFFD}") : !text.hasBytes(bytes)
    else { return text }
    guard unsafe String(decoding: bytes, as: UTF8.self).hasBytes(bytes) else {
      throw error("the text is not UTF-8")
    }
    return text
  }

  private static func text(unescaping bytes: UnsafeBufferPointer<UInt8>) -> String {
    var content: [UInt8] = []
    content.reserveCapacity(bytes.count)
    var position = 0
    while position < bytes.count {
      unsafe content.append(bytes[position])
      unsafe position += bytes[position] == .quote ? 2 : 1
    }
    return String(decoding: content, as: UTF8.self)
  }

  func error(_ message: String, line: Int? = nil) -> DatabaseError {
    DatabaseError(message: "\(path):\(line ?? self.line): \(message)")
  }

  fileprivate static func failure(_ path: String, _ code: CInt) -> DatabaseError {
    DatabaseError(
      resultCode: .SQLITE_CANTOPEN, message: unsafe "\(path): \(String(cString: strerror(code)))")
  }
}

/// The attributes of a file that change when it is written to.
private struct FileVersion: Equatable {
  let size: Int64
  private let seconds: Int
  private let nanoseconds: Int

  init(_ descriptor: CInt, path: String) throws {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw CSVReader.failure(path, errno) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw DatabaseError(resultCode: .SQLITE_CANTOPEN, message: "\(path): not a regular file")
    }
    size = Int64(status.st_size)
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    seconds = Int(time.tv_sec)
    nanoseconds = Int(time.tv_nsec)
  }
}

extension String {
  fileprivate func hasBytes(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard utf8.count == bytes.count else { return false }
    guard let other = bytes.baseAddress else { return true }
    let isSame = unsafe utf8.withContiguousStorageIfAvailable { content in
      unsafe content.baseAddress.map { unsafe memcmp($0, other, bytes.count) == 0 }
    }
    return unsafe (isSame ?? nil) ?? utf8.elementsEqual(bytes)
  }
}

extension UInt8 {
  fileprivate static var quote: UInt8 { UInt8(ascii: "\"") }
  fileprivate static var lineFeed: UInt8 { UInt8(ascii: "\n") }
  fileprivate static var carriageReturn: UInt8 { UInt8(ascii: "\r") }
}
