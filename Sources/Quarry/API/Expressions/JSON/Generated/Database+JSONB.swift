// Written by Scripts/generate, from Database+JSONValues.swift: change that file.

// See <https://www.sqlite.org/json1.html#jsonbx>.

extension Database {
  /// A JSON array in the binary format. Expressions that are known to be JSON are inserted as JSON.
  ///
  /// ```swift
  /// // JSONB_ARRAY(?, ?, "score")
  /// Database.jsonbArray([1, "a", Column("score")])
  /// ```
  ///
  /// It needs SQLite 3.45: with an earlier version, preparing the request throws an error.
  /// See <https://www.sqlite.org/json1.html#jarray>.
  public static func jsonbArray(_ values: some Collection<some SQLExpressible>) -> SQLExpression {
    .json("JSONB_ARRAY", values.map { $0.sqlExpression.jsonElement }, since: .jsonb)
  }

  /// See ``jsonbArray(_:)-(Collection<SQLExpressible>)``.
  public static func jsonbArray(_ values: some Collection<any SQLExpressible>) -> SQLExpression {
    .json("JSONB_ARRAY", values.map { $0.sqlExpression.jsonElement }, since: .jsonb)
  }

  /// See ``jsonbArray(_:)-(Collection<SQLExpressible>)``. This is for literals with elements of
  /// several types.
  public static func jsonbArray(_ values: [any SQLExpressible]) -> SQLExpression {
    jsonbArray(AnyCollection(values))
  }

  /// The value at a path, as an SQL value; arrays and objects as JSON in the binary format.
  ///
  /// ```swift
  /// // JSONB_EXTRACT("info", ?)
  /// Database.jsonbExtract(Column("info"), atPath: "$.score")
  /// ```
  ///
  /// It needs SQLite 3.45: with an earlier version, preparing the request throws an error.
  /// See <https://www.sqlite.org/json1.html#jexb>.
  public static func jsonbExtract(
    _ value: some SQLExpressible, atPath path: some SQLExpressible
  ) -> SQLExpression {
    .json("JSONB_EXTRACT", [value.sqlExpression, path.sqlExpression], since: .jsonb)
  }

  /// The values at several paths, as a JSON array in the binary format.
  ///
  /// ```swift
  /// // JSONB_EXTRACT("info", ?, ?)
  /// Database.jsonbExtract(Column("info"), atPaths: ["$.score", "$.bonus"])
  /// ```
  ///
  /// It needs SQLite 3.45: with an earlier version, preparing the request throws an error.
  /// See <https://www.sqlite.org/json1.html#jexb>.
  public static func jsonbExtract(
    _ value: some SQLExpressible, atPaths paths: some Collection<some SQLExpressible>
  ) -> SQLExpression {
    .json("JSONB_EXTRACT", [value.sqlExpression] + paths.map { $0.sqlExpression }, since: .jsonb)
  }

  /// The JSON in the binary format, with a value at each path, where there is nothing yet.
  ///
  /// ```swift
  /// // JSONB_INSERT("info", ?, ?)
  /// Database.jsonbInsert(Column("info"), ["$.score": 1000])
  /// ```
  ///
  /// It needs SQLite 3.45: with an earlier version, preparing the request throws an error.
  /// See <https://www.sqlite.org/json1.html#jins>.
  public static func jsonbInsert(
    _ value: some SQLExpressible,
    _ assignments: some Collection<(key: String, value: any SQLExpressible)>
  ) -> SQLExpression {
    .json("JSONB_INSERT", [value.sqlExpression] + .jsonMembers(assignments), since: .jsonb)
  }

  /// The JSON in the binary format, with a value at each path, where there is one already.
  ///
  /// ```swift
  /// // JSONB_REPLACE("info", ?, ?)
  /// Database.jsonbReplace(Column("info"), ["$.score": 1000])
  /// ```
  ///
  /// It needs SQLite 3.45: with an earlier version, preparing the request throws an error.
  /// See <https://www.sqlite.org/json1.html#jins>.
  public static func jsonbReplace(
    _ value: some SQLExpressible,
    _ assignments: some Collection<(key: String, value: any SQLExpressible)>
  ) -> SQLExpression {
    .json("JSONB_REPLACE", [value.sqlExpression] + .jsonMembers(assignments), since: .jsonb)
  }

  /// The JSON in the binary format, with a value at each path, whether there is one already or not.
  ///
  /// ```swift
  /// // JSONB_SET("info", ?, ?)
  /// Database.jsonbSet(Column("info"), ["$.score": 1000])
  /// ```
  ///
  /// It needs SQLite 3.45: with an earlier version, preparing the request throws an error.
  /// See <https://www.sqlite.org/json1.html#jins>.
  public static func jsonbSet(
    _ value: some SQLExpressible,
    _ assignments: some Collection<(key: String, value: any SQLExpressible)>
  ) -> SQLExpression {
    .json("JSONB_SET", [value.sqlExpression] + .jsonMembers(assignments), since: .jsonb)
  }

