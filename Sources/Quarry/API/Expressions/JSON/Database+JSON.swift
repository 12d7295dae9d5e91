// JSON functions that have no twin for the binary format, and the first of those that have. See
// <https://www.sqlite.org/json1.html>.

extension Database {
  /// The JSON, verified, without unneeded spaces.
  ///
  /// ```swift
  /// // JSON("info")
  /// Database.json(Column("info"))
  /// ```
  ///
  /// See <https://www.sqlite.org/json1.html#jmini>.
  public static func json(_ value: some SQLExpressible) -> SQLExpression {
    .json("JSON", [value.sqlExpression])
  }

  /// The JSON in the binary format, verified.
  ///
  /// ```swift
  /// // JSONB("info")
  /// Database.jsonb(Column("info"))
  /// ```
  ///
  /// It needs SQLite 3.45: with an earlier version, preparing the request throws an error.
  /// See <https://www.sqlite.org/json1.html#jminib>.
  public static func jsonb(_ value: some SQLExpressible) -> SQLExpression {
    .json("JSONB", [value.sqlExpression], since: .jsonb)
  }

  /// The number of elements of a JSON array, 0 for other JSON.
  ///
  /// ```swift
  /// // JSON_ARRAY_LENGTH("tags")
  /// Database.jsonArrayLength(Column("tags"))
  /// ```
  ///
  /// See <https://www.sqlite.org/json1.html#jarraylen>.
  public static func jsonArrayLength(_ value: some SQLExpressible) -> SQLExpression {
    .json("JSON_ARRAY_LENGTH", [value.sqlExpression])
  }

  /// The number of elements of the JSON array at a path, null if there is nothing.
  ///
  /// ```swift
  /// // JSON_ARRAY_LENGTH("info", ?)
  /// Database.jsonArrayLength(Column("info"), atPath: "$.tags")
  /// ```
  ///
  /// See <https://www.sqlite.org/json1.html#jarraylen>.
  public static func jsonArrayLength(
    _ value: some SQLExpressible, atPath path: some SQLExpressible
  ) -> SQLExpression {
    .json("JSON_ARRAY_LENGTH", [value.sqlExpression, path.sqlExpression])
  }

  /// The type of the outermost value: `null`, `true`, `integer`, `real`, `text`, `array`, `object`…
  ///
  /// ```swift
  /// // JSON_TYPE("info")
  /// Database.jsonType(Column("info"))
  /// ```
  ///
  /// See <https://www.sqlite.org/json1.html#jtype>.
  public static func jsonType(_ value: some SQLExpressible) -> SQLExpression {
    .json("JSON_TYPE", [value.sqlExpression])
  }

  /// The type of the value at a path, null if there is nothing.
  ///
  /// ```swift
  /// // JSON_TYPE("info", ?)
  /// Database.jsonType(Column("info"), atPath: "$.tags")
  /// ```
  ///
  /// See <https://www.sqlite.org/json1.html#jtype>.
  public static func jsonType(
    _ value: some SQLExpressible, atPath path: some SQLExpressible
  ) -> SQLExpression {
    .json("JSON_TYPE", [value.sqlExpression, path.sqlExpression])
  }

  /// True if a text is well-formed JSON.
  ///
  /// ```swift
  /// // JSON_VALID("info")
  /// Database.jsonIsValid(Column("info"))
  /// ```
  ///
  /// See <https://www.sqlite.org/json1.html#jvalid>.
  public static func jsonIsValid(_ value: some SQLExpressible) -> SQLExpression {
    .json("JSON_VALID", [value.sqlExpression])
  }

  /// The formats that ``Database/jsonIsValid(_:options:)`` accepts.
  public struct JSONValidationOptions: OptionSet, Sendable {
    /// The number that SQLite knows.
    public let rawValue: Int

    /// Creates options from the number that SQLite knows.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Standard JSON, in text.
    public static let json = Self(rawValue: 1)

    /// JSON with the extensions of JSON5, in text.
    public static let json5 = Self(rawValue: 2)

    /// A blob that looks like the binary format.
    public static let probablyJSONB = Self(rawValue: 4)

    /// A blob in the binary format, verified.
    public static let jsonb = Self(rawValue: 8)
  }

  /// True if a value is well-formed JSON in one of several formats.
  ///
  /// ```swift
  /// // JSON_VALID("info", ?)
  /// Database.jsonIsValid(Column("info"), options: [.json5, .jsonb])
  /// ```
  ///
  /// Options need SQLite 3.45: with an earlier version, preparing the request throws an error.
  /// See <https://www.sqlite.org/json1.html#jvalid>.
  public static func jsonIsValid(
    _ value: some SQLExpressible, options: JSONValidationOptions?
  ) -> SQLExpression {
    guard let options else { return jsonIsValid(value) }
    let arguments = [value.sqlExpression, SQLExpression(options.rawValue.databaseValue)]
    return .json("JSON_VALID", arguments, since: .jsonb, feature: "JSON_VALID with options")
  }

  /// The position of the first error in JSON: 0 if there is none, 1 for the first character.
  ///
  /// ```swift
  /// // JSON_ERROR_POSITION("info")
  /// Database.jsonErrorPosition(Column("info"))
  /// ```
  ///
  /// It needs SQLite 3.42: with an earlier version, preparing the request throws an error.
  /// See <https://www.sqlite.org/json1.html#jerr>.
  public static func jsonErrorPosition(_ value: some SQLExpressible) -> SQLExpression {
    .json("JSON_ERROR_POSITION", [value.sqlExpression], since: SQLiteVersion(3, 42))
  }

  /// The JSON of an SQL value: a string gets quotes. JSON stays as it is.
  ///
  /// ```swift
  /// // JSON_QUOTE("name")
  /// Database.jsonQuote(Column("name"))
  /// ```
  ///
  /// See <https://www.sqlite.org/json1.html#jquote>.
  public static func jsonQuote(_ value: some SQLExpressible) -> SQLExpression {
    .json("JSON_QUOTE", [value.sqlExpression.jsonElement])
  }
}

extension SQLiteVersion {
  /// The first version with the binary format.
  static let jsonb = SQLiteVersion(3, 45)
}

extension SQLExpression {
  /// A call of a JSON function that is no aggregate.
  static func json(
    _ name: String, _ arguments: [SQLExpression], since version: SQLiteVersion? = nil,
    feature: String? = nil
  ) -> SQLExpression {
    SQLExpression(
      .function(
        FunctionCall(
          name: name, arguments: arguments, isPure: true, since: version, feature: feature)))
  }
}

extension [SQLExpression] {
  /// Keys and values as arguments of a JSON function.
  static func jsonMembers(
    _ members: some Collection<(key: String, value: any SQLExpressible)>
  ) -> Self {
    members.flatMap { key, value in
      [SQLExpression(key.databaseValue), value.sqlExpression.jsonElement]
    }
  }
}
