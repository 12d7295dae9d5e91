#if Macros
  import Quarry

  // The types that an operator or a function is meant for, optional or not. Applications add types
  // with raw values, or of measures, that SQLite stores in the same way.

  /// A type whose values are numbers in the database: `Int`, `Double`, `Decimal`, and optionals of
  /// them.
  public protocol NumberInDatabase {}

  /// A type whose values are texts in the database: `String`, and `String?`.
  public protocol TextInDatabase {}

  /// A type whose values are conditions in the database: `Bool`, and `Bool?`.
  public protocol ConditionInDatabase {}

  extension Int: NumberInDatabase {}
  extension Int8: NumberInDatabase {}
  extension Int16: NumberInDatabase {}
  extension Int32: NumberInDatabase {}
  extension Int64: NumberInDatabase {}
  extension UInt: NumberInDatabase {}
  extension UInt8: NumberInDatabase {}
  extension UInt16: NumberInDatabase {}
  extension UInt32: NumberInDatabase {}
  extension UInt64: NumberInDatabase {}
  extension Float: NumberInDatabase {}
  extension Double: NumberInDatabase {}
  extension String: TextInDatabase {}
  extension Bool: ConditionInDatabase {}

  extension Optional: NumberInDatabase where Wrapped: NumberInDatabase {}
  extension Optional: TextInDatabase where Wrapped: TextInDatabase {}
  extension Optional: ConditionInDatabase where Wrapped: ConditionInDatabase {}
#endif