  /// A JSON object in the binary format. Expressions that are known to be JSON are inserted as
  /// JSON.
  ///
  /// ```swift
  /// // JSONB_OBJECT(?, "name", ?, "score")
  /// Database.jsonbObject(["name": Column("name"), "score": Column("score")])
  /// ```
  ///
  /// It needs SQLite 3.45: with an earlier version, preparing the request throws an error.
  /// See <https://www.sqlite.org/json1.html#jobj>.
  public static func jsonbObject(
    _ members: some Collection<(key: String, value: any SQLExpressible)>
  ) -> SQLExpression {
    .json("JSONB_OBJECT", .jsonMembers(members), since: .jsonb)
  }

  /// The JSON in the binary format, patched by another one. See
  /// <https://datatracker.ietf.org/doc/html/rfc7396>.
  ///
  /// ```swift
  /// // JSONB_PATCH("info", ?)
  /// Database.jsonbPatch(Column("info"), with: #"{"score": 1000, "bonus": null}"#)
  /// ```
  ///
  /// It needs SQLite 3.45: with an earlier version, preparing the request throws an error.
  /// See <https://www.sqlite.org/json1.html#jpatch>.
  public static func jsonbPatch(
    _ value: some SQLExpressible, with patch: some SQLExpressible
  ) -> SQLExpression {
    .json("JSONB_PATCH", [value.sqlExpression, patch.sqlExpression], since: .jsonb)
  }

  /// The JSON in the binary format, without the value at a path.
  ///
  /// ```swift
  /// // JSONB_REMOVE("info", ?)
  /// Database.jsonbRemove(Column("info"), atPath: "$.score")
  /// ```
  ///
  /// It needs SQLite 3.45: with an earlier version, preparing the request throws an error.
  /// See <https://www.sqlite.org/json1.html#jrm>.
  public static func jsonbRemove(
    _ value: some SQLExpressible, atPath path: some SQLExpressible
  ) -> SQLExpression {
    .json("JSONB_REMOVE", [value.sqlExpression, path.sqlExpression], since: .jsonb)
  }

  /// The JSON in the binary format, without the values at several paths, which are removed one
  /// after the other.
  ///
  /// ```swift
  /// // JSONB_REMOVE("info", ?, ?)
  /// Database.jsonbRemove(Column("info"), atPaths: ["$.score", "$.bonus"])
  /// ```
  ///
  /// It needs SQLite 3.45: with an earlier version, preparing the request throws an error.
  /// See <https://www.sqlite.org/json1.html#jrm>.
  public static func jsonbRemove(
    _ value: some SQLExpressible, atPaths paths: some Collection<some SQLExpressible>
  ) -> SQLExpression {
    .json("JSONB_REMOVE", [value.sqlExpression] + paths.map { $0.sqlExpression }, since: .jsonb)
  }

  /// A JSON array in the binary format of the values of all rows. Expressions that are known to be
  /// JSON are inserted as JSON.
  ///
  /// ```swift
  /// // JSONB_GROUP_ARRAY("name") FILTER (WHERE "score" > ?)
  /// Database.jsonbGroupArray(Column("name"), filter: Column("score") > 1000)
  /// ```
  ///
  /// It needs SQLite 3.45: with an earlier version, preparing the request throws an error.
  /// See <https://www.sqlite.org/json1.html#jgrouparray>.
  ///
  /// - parameter value: The value of each row.
  /// - parameter ordering: The order of the elements. It needs SQLite 3.44: with an earlier
  ///   version, preparing the request throws an error.
  /// - parameter filter: Only rows that satisfy this condition count.
  public static func jsonbGroupArray(
    _ value: some SQLExpressible, orderBy ordering: (any SQLOrderingTerm)? = nil,
    filter: (any SQLSpecificExpressible)? = nil
  ) -> SQLExpression {
    .aggregate(
      "JSONB_GROUP_ARRAY", [value.sqlExpression.jsonElement],
      orderBy: ordering.map { [$0.sqlOrdering] } ?? [], filter: filter?.sqlExpression, since: .jsonb
    )
  }

  /// A JSON object in the binary format of the keys and values of all rows. Expressions that are
  /// known to be JSON are inserted as JSON.
  ///
  /// ```swift
  /// // JSONB_GROUP_OBJECT("name", "score")
  /// Database.jsonbGroupObject(key: Column("name"), value: Column("score"))
  /// ```
  ///
  /// It needs SQLite 3.45: with an earlier version, preparing the request throws an error.
  /// See <https://www.sqlite.org/json1.html#jgrouparray>.
  ///
  /// - parameter key: The key in the object.
  /// - parameter value: The value of each row.
  /// - parameter filter: Only rows that satisfy this condition count.
  public static func jsonbGroupObject(
    key: some SQLExpressible, value: some SQLExpressible,
    filter: (any SQLSpecificExpressible)? = nil
  ) -> SQLExpression {
    .aggregate(
      "JSONB_GROUP_OBJECT", [key.sqlExpression, value.sqlExpression.jsonElement],
      filter: filter?.sqlExpression, since: .jsonb)
  }
}
