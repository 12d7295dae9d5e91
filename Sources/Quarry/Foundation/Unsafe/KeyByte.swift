extension CodingKey {
  /// Whether keys of the type have a number in one byte, as enumerations without associated values
  /// do.
  ///
  /// *Assumption*: a value of plain bits that takes one byte is determined by it, and one of no
  /// size is the only value of its type.
  /// *Check*: `KeyByteTests`, `KeyTableTests`.
  /// *Gain*: other keys are found by name. Only such keys have columns by pointer and in place (see
  /// the fast routes in ARCHITECTURE.md).
  static var isByte: Bool { _isPOD(Self.self) && MemoryLayout<Self>.size <= 1 }

  /// The content of a key of one byte. Through a pointer to the key, it would take 50 instructions
  /// more for each value.
  @inline(__always) var byte: UInt8 {
    MemoryLayout<Self>.size == 0 ? 0 : unsafe unsafeBitCast(self, to: UInt8.self)
  }
}
