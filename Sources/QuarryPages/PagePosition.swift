import Foundation
import Quarry

// What a cursor contains, in bytes: the version of the format, whether the row of the position
// belongs to the page, the fingerprint of the order, the values, and a checksum. Doubles are stored
// by their bits, so that a page begins exactly where the one before has ended.

struct PagePosition {
  /// See ``PageOrder/fingerprint``.
  var order: UInt64
  var values: [DatabaseValue]
  /// Whether a row with the values belongs to the page: the cursor of an empty page returns to the
  /// rows from which it was reached.
  var isInclusive = false

  private static let version: UInt8 = 1

  init(order: UInt64, values: [DatabaseValue], isInclusive: Bool = false) {
    self.order = order
    self.values = values
    self.isInclusive = isInclusive
  }

  /// - Throws: ``PageCursorError``.
  init(_ text: String) throws {
    guard let bytes = [UInt8](base64URL: text) else { throw PageCursorError.damaged(text) }
    var reader = PageBytesReader(bytes: bytes.dropLast(8))
    guard let checksum = PageBytesReader(bytes: bytes.suffix(8)).wholeNumber,
      checksum == UInt64(fingerprintOf: bytes.dropLast(8)), reader.byte() == Self.version,
      let flag = reader.byte(), flag < 2, let order = reader.number()
    else { throw PageCursorError.damaged(text) }
    var values: [DatabaseValue] = []
    while !reader.bytes.isEmpty {
      guard let value = reader.value() else { throw PageCursorError.damaged(text) }
      values.append(value)
    }
    self.init(order: order, values: values, isInclusive: flag == 1)
  }

  var text: String {
    var bytes = [Self.version, isInclusive ? 1 : 0] + order.bytes
    for value in values { bytes.append(value) }
    return (bytes + UInt64(fingerprintOf: bytes).bytes).base64URL
  }
}

private struct PageBytesReader {
  private(set) var bytes: ArraySlice<UInt8>

  mutating func byte() -> UInt8? { bytes.popFirst() }

  /// The number that the bytes are, and nothing else.
  var wholeNumber: UInt64? {
    var reader = self
    guard let number = reader.number(), reader.bytes.isEmpty else { return nil }
    return number
  }

  mutating func number() -> UInt64? { take(8)?.reduce(0) { $0 << 8 | UInt64($1) } }

  mutating func value() -> DatabaseValue? {
    switch byte() {
    case 0: return .null
    case 1: return number().map { Int64(bitPattern: $0).databaseValue }
    case 2: return number().map { DatabaseValue(storage: .double(Double(bitPattern: $0))) }
    case 3: return block().flatMap { String(validUTF8: $0)?.databaseValue }
    case 4: return block().map { Data($0).databaseValue }
    default: return nil
    }
  }

  private mutating func block() -> ArraySlice<UInt8>? {
    number().flatMap { Int(exactly: $0) }.flatMap { take($0) }
  }

  private mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
    guard count <= bytes.count else { return nil }
    defer { bytes.removeFirst(count) }
    return bytes.prefix(count)
  }
}

extension [UInt8] {
  fileprivate mutating func append(_ value: DatabaseValue) {
    switch value.storage {
    case .null: append(0)
    case .int64(let number): self += [1] + UInt64(bitPattern: number).bytes
    case .double(let number): self += [2] + number.bitPattern.bytes
    case .string(let text): self += [3] + UInt64(text.utf8.count).bytes + text.utf8
    case .blob(let data): self += [4] + UInt64(data.count).bytes + data
    }
  }

  /// Base64 with the letters of URLs, and without padding.
  fileprivate var base64URL: String {
    Data(self).base64EncodedString()
      .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }

  fileprivate init?(base64URL text: String) {
    guard !text.utf8.contains(where: { "+/=".utf8.contains($0) }) else { return nil }
    let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
    let base64 = text.replacing("-", with: "+").replacing("_", with: "/") + padding
    guard let data = Data(base64Encoded: base64) else { return nil }
    self.init(data)
    // Bits that no byte needs: another text of the same cursor.
    guard self.base64URL.hasSameBytes(as: text) else { return nil }
  }
}

extension UInt64 {
  fileprivate var bytes: [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: self >> (56 - 8 * $0)) }
  }

  /// The 64 bits of FNV-1a, which are the same in all processes.
  init(fingerprintOf bytes: some Sequence<UInt8>) {
    self = bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
  }
}
