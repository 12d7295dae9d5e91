// JSON functions that build text. See <https://www.sqlite.org/json1.html>.

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

  /// A JSON array. Expressions that are known to be JSON are inserted as JSON.
  ///
  /// ```swift
  /// // JSON_ARRAY(?, ?, "score")
  /// Database.jsonArray([1, "a", Column("score")])
  /// ```
  ///
  /// See <https://www.sqlite.org/json1.html#jarray>.
  public static func jsonArray(_ values: some Collection<some SQLExpressible>) -> SQLExpression {
    .json("JSON_ARRAY", values.map { $0.sqlExpression.jsonElement })
  }

  /// See ``jsonArray(_:)-(Collection<SQLExpressible>)``.
  public static func jsonArray(_ values: some Collection<any SQLExpressible>) -> SQLExpression {
    .json("JSON_ARRAY", values.map { $0.sqlExpression.jsonElement })
  }

  /// See ``jsonArray(_:)-(Collection<SQLExpressible>)``. This is for literals with elements of
  /// several types.
  public static func jsonArray(_ values: [any SQLExpressible]) -> SQLExpression {
    jsonArray(AnyCollection(values))
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

  /// The value at a path, as an SQL value; arrays and objects as JSON.
  ///
  /// ```swift
  /// // JSON_EXTRACT("info", ?)
  /// Database.jsonExtract(Column("info"), atPath: "$.score")
  /// ```
  ///
  /// See <https://www.sqlite.org/json1.html#jex>.
  public static func jsonExtract(
    _ value: some SQLExpressible, atPath path: some SQLExpressible
  ) -> SQLExpression {
    .json("JSON_EXTRACT", [value.sqlExpression, path.sqlExpression])
  }

  /// The values at several paths, as a JSON array.
  ///
  /// ```swift
  /// // JSON_EXTRACT("info", ?, ?)
  /// Database.jsonExtract(Column("info"), atPaths: ["$.score", "$.bonus"])
  /// ```
  ///
  /// See <https://www.sqlite.org/json1.html#jex>.
  public static func jsonExtract(
    _ value: some SQLExpressible, atPaths paths: some Collection<some SQLExpressible>
  ) -> SQLExpression {
    .json("JSON_EXTRACT", [value.sqlExpression] + paths.map { $0.sqlExpression })
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
    public init(rawValue: Int) {
      self.rawValue = rawValue
    }

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
