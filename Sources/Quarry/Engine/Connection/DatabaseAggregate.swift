/// An aggregate function written in Swift: it makes one value out of the rows of a group.
///
/// ```swift
/// struct Longest: DatabaseAggregate {
///   var text: String?
///
///   mutating func step(_ dbValues: [DatabaseValue]) {
///     guard let other = String.fromDatabaseValue(dbValues[0]) else { return }
///     if other.count > text?.count ?? -1 { text = other }
///   }
///
///   func finalize() -> (any DatabaseValueConvertible)? { text }
/// }
///
/// db.add(function: DatabaseFunction("longest", argumentCount: 1, aggregate: Longest.self))
/// // SELECT longest(name) FROM player GROUP BY teamId
/// ```
///
/// There is one instance per group. See ``DatabaseWindowAggregate`` for the use with `OVER`.
///
/// See <https://www.sqlite.org/appfunc.html#the_aggregate_function_callbacks>.
public protocol DatabaseAggregate: SendableMetatype {
  /// Creates an aggregate for a group, before its first row.
  init()

  /// Takes the arguments of a row into account.
  ///
  /// - throws: An error that the statement throws. ``finalize()`` is not called any more.
  mutating func step(_ dbValues: [DatabaseValue]) throws

  /// The value for the rows of the group. Nil is NULL.
  ///
  /// - throws: An error that the statement throws.
  func finalize() throws -> (any DatabaseValueConvertible)?
}

/// An aggregate function written in Swift that can also be used as a window function.
///
/// ```swift
/// struct IntegerSum: DatabaseWindowAggregate {
///   var sum = 0
///
///   mutating func step(_ dbValues: [DatabaseValue]) {
///     sum += Int.fromDatabaseValue(dbValues[0]) ?? 0
///   }
///
///   mutating func inverse(_ dbValues: [DatabaseValue]) {
///     sum -= Int.fromDatabaseValue(dbValues[0]) ?? 0
///   }
///
///   func finalize() -> (any DatabaseValueConvertible)? { sum }
/// }
///
/// db.add(function: DatabaseFunction("intsum", argumentCount: 1, aggregate: IntegerSum.self))
/// // SELECT intsum(score) OVER (ORDER BY id ROWS 2 PRECEDING) FROM player
/// ```
///
/// See <https://www.sqlite.org/windowfunctions.html#user_defined_aggregate_window_functions>.
public protocol DatabaseWindowAggregate: DatabaseAggregate {
  /// Takes back the arguments of the row that leaves the window: the oldest one.
  ///
  /// - throws: An error that the statement throws.
  mutating func inverse(_ dbValues: [DatabaseValue]) throws

  /// The value for the rows of the window: that of ``DatabaseAggregate/finalize()``, by default.
  ///
  /// - throws: An error that the statement throws.
  func value() throws -> (any DatabaseValueConvertible)?
}

extension DatabaseWindowAggregate {
  /// The value of ``DatabaseAggregate/finalize()``.
  public func value() throws -> (any DatabaseValueConvertible)? { try finalize() }
}

/// The aggregate of a group, kept by SQLite from the first row to the last.
class AggregateState {
  /// True when an error was thrown: the aggregate is not called any more.
  var hasFailed = false

  func step(_ arguments: [DatabaseValue]) throws {}
  func inverse(_ arguments: [DatabaseValue]) throws {}
  func value() throws -> DatabaseValue { .null }
  func finalize() throws -> DatabaseValue { .null }
}

class GroupState<Aggregate: DatabaseAggregate>: AggregateState {
  fileprivate var aggregate = Aggregate()

  override func step(_ arguments: [DatabaseValue]) throws { try aggregate.step(arguments) }

  override func finalize() throws -> DatabaseValue {
    try aggregate.finalize()?.databaseValue ?? .null
  }
}

final class WindowState<Aggregate: DatabaseWindowAggregate>: GroupState<Aggregate> {
  override func inverse(_ arguments: [DatabaseValue]) throws { try aggregate.inverse(arguments) }

  override func value() throws -> DatabaseValue { try aggregate.value()?.databaseValue ?? .null }
}
