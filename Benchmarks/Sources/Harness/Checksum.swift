/// FNV-1a over values: whether contenders have read and written the same data in the same order.
public struct Checksum {
  public private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  public init() {}

  public mutating func add(_ integer: Int64) {
    add(bits: UInt64(bitPattern: integer))
  }

  public mutating func add(_ integer: Int) {
    add(Int64(integer))
  }

  public mutating func add(_ double: Double) {
    add(bits: double.bitPattern)
  }

  public mutating func add(_ string: String?) {
    guard let string else {
      add(-1)
      return
    }
    add(string.utf8.count)
    for byte in string.utf8 {
      add(bits: UInt64(byte))
    }
  }

  private mutating func add(bits: UInt64) {
    value = (value ^ bits) &* 0x100_0000_01b3
  }
}

extension Checksum {
  /// The checksum of what `body` adds for each element.
  public static func of<Elements: Sequence>(
    _ elements: Elements, _ body: (inout Checksum, Elements.Element) throws -> Void
  ) rethrows -> UInt64 {
    var checksum = Checksum()
    for element in elements {
      try body(&checksum, element)
    }
    return checksum.value
  }

  public static func of(_ rows: some Sequence<some RowValues>) -> UInt64 {
    of(rows) { checksum, row in row.add(to: &checksum) }
  }
}
