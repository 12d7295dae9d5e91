/// Writes the body of a message: numbers are little-endian, and all items fill words of 8 bytes.
struct WireWriter {
  private(set) var bytes: [UInt8] = []

  mutating func append(byte: UInt8) { bytes.append(byte) }

  mutating func append(_ number: UInt32) {
    for shift in stride(from: UInt32(0), to: 32, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: number >> shift))
    }
  }

  mutating func append(_ word: UInt64) {
    append(UInt32(truncatingIfNeeded: word))
    append(UInt32(truncatingIfNeeded: word >> 32))
  }

  /// Appends a text, with a NUL at its end. The caller has checked that it contains none: a node
  /// would take the rest for the next item.
  mutating func append(_ text: String) {
    bytes.append(contentsOf: text.utf8)
    bytes.append(0)
    pad()
  }

  mutating func append(blob: some Collection<UInt8>) {
    append(UInt64(blob.count))
    bytes.append(contentsOf: blob)
    pad()
  }

  /// Fills the last word.
  mutating func pad() { while !bytes.count.isMultiple(of: 8) { bytes.append(0) } }
}
