public import Foundation

/// A value that is stored in a database: null, an integer, a double, a string, or a blob.
///
/// ```swift
/// let value: DatabaseValue = row["score"]
/// switch value.storage {
/// case .null: print("no score")
/// case .int64(let score): print(score)
/// default: print("unexpected: \(value)")
/// }
/// ```
///
/// See <https://www.sqlite.org/datatype3.html>.
@frozen
public struct DatabaseValue: Sendable {
  /// The value, as SQLite stores it.
  public let storage: Storage

  /// True when a Swift value has no database representation: ``storage`` is then the reason, and
  /// binding fails, so that the statement throws instead of storing a wrong value. The flag costs
  /// no memory: it sits in the padding.
  @usableFromInline let isInvalid: Bool

  /// True while a value of a row is converted: the default conversions of raw values and `Codable`
  /// types then follow the rule of rows, and not the strict one of values by themselves. See
  /// `ColumnConversion`.
  @usableFromInline let isOfColumn: Bool

  /// True for a value of a row whose connection converts exactly: see `ValueConversions.exact`.
  @usableFromInline package var isExact: Bool

  /// The number of the value in a request whose SQL is remembered, 0 for none: arguments are known
  /// by it. Like the flags, it costs no memory.
  @usableFromInline let slot: UInt8

  /// The NULL value.
  @inlinable
  public static var null: DatabaseValue { DatabaseValue(storage: .null) }

  @inlinable
  package init(
    storage: Storage, isInvalid: Bool = false, isOfColumn: Bool = false, isExact: Bool = false,
    slot: UInt8 = 0
  ) {
    self.storage = storage
    self.isInvalid = isInvalid
    self.isOfColumn = isOfColumn
    self.isExact = isExact
    self.slot = slot
  }

  /// The stand-in for a Swift value that can't be stored: statements throw when they bind it.
  @usableFromInline
  package static func invalid(_ reason: String) -> DatabaseValue {
    DatabaseValue(storage: .string(reason), isInvalid: true)
  }

  /// Why the value can't be stored, or nil for all regular values.
  var invalidReason: String? {
    guard isInvalid, case .string(let reason) = storage else { return nil }
    return reason
  }

  /// The number of the last slot.
  static var slotLimit: Int { Int(UInt8.max) }

  /// The value, as one of a request that is compiled.
  func inSlot(_ slot: Int) -> DatabaseValue {
    DatabaseValue(storage: storage, isInvalid: isInvalid, slot: UInt8(truncatingIfNeeded: slot))
  }

  /// Creates a database value from any value, or returns nil when its type is not
  /// ``DatabaseValueConvertible``.
  public init?(value: Any) {
    guard let convertible = value as? any DatabaseValueConvertible else { return nil }
    self = convertible.databaseValue
  }

  /// Whether the value is NULL.
  @inlinable
  public var isNull: Bool {
    if case .null = storage { return true }
    return false
  }

  /// The five kinds of database values.
  ///
  /// Equality is strict: an integer is never equal to a double. See ``DatabaseValue`` for the
  /// equality of SQLite.
  @frozen
  public enum Storage: Sendable {
    /// The NULL value.
    case null
    /// A signed integer.
    case int64(Int64)
    /// A floating point number.
    case double(Double)
    /// A text.
    case string(String)
    /// A sequence of bytes.
    case blob(Data)

    /// The Swift value: nil, or an `Int64`, `Double`, `String`, or `Data`.
    public var value: (any DatabaseValueConvertible)? {
      switch self {
      case .null: nil
      case .int64(let int64): int64
      case .double(let double): double
      case .string(let string): string
      case .blob(let data): data
      }
    }
  }
}

extension DatabaseValue: DatabaseValueConvertible {
  /// The value itself.
  @inlinable
  public var databaseValue: DatabaseValue { self }

  /// Returns the value itself, which may be NULL.
  @inlinable
  public static func fromDatabaseValue(_ dbValue: DatabaseValue) -> DatabaseValue? { dbValue }

  /// Returns the value itself. Not for applications.
  @inlinable
  public static func _fromColumn(_ dbValue: DatabaseValue) -> DatabaseValue? { dbValue }

  /// The SQL expression of the value: an argument of the statement.
  public var sqlExpression: SQLExpression { SQLExpression(self) }
}

extension DatabaseValue: CustomStringConvertible {
  /// A description such as `NULL`, `1`, `1.5`, `"text"`, or `Data(3 bytes)`.
  public var description: String {
    switch storage {
    case .null: "NULL"
    case .int64(let int64): int64.description
    case .double(let double): double.description
    case .string(let string): string.debugDescription
    case .blob(let data): "Data(\(data.count) bytes)"
    }
  }
}
