// JSON functions that have a twin for the binary format, which Scripts/generate writes. See
// <https://www.sqlite.org/json1.html>.

extension Database {
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

  /// The JSON, with a value at each path, where there is nothing yet.
  ///
  /// ```swift
  /// // JSON_INSERT("info", ?, ?)
  /// Database.jsonInsert(Column("info"), ["$.score": 1000])
  /// ```
  ///
  /// See <https://www.sqlite.org/json1.html#jins>.
  public static func jsonInsert(
    _ value: some SQLExpressible,
    _ assignments: some Collection<(key: String, value: any SQLExpressible)>
  ) -> SQLExpression {
    .json("JSON_INSERT", [value.sqlExpression] + .jsonMembers(assignments))
  }

  /// The JSON, with a value at each path, where there is one already.
  ///
  /// ```swift
  /// // JSON_REPLACE("info", ?, ?)
  /// Database.jsonReplace(Column("info"), ["$.score": 1000])
  /// ```
  ///
  /// See <https://www.sqlite.org/json1.html#jins>.
  public static func jsonReplace(
    _ value: some SQLExpressible,
    _ assignments: some Collection<(key: String, value: any SQLExpressible)>
  ) -> SQLExpression {
    .json("JSON_REPLACE", [value.sqlExpression] + .jsonMembers(assignments))
  }

  /// The JSON, with a value at each path, whether there is one already or not.
  ///
  /// ```swift
  /// // JSON_SET("info", ?, ?)
  /// Database.jsonSet(Column("info"), ["$.score": 1000])
  /// ```
  ///
  /// See <https://www.sqlite.org/json1.html#jins>.
  public static func jsonSet(
    _ value: some SQLExpressible,
    _ assignments: some Collection<(key: String, value: any SQLExpressible)>
  ) -> SQLExpression {
    .json("JSON_SET", [value.sqlExpression] + .jsonMembers(assignments))
  }

  /// A JSON object. Expressions that are known to be JSON are inserted as JSON.
  ///
  /// ```swift
  /// // JSON_OBJECT(?, "name", ?, "score")
  /// Database.jsonObject(["name": Column("name"), "score": Column("score")])
  /// ```
  ///
  /// See <https://www.sqlite.org/json1.html#jobj>.
  public static func jsonObject(
    _ members: some Collection<(key: String, value: any SQLExpressible)>
  ) -> SQLExpression {
    .json("JSON_OBJECT", .jsonMembers(members))
  }

  /// The JSON, patched by another one. See <https://datatracker.ietf.org/doc/html/rfc7396>.
  ///
  /// ```swift
  /// // JSON_PATCH("info", ?)
  /// Database.jsonPatch(Column("info"), with: #"{"score": 1000, "bonus": null}"#)
  /// ```
  ///
  /// See <https://www.sqlite.org/json1.html#jpatch>.
  public static func jsonPatch(
    _ value: some SQLExpressible, with patch: some SQLExpressible
  ) -> SQLExpression {
    .json("JSON_PATCH", [value.sqlExpression, patch.sqlExpression])
  }

  /// The JSON, without the value at a path.
  ///
  /// ```swift
  /// // JSON_REMOVE("info", ?)
  /// Database.jsonRemove(Column("info"), atPath: "$.score")
  /// ```
  ///
  /// See <https://www.sqlite.org/json1.html#jrm>.
  public static func jsonRemove(
    _ value: some SQLExpressible, atPath path: some SQLExpressible
  ) -> SQLExpression {
    .json("JSON_REMOVE", [value.sqlExpression, path.sqlExpression])
  }

  /// The JSON, without the values at several paths, which are removed one after the other.
  ///
  /// ```swift
  /// // JSON_REMOVE("info", ?, ?)
  /// Database.jsonRemove(Column("info"), atPaths: ["$.score", "$.bonus"])
  /// ```
  ///
  /// See <https://www.sqlite.org/json1.html#jrm>.
  public static func jsonRemove(
    _ value: some SQLExpressible, atPaths paths: some Collection<some SQLExpressible>
  ) -> SQLExpression {
    .json("JSON_REMOVE", [value.sqlExpression] + paths.map { $0.sqlExpression })
  }

  /// A JSON array of the values of all rows. Expressions that are known to be JSON are inserted as
  /// JSON.
  ///
  /// ```swift
  /// // JSON_GROUP_ARRAY("name") FILTER (WHERE "score" > ?)
  /// Database.jsonGroupArray(Column("name"), filter: Column("score") > 1000)
  /// ```
  ///
  /// See <https://www.sqlite.org/json1.html#jgrouparray>.
  ///
  /// - parameter value: The value of each row.
  /// - parameter ordering: The order of the elements. It needs SQLite 3.44: with an earlier
  ///   version, preparing the request throws an error.
  /// - parameter filter: Only rows that satisfy this condition count.
  public static func jsonGroupArray(
    _ value: some SQLExpressible, orderBy ordering: (any SQLOrderingTerm)? = nil,
    filter: (any SQLSpecificExpressible)? = nil
  ) -> SQLExpression {
    .aggregate(
      "JSON_GROUP_ARRAY", [value.sqlExpression.jsonElement],
      orderBy: ordering.map { [$0.sqlOrdering] } ?? [], filter: filter?.sqlExpression)
  }

  /// A JSON object of the keys and values of all rows. Expressions that are known to be JSON are
  /// inserted as JSON.
  ///
  /// ```swift
  /// // JSON_GROUP_OBJECT("name", "score")
  /// Database.jsonGroupObject(key: Column("name"), value: Column("score"))
  /// ```
  ///
  /// See <https://www.sqlite.org/json1.html#jgrouparray>.
  ///
  /// - parameter key: The key in the object.
  /// - parameter value: The value of each row.
  /// - parameter filter: Only rows that satisfy this condition count.
  public static func jsonGroupObject(
    key: some SQLExpressible, value: some SQLExpressible,
    filter: (any SQLSpecificExpressible)? = nil
  ) -> SQLExpression {
    .aggregate(
      "JSON_GROUP_OBJECT", [key.sqlExpression, value.sqlExpression.jsonElement],
      filter: filter?.sqlExpression)
  }
}
