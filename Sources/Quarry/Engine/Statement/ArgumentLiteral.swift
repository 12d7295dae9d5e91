/// The array literal of `statement.execute(arguments: [id, name])`, whose values are bound where
/// they stand. Not for applications.
///
/// The elements are not optional, because optional existential values are slow to destroy: optional
/// values are convertible themselves. A literal that contains `nil` is a literal of
/// ``StatementArguments``.
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
  /// This overload is the one that array literals choose: the fastest way to execute a statement
  /// many times.
  ///
  /// See ``execute(arguments:)-(StatementArguments?)``.
  @inlinable public func execute(arguments: _ArgumentLiteral) throws {
    // Inlined, so that the compiler leaves the elements on the stack.
    try unsafe arguments.elements.withUnsafeBufferPointer(execute(arguments:))
  }

  @usableFromInline
  func execute(arguments elements: UnsafeBufferPointer<any DatabaseValueConvertible>) throws {
    guard elements.count == bindings.parameters.count else {
      return try unsafe execute(arguments: StatementArguments(elements.map { $0 }))
    }
    try checkIsAllowed()
    try unsafe bind(ExistentialElements(elements))
    try run()
  }
}
