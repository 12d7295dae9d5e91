// Written by Scripts/generate, from TableSource+Requests.swift: change that file.

extension TableRecord {
  /// No record.
  public static func none() -> QueryInterfaceRequest<Self> {
    all().none()
  }

  /// Assigns an alias to the table of the request. See ``TableAlias``.
  public static func aliased(_ alias: TableAlias<Void>) -> QueryInterfaceRequest<Self> {
    all().aliased(alias)
  }

  /// Assigns an alias to the table of the request. See ``TableAlias``.
  public static func aliased(_ alias: TableAlias<Self>) -> QueryInterfaceRequest<Self> {
    all().aliased(alias)
  }

  /// Defines a common table expression for the request. See ``DerivableRequest/with(_:)``.
  public static func with<T>(_ cte: CommonTableExpression<T>) -> QueryInterfaceRequest<Self> {
    all().with(cte)
  }

  /// Limits the number of records.
  ///
  /// ```swift
  /// // SELECT * FROM "player" LIMIT 10 OFFSET 20
  /// Player.limit(10, offset: 20)
  /// ```
  public static func limit(_ limit: Int, offset: Int? = nil) -> QueryInterfaceRequest<Self> {
    all().limit(limit, offset: offset)
  }
}
