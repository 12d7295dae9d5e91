// String functions. See <https://www.sqlite.org/lang_corefunc.html>.

public import Quarry

/// The string, with all ASCII letters in lower case. For Unicode, see
/// ``/Quarry/SQLSpecificExpressible/lowercased``.
///
/// ```swift
/// // LOWER("code")
/// lower(Column("code"))
/// ```
@_disfavoredOverload
public func lower(_ value: some SQLSpecificExpressible) -> SQLExpression {
  .scalar("LOWER", value.sqlExpression)
}

/// The string, with all ASCII letters in upper case. For Unicode, see
/// ``/Quarry/SQLSpecificExpressible/uppercased``.
///
/// ```swift
/// // UPPER("code")
/// upper(Column("code"))
/// ```
@_disfavoredOverload
public func upper(_ value: some SQLSpecificExpressible) -> SQLExpression {
  .scalar("UPPER", value.sqlExpression)
}

/// The string without the spaces at both ends, or without some characters.
///
/// ```swift
/// // TRIM("name")
/// trim(Column("name"))
///
/// // TRIM("name", ?)
/// trim(Column("name"), " .")
/// ```
@_disfavoredOverload
public func trim(
  _ value: some SQLSpecificExpressible, _ characters: (any SQLExpressible)? = nil
) -> SQLExpression { call("TRIM", value, characters) }

/// The string without the spaces at its start, or without some characters.
///
/// ```swift
/// // LTRIM("number", ?)
/// ltrim(Column("number"), "0")
/// ```
@_disfavoredOverload
public func ltrim(
  _ value: some SQLSpecificExpressible, _ characters: (any SQLExpressible)? = nil
) -> SQLExpression { call("LTRIM", value, characters) }

/// The string without the spaces at its end, or without some characters.
///
/// ```swift
/// // RTRIM("path", ?)
/// rtrim(Column("path"), "/")
/// ```
@_disfavoredOverload
public func rtrim(
  _ value: some SQLSpecificExpressible, _ characters: (any SQLExpressible)? = nil
) -> SQLExpression { call("RTRIM", value, characters) }

/// The string, where all occurrences of another one are replaced.
///
/// ```swift
/// // REPLACE("phone", ?, ?)
/// replace(Column("phone"), " ", with: "")
/// ```
@_disfavoredOverload
public func replace(
  _ value: some SQLSpecificExpressible, _ part: some SQLExpressible,
  with replacement: some SQLExpressible
) -> SQLExpression {
  .scalar(
    "REPLACE", value.sqlExpression, part.sqlExpression, replacement.sqlExpression)
}

/// Some characters of a string, or some bytes of a blob.
///
/// ```swift
/// // The first two characters: SUBSTR("code", ?, ?)
/// substr(Column("code"), 1, 2)
///
/// // The last three: SUBSTR("code", ?)
/// substr(Column("code"), -3)
/// ```
///
/// - parameter value: The string.
/// - parameter start: The first character: 1 for that of the string, negative to count from its
///   end.
/// - parameter count: How many characters. Without it, all to the end of the string.
@_disfavoredOverload
public func substr(
  _ value: some SQLSpecificExpressible, _ start: some SQLExpressible,
  _ count: (any SQLExpressible)? = nil
) -> SQLExpression { call("SUBSTR", value, start, count) }

/// The position of the first occurrence of a string in another one: 1 for its start, 0 if there is
/// none.
///
/// ```swift
/// // INSTR("email", ?)
/// instr(Column("email"), "@")
/// ```
@_disfavoredOverload
public func instr(
  _ value: some SQLSpecificExpressible, _ part: some SQLExpressible
) -> SQLExpression {
  .scalar("INSTR", value.sqlExpression, part.sqlExpression)
}

/// The number of the first character of a string.
///
/// ```swift
/// // UNICODE("name")
/// unicode(Column("name"))
/// ```
@_disfavoredOverload
public func unicode(_ value: some SQLSpecificExpressible) -> SQLExpression {
  .scalar("UNICODE", value.sqlExpression)
}

/// The bytes of a blob, or of a string in UTF-8, in hexadecimal.
///
/// ```swift
/// // HEX("token")
/// hex(Column("token"))
/// ```
@_disfavoredOverload
public func hex(_ value: some SQLSpecificExpressible) -> SQLExpression {
  .scalar("HEX", value.sqlExpression)
}

/// The value as an SQL literal.
///
/// ```swift
/// // QUOTE("name")
/// quote(Column("name"))
/// ```
@_disfavoredOverload
public func quote(_ value: some SQLSpecificExpressible) -> SQLExpression {
  .scalar("QUOTE", value.sqlExpression)
}

/// Text made from a format and values, as C does.
///
/// ```swift
/// // PRINTF(?, "year", "month")
/// printf("%d-%02d", Column("year"), Column("month"))
/// ```
///
/// See <https://www.sqlite.org/printf.html>.
@_disfavoredOverload
public func printf(
  _ format: some SQLExpressible, _ value: any SQLSpecificExpressible,
  _ values: (any SQLExpressible)?...
) -> SQLExpression {
  let arguments = [format.sqlExpression, value.sqlExpression]
  return .scalar("PRINTF", arguments + values.map { SQLExpression(nullable: $0) })
}

/// A call without the arguments that are nil.
private func call(_ name: String, _ arguments: (any SQLExpressible)?...) -> SQLExpression {
  .scalar(name, arguments.compactMap { $0?.sqlExpression })
}
