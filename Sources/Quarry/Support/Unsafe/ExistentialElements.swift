/// The elements of a literal of existential values, which are read where they stand.
///
/// *Assumption*: an `any DatabaseValueConvertible` is five words: three where small values are, the type, and the
/// conformance. The type of `nil` is zero. That is the binary interface of Swift:
/// <https://github.com/swiftlang/swift/blob/main/docs/ABI/TypeLayout.rst>. Elements are not changed.
/// *Check*: `ExistentialElementsTests` compares with what the language says, for values of all sizes.
/// *Figure*: to be measured.
struct ExistentialElements {
  private let start: UnsafeMutablePointer<any DatabaseValueConvertible>?
  let count: Int

  init(_ elements: UnsafeBufferPointer<any DatabaseValueConvertible>) {
    start = UnsafeMutablePointer(mutating: elements.baseAddress)
    count = elements.count
  }

  init(_ elements: UnsafeBufferPointer<(any DatabaseValueConvertible)?>) {
    let start = UnsafeMutableRawPointer(mutating: elements.baseAddress)
    self.start = start?.assumingMemoryBound(to: (any DatabaseValueConvertible).self)
    count = elements.count
  }

  /// The address of an element, and of its value if that is small.
  @inline(__always) func address(of index: Int) -> UnsafeMutableRawPointer? {
    start.map { UnsafeMutableRawPointer($0 + index) }
  }

  /// The type of an element, nil for `nil`.
  @inline(__always) func type(of index: Int) -> Any.Type? {
    address(of: index)?.load(fromByteOffset: 3 * MemoryLayout<Int>.size, as: Any.Type?.self)
  }

  /// The database value of an element.
  @inline(__always) func databaseValue(of index: Int) -> DatabaseValue {
    guard let start, type(of: index) != nil else { return .null }
    return Self.databaseValue(of: &start[index])
  }

  /// The argument is `inout` so that it is not copied. It does not change.
  @inline(__always) private static func databaseValue(
    of convertible: inout any DatabaseValueConvertible
  ) -> DatabaseValue {
    convertible.databaseValue
  }
}

extension PackedValues {
  /// Adds an element of one of the usual types, which need no call. Returns false for other types.
  @inline(__always)
  mutating func append(usual index: Int, of elements: ExistentialElements) -> Bool {
    guard let value = elements.address(of: index), let type = elements.type(of: index) else {
      return false
    }
    if type == String.self {
      append(text: &value.assumingMemoryBound(to: String.self).pointee)
    } else if Self.isInteger(type) {
      append(value.load(as: Int64.self))
    } else if type == Double.self {
      append(value.load(as: Double.self))
    } else if type == String?.self {
      guard value.assumingMemoryBound(to: String?.self).pointee != nil else {
        appendNull()
        return true
      }
      append(text: &value.assumingMemoryBound(to: String.self).pointee)
    } else {
      return false
    }
    return true
  }

  @inline(__always) private static func isInteger(_ type: Any.Type) -> Bool {
    type == Int64.self || type == Int.self && Int.bitWidth == 64
  }
}
