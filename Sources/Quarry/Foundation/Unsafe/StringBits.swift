extension String {
  /// Whether the strings are one: the same short text, or the same storage. If not, they may still
  /// be equal.
  ///
  /// *Assumption*: a string of 64-bit platforms is two words, which hold a short text, or the
  /// address and length of another one. `==` begins with this comparison too. *Check*:
  /// `BinaryTextTests`. *Gain*: two comparisons instead of a call, for each column that a record
  /// sets, and each key that it decodes. Elsewhere, the bytes are compared.
  @inlinable @inline(__always) func hasSameBits(as other: String) -> Bool {
    guard MemoryLayout<String>.size == MemoryLayout<(UInt64, UInt64)>.size else { return false }
    let words = unsafe unsafeBitCast(self, to: (UInt64, UInt64).self)
    let otherWords = unsafe unsafeBitCast(other, to: (UInt64, UInt64).self)
    return words.0 == otherWords.0 && words.1 == otherWords.1
  }
}
