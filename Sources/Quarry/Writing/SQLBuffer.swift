/// The text that is being written, in UTF-8.
struct SQLBuffer {
  private var bytes: [UInt8] = []

  init(capacity: Int = 256) {
    bytes.reserveCapacity(capacity)
  }

  var string: String { String(decoding: bytes, as: UTF8.self) }

  mutating func append(_ text: StaticString) {
    bytes.append(
      contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  mutating func append(byte: UInt8) {
    bytes.append(byte)
  }

  mutating func append(text: String) {
    bytes.append(contentsOf: text.utf8)
  }

  /// Between double quotes. Embedded quotes are doubled, so that a name never ends the identifier.
  mutating func append(identifier name: String) {
    let quote = UInt8(ascii: "\"")
    bytes.append(quote)
    if name.utf8.contains(quote) {
      for byte in name.utf8 {
        if byte == quote { bytes.append(quote) }
        bytes.append(byte)
      }
    } else {
      bytes.append(contentsOf: name.utf8)
    }
    bytes.append(quote)
  }

  mutating func append(_ number: Int) {
    if (0...9).contains(number) {
      bytes.append(UInt8(ascii: "0") + UInt8(number))
    } else {
      append(text: String(number))
    }
  }
}
