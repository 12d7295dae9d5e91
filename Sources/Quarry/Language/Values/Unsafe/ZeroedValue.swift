/// A value that is made of zeroed memory.
///
/// *Assumption*: zeroed memory is a value of types without references: numbers, enumerations, and
/// structs of them. It is none of pointers and metatypes, where `nil` takes the zeros, and of types
/// without values, which take no memory. *Check*: `PlaceholderTests`, for types of all kinds.
/// *Gain*: placeholders for types that say nothing of their values: ranges, dates, frameworks'
/// structs. Without it, a record that has one stops the program where its row can't be decoded.
enum ZeroedValue {
  static func make<Value>(_ type: Value.Type) -> Value? {
    // An enumeration with raw values has at least one case, whose size may be zero too.
    guard _isPOD(type), MemoryLayout<Value>.size > 0 || type is any RawRepresentable.Type,
      let value = zeroed(Value?.self)
    else { return nil }
    // No code of the application sees the parts before they are known to be values.
    if type is any CustomReflectable.Type { return value }
    return Mirror(reflecting: value).children.allSatisfy { isValue($0.value) } ? value : nil
  }

  private static func isValue(_ part: Any) -> Bool { _openExistential(part, do: hasZero) }

  private static func zeroed<Value>(_ type: Value.Type) -> Value {
    unsafe withUnsafeTemporaryAllocation(
      byteCount: MemoryLayout<Value>.size, alignment: MemoryLayout<Value>.alignment
    ) { memory in
      unsafe memory.initializeMemory(as: UInt8.self, repeating: 0)
      return unsafe memory.load(as: Value.self)
    }
  }
}

private func hasZero<Value>(_ value: Value) -> Bool {
  Value.self is any DecodingPlaceholder.Type || ZeroedValue.make(Value.self) != nil
}
