/// An expression that is known to be JSON: a ``JSONColumn``, or an expression `asJSON`.
///
/// ```swift
/// // SELECT "info" ->> ? FROM "player"
/// let info = JSONColumn("info")
/// Player.select(info["address.city"])
/// ```
///
/// It is inserted as JSON, not as a string, in the values that
/// ``Database/jsonArray(_:)-(Collection<SQLExpressible>)`` and its siblings build:
///
/// ```swift
/// // JSON_ARRAY("name", JSON("info"))
/// Database.jsonArray([Column("name"), JSONColumn("info")])
/// ```
///
/// See <https://www.sqlite.org/json1.html>.
public protocol SQLJSONExpressible: SQLSpecificExpressible {}

extension ColumnExpression where Self: SQLJSONExpressible {
  /// The column as an expression that is known to be JSON.
  public var sqlExpression: SQLExpression { SQLExpression(.column(name)).asJSON }
}

extension SQLJSONExpressible {
  /// The value at a path, as an SQL value: text for a JSON string, a number, null.
  ///
  /// ```swift
  /// // "info" ->> ?
  /// info["score"]
  /// info["$.address.city"]
  /// info[0]
  /// ```
  ///
  /// It needs SQLite 3.38. See <https://www.sqlite.org/json1.html#jptr>.
  ///
  /// - parameter path: A path such as `$.a[2]`, the name of a member, or the index of an element.
  public subscript(_ path: some SQLExpressible) -> SQLExpression {
    .binary(.jsonExtractSQL, sqlExpression.withoutJSON, path.sqlExpression)
  }

  /// The value at a path, as an SQL value; arrays and objects as JSON.
  ///
  /// ```swift
  /// // JSON_EXTRACT("info", ?)
  /// info.jsonExtract(atPath: "$.score")
  /// ```
  ///
  /// See <https://www.sqlite.org/json1.html#jex>.
  public func jsonExtract(atPath path: some SQLExpressible) -> SQLExpression {
    Database.jsonExtract(self, atPath: path)
  }

  /// The values at several paths, as a JSON array.
  ///
  /// ```swift
  /// // JSON_EXTRACT("info", ?, ?)
  /// info.jsonExtract(atPaths: ["$.score", "$.bonus"])
  /// ```
  ///
  /// See <https://www.sqlite.org/json1.html#jex>.
  public func jsonExtract(atPaths paths: some Collection<some SQLExpressible>) -> SQLExpression {
    Database.jsonExtract(self, atPaths: paths)
  }

  /// The value at a path, as JSON: a string has its quotes.
  ///
  /// ```swift
  /// // "info" -> ?
  /// info.jsonRepresentation(atPath: "$.address")
  /// ```
  ///
  /// It needs SQLite 3.38. See <https://www.sqlite.org/json1.html#jptr>.
  public func jsonRepresentation(atPath path: some SQLExpressible) -> SQLExpression {
    .binary(.jsonExtract, sqlExpression.withoutJSON, path.sqlExpression)
  }
}

/// Any expression that is known to be JSON. See ``SQLSpecificExpressible/asJSON``.
public struct AnySQLJSONExpressible: SQLJSONExpressible, Sendable {
  /// The expression.
  public let sqlExpression: SQLExpression

  /// Creates an expression without its type.
  public init(_ value: some SQLJSONExpressible) { sqlExpression = value.sqlExpression.asJSON }

  init(_ expression: SQLExpression) { sqlExpression = expression.asJSON }
}

extension SQLSpecificExpressible {
  /// The expression, known to be JSON.
  ///
  /// ```swift
  /// // "info" ->> ?
  /// Column("info").asJSON["score"]
  ///
  /// // JSON_ARRAY(JSON("info"))
  /// Database.jsonArray([Column("info").asJSON])
  /// ```
  public var asJSON: AnySQLJSONExpressible { AnySQLJSONExpressible(sqlExpression) }
}

extension TableAliasBase {
  /// A JSON expression over the columns of the aliased table.
  ///
  /// ```swift
  /// // SELECT "p".* FROM "player" "p" WHERE ("p"."info" ->> ?) > ?
  /// let p = TableAlias(name: "p")
  /// Player.aliased(p).filter(p[JSONColumn("info")]["score"] > 1000)
  /// ```
  public subscript(
    _ expression: some SQLJSONExpressible & SQLSpecificExpressible & SQLSelectable
      & SQLOrderingTerm
  ) -> AnySQLJSONExpressible { AnySQLJSONExpressible(expression.sqlExpression.qualified(by: self)) }
}

extension TableAlias where RowDecoder: TableRecord {
  /// A JSON column of the aliased table.
  ///
  /// ```swift
  /// // SELECT "p".* FROM "player" "p" WHERE ("p"."info" ->> ?) > ?
  /// let p = TableAlias<Player>(name: "p")
  /// Player.aliased(p).filter(p.info["score"] > 1000)
  /// ```
  public subscript<T>(
    dynamicMember keyPath: KeyPath<DatabaseComponents, T>
  ) -> AnySQLJSONExpressible
  where T: SQLJSONExpressible & SQLSpecificExpressible & SQLSelectable & SQLOrderingTerm {
    self[RowDecoder.databaseComponents[keyPath: keyPath]]
  }
}
