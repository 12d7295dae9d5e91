/// The text of a statement that is being written.
typealias SQLBuffer = ByteBuffer

extension SQLBuffer {
  /// Between double quotes. Embedded quotes are doubled, so that a name never ends the identifier.
  mutating func append(identifier name: String) {
    let quote = UInt8(ascii: "\"")
    var name = name
    name.withUTF8 { bytes in
      unsafe append(maximumCount: 2 * bytes.count + 2) { start in
        var end = unsafe start
        unsafe end.pointee = quote
        unsafe end += 1
        for index in 0..<bytes.count {
          let byte = unsafe bytes[index]
          unsafe end.pointee = byte
          unsafe end += 1
          guard byte == quote else { continue }
          unsafe end.pointee = quote
          unsafe end += 1
        }
        unsafe end.pointee = quote
        return unsafe end - start + 1
      }
    }
  }

  mutating func append(_ number: Int) { append(text: String(number)) }
}
