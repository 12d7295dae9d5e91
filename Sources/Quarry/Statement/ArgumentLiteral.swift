/// The array literal of `statement.execute(arguments: [id, name])`, whose values are bound where they stand. Not for
/// applications.
///
/// The elements are not optional, because optional existential values are slow to destroy: optional values are
/// convertible themselves. A literal that contains `nil` is a literal of ``StatementArguments``.
public struct _ArgumentLiteral: ExpressibleByArrayLiteral {
  @usableFromInline let elements: [any DatabaseValueConvertible]

  /// Creates a list of arguments.
  @inlinable public init(arrayLiteral elements: any DatabaseValueConvertible...) {
    self.elements = elements
  }
}

extension Statement {
  /// Executes the statement, and forgets its rows, if any.
  ///
  /// ```swift
  /// let statement = try db.makeStatement(sql: "INSERT INTO player (id, name) VALUES (?, ?)")
  /// for player in players {
  ///   try statement.execute(arguments: [player.id, player.name])
  /// }
  /// ```
  ///
  /// This overload is the one that array literals choose: the fastest way to execute a statement many times.
  ///
  /// See ``execute(arguments:)-(StatementArguments?)``.
  @inlinable public func execute(arguments: _ArgumentLiteral) throws {
    // Inlined, so that the compiler leaves the elements on the stack.
    try arguments.elements.withUnsafeBufferPointer(execute(arguments:))
  }

  @usableFromInline
  func execute(arguments elements: UnsafeBufferPointer<any DatabaseValueConvertible>) throws {
    guard elements.count == parameterCount else {
      return try execute(arguments: StatementArguments(elements.map { $0 }))
    }
    try checkIsAllowed()
    try bindAll(elements)
    try run()
  }
}

extension PackedValues {
  /// Adds an element of a literal, which is read where it is: copies of existential values are slow.
  @inline(__always)
  mutating func append(element: UnsafeMutablePointer<any DatabaseValueConvertible>) {
    // An existential value is three words, where small values are, its type, and its conformance.
    let value = UnsafeMutableRawPointer(element)
    let type = value.load(fromByteOffset: 3 * MemoryLayout<Int>.size, as: Any.Type.self)
    // The usual types need no call.
    if type == String.self {
      append(text: &value.assumingMemoryBound(to: String.self).pointee)
    } else if Self.isInteger(type) {
      append(value.load(as: Int64.self))
    } else if type == Double.self {
      append(value.load(as: Double.self))
    } else if type == String?.self {
      if value.assumingMemoryBound(to: String?.self).pointee == nil {
        appendNull()
      } else {
        append(text: &value.assumingMemoryBound(to: String.self).pointee)
      }
    } else {
      append(.value(of: &element.pointee))
    }
  }

  @inline(__always) private static func isInteger(_ type: Any.Type) -> Bool {
    type == Int64.self || type == Int.self && Int.bitWidth == 64
  }
}
