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

  /// All keys of an enumeration of 2 to 255 cases without associated values. Nil for other types.
  ///
  /// *Assumption*: the cases of such an enumeration are the bytes from zero, and the byte after the
  /// last one is nil. In one with associated values, zero has such a value.
  /// *Check*: `KeyByteTests`.
  /// *Gain*: the columns of a type are known without a record. Decoding a record from invented
  /// values would run the code of the application on them.
  static var allKeys: [Self]? {
    guard isByte, MemoryLayout<Self>.size == 1, MemoryLayout<Self?>.size == 1 else { return nil }
    let count = unsafe unsafeBitCast(Self?.none, to: UInt8.self)
    let mirror = unsafe Mirror(reflecting: unsafeBitCast(0 as UInt8, to: Self.self))
    guard mirror.displayStyle == .enum, mirror.children.isEmpty else { return nil }
    return (0..<count).map { unsafe unsafeBitCast($0, to: Self.self) }
  }
}
