/// The elements of a literal of existential values, which are read where they stand.
///
/// *Assumption*: an `any DatabaseValueConvertible` is five words: three where small values are, the
/// type, and the conformance. The type of `nil` is zero. That is the binary interface of Swift:
/// <https://github.com/swiftlang/swift/blob/main/docs/ABI/TypeLayout.rst>. Elements are not
/// changed. *Check*: `ExistentialElementsTests` compares with what the language says, for values of
/// all sizes. *Figure*: read in the usual way, the elements of an insertion of six columns take
/// 1,400 instructions more.
@safe struct ExistentialElements {
  private let start: UnsafeMutablePointer<any DatabaseValueConvertible>?
  let count: Int

  init(_ elements: UnsafeBufferPointer<any DatabaseValueConvertible>) {
    unsafe start = unsafe UnsafeMutablePointer(mutating: elements.baseAddress)
    count = elements.count
  }

  init(_ elements: UnsafeBufferPointer<(any DatabaseValueConvertible)?>) {
    let start = unsafe UnsafeMutableRawPointer(mutating: elements.baseAddress)
    unsafe self.start = unsafe start?.assumingMemoryBound(to: (any DatabaseValueConvertible).self)
    count = elements.count
  }

  /// The address of an element, and of its value if that is small.
  @inline(__always) func address(of index: Int) -> UnsafeMutableRawPointer? {
    unsafe start.map { unsafe UnsafeMutableRawPointer($0 + index) }
  }

  /// The type of an element, nil for `nil`.
  @inline(__always) func type(of index: Int) -> Any.Type? {
    unsafe address(of: index)?.load(fromByteOffset: 3 * MemoryLayout<Int>.size, as: Any.Type?.self)
  }

  /// The database value of an element.
  @inline(__always) func databaseValue(of index: Int) -> DatabaseValue {
    guard let start = unsafe start, type(of: index) != nil else { return .null }
    return unsafe Self.databaseValue(of: &start[index])
  }

  /// The argument is `inout` so that it is not copied. It does not change.
  @inline(__always) private static func databaseValue(
    of convertible: inout any DatabaseValueConvertible
  ) -> DatabaseValue { convertible.databaseValue }
}

extension PackedValues {
  /// Adds an element of one of the usual types, which need no call. Returns false for other types.
  @inline(__always)
  mutating func append(usual index: Int, of elements: ExistentialElements) -> Bool {
    guard let value = unsafe elements.address(of: index), let type = elements.type(of: index) else {
      return false
    }
    if type == String.self {
      unsafe append(text: &value.assumingMemoryBound(to: String.self).pointee)
    } else if type == Int64.self || type == Int.self && Int.bitWidth == 64 {
      unsafe append(value.load(as: Int64.self))
    } else if type == Double.self {
      unsafe append(value.load(as: Double.self))
    } else if type == String?.self {
      guard unsafe value.assumingMemoryBound(to: String?.self).pointee != nil else {
        appendNull()
        return true
      }
      unsafe append(text: &value.assumingMemoryBound(to: String.self).pointee)
    } else {
      return false
    }
    return true
  }
}
