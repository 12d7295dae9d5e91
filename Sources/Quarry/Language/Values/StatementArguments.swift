/// The arguments of an SQL statement: a list of values, values with names, or both.
///
/// ```swift
/// // UPDATE book SET title = ? WHERE id = ?
/// try db.execute(sql: "UPDATE book SET title = ? WHERE id = ?", arguments: ["Moby-Dick", 1])
///
/// // UPDATE book SET title = :title WHERE id = :id
/// try db.execute(
///   sql: "UPDATE book SET title = :title WHERE id = :id",
///   arguments: ["title": "Moby-Dick", "id": 1])
/// ```
///
/// A parameter with a name, such as `:id`, takes the value of this name, or the next value of the
/// list. See <https://www.sqlite.org/lang_expr.html#varparam>.
public struct StatementArguments: Sendable {
  /// The values without name, in order.
  package internal(set) var values: [DatabaseValue]

  /// The values with a name, in the order they were given. Names are unique.
  private(set) var namedValues: [NamedValue]

  /// A value for the parameters of one name.
  struct NamedValue: Hashable, Sendable {
    let name: BinaryText
    var value: DatabaseValue
  }

  @usableFromInline init(values: [DatabaseValue]) {
    self.values = values
    self.namedValues = []
  }

  /// Whether there are no arguments at all.
  public var isEmpty: Bool { values.isEmpty && namedValues.isEmpty }

  /// Whether some values have a name.
  var hasNames: Bool { !namedValues.isEmpty }

  /// The value for a name, without prefix.
  func value(named name: String) -> DatabaseValue? {
    namedValues.first { $0.name.text.hasSameBytes(as: name) }?.value
  }

  /// Gives a value to a name, and returns the value that it replaces.
  @discardableResult
  private mutating func setValue(_ value: DatabaseValue, forName name: String) -> DatabaseValue? {
    guard let index = namedValues.firstIndex(where: { $0.name.text.hasSameBytes(as: name) })
    else {
      namedValues.append(NamedValue(name: BinaryText(name), value: value))
      return nil
    }
    defer { namedValues[index].value = value }
    return namedValues[index].value
  }
}

extension StatementArguments {
  /// Creates empty arguments.
  public init() { self.init(values: []) }

  /// Creates a list of arguments.
  ///
  /// ```swift
  /// let values: [(any DatabaseValueConvertible)?] = ["foo", 1, nil]
  /// let arguments = StatementArguments(values)
  /// ```
  public init(_ sequence: some Sequence<(any DatabaseValueConvertible)?>) {
    self.init(values: sequence.map { $0?.databaseValue ?? .null })
  }

  /// Creates a list of arguments.
  public init(_ sequence: some Sequence<some DatabaseValueConvertible>) {
    self.init(values: sequence.map(\.databaseValue))
  }

  /// Creates a list of arguments from any values, or returns nil when one of them is not
  /// ``DatabaseValueConvertible``.
  public init?(_ array: [Any]) {
    let values = array.compactMap { DatabaseValue(value: $0) }
    guard values.count == array.count else { return nil }
    self.init(values: values)
  }

  /// Creates arguments with names.
  public init(_ dictionary: [String: (any DatabaseValueConvertible)?]) {
    // Dictionaries have no order, descriptions have.
    self.init(dictionary.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
  }

  /// Creates arguments with names. The last value of a repeated name wins.
  public init(_ sequence: some Sequence<(String, (any DatabaseValueConvertible)?)>) {
    self.init()
    for (name, value) in sequence { setValue(value?.databaseValue ?? .null, forName: name) }
  }

  /// Creates arguments with names from any dictionary, or returns nil when a key is not a string,
  /// or when a value is not
  /// ``DatabaseValueConvertible``.
  public init?(_ dictionary: [AnyHashable: Any]) {
    var pairs: [(String, (any DatabaseValueConvertible)?)] = []
    for (key, value) in dictionary {
      guard let name = key as? String, let dbValue = DatabaseValue(value: value) else { return nil }
      pairs.append((name, dbValue))
    }
    self.init(pairs.sorted { $0.0 < $1.0 })
  }
}

extension StatementArguments {
  /// Appends arguments: the list grows, and values with the same name are replaced.
  ///
  /// - returns: The values that were replaced.
  public mutating func append(contentsOf arguments: StatementArguments) -> [String: DatabaseValue] {
    let replaced = replace(by: arguments).map { ($0.name.text, $0.value) }
    return Dictionary(replaced, uniquingKeysWith: { first, _ in first })
  }

  /// Appends arguments, and returns those that were replaced: a dictionary has only one of two
  /// names that Swift takes for equal.
  mutating func replace(by arguments: StatementArguments) -> [NamedValue] {
    values += arguments.values
    return arguments.namedValues.compactMap { argument in
      setValue(argument.value, forName: argument.name.text)
        .map { NamedValue(name: argument.name, value: $0) }
    }
  }

  /// Returns all arguments of both operands.
  ///
  /// The names must not repeat: see ``&+(_:_:)`` for arguments that replace others.
  ///
  /// ```swift
  /// let arguments: StatementArguments = [1, 2] + ["name": "foo"]
  /// ```
  public static func + (lhs: StatementArguments, rhs: StatementArguments) -> StatementArguments {
    var result = lhs
    result += rhs
    return result
  }

  /// Returns all arguments of both operands. The right values replace the left ones of the same
  /// name.
  public static func &+ (lhs: StatementArguments, rhs: StatementArguments) -> StatementArguments {
    var result = lhs
    _ = result.append(contentsOf: rhs)
    return result
  }

  /// Appends arguments, whose names must not repeat.
  public static func += (lhs: inout StatementArguments, rhs: StatementArguments) {
    guard let name = lhs.replace(by: rhs).map(\.name.text).min() else { return }
    preconditionFailure("already defined statement argument: \(name)")
  }
}

extension StatementArguments: ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
  /// Creates a list of arguments.
  @inlinable public init(arrayLiteral elements: (any DatabaseValueConvertible)?...) {
    // The compiler leaves the elements on the stack: they are converted where they are.
    unsafe self.init(values: elements.withUnsafeBufferPointer(DatabaseValue.values(of:)))
  }

  /// Creates arguments with names. The last value of a repeated name wins.
  public init(dictionaryLiteral elements: (String, (any DatabaseValueConvertible)?)...) {
    self.init(elements)
  }
}

extension DatabaseValue {
  @usableFromInline static func values(
    of elements: UnsafeBufferPointer<(any DatabaseValueConvertible)?>
  ) -> [DatabaseValue] {
    let elements = unsafe ExistentialElements(elements)
    return (0..<elements.count).map(elements.databaseValue(of:))
  }
}

extension StatementArguments: Hashable {
  /// Returns whether two arguments have the same list, and the same values for the same names, in
  /// any order.
  public static func == (lhs: StatementArguments, rhs: StatementArguments) -> Bool {
    lhs.values == rhs.values
      && (lhs.namedValues == rhs.namedValues || Set(lhs.namedValues) == Set(rhs.namedValues))
  }

  /// Hashes the arguments.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(values)
    hasher.combine(Set(namedValues))
  }
}

extension StatementArguments: CustomStringConvertible {
  /// The arguments, those with names first: `[1, "a", NULL]`, `["a": 1]`, `["z": NULL, 1]`.
  public var description: String {
    let elements =
      namedValues.map { "\($0.name.text.debugDescription): \($0.value)" }
      + values.map(\.description)
    return "[" + elements.joined(separator: ", ") + "]"
  }
}
