// Requests by the columns of the record type, which tables and table expressions don't have.

extension TableRecord {
  // Disfavored: the compiler tries the overload of typed columns first, if there is one.
  /// Selects a column or an expression.
  ///
  /// ```swift
  /// // SELECT "score" FROM "player"
  /// Player.select { $0.score }
  /// ```
  @_disfavoredOverload
  public static func select(
    _ selection: (DatabaseComponents) throws -> any SQLSelectable
  ) rethrows -> QueryInterfaceRequest<Self> {
    try all().select(selection)
  }

  /// See ``select(_:)-(SQLSelectable...)``.
  public static func select(
    _ selection: (DatabaseComponents) throws -> [any SQLSelectable]
  ) rethrows -> QueryInterfaceRequest<Self> {
    try all().select(selection)
  }

  // Disfavored: with the overload of typed columns, values are read as their column stores them.
  /// See ``select(_:as:)-([SQLSelectable],_)``.
  @_disfavoredOverload
  public static func select<RowDecoder>(
    _ selection: (DatabaseComponents) throws -> any SQLSelectable,
    as type: RowDecoder.Type = RowDecoder.self
  ) rethrows -> QueryInterfaceRequest<RowDecoder> {
    try all().select(selection, as: type)
  }

  /// Appends to the selection of the record type.
  ///
  /// ```swift
  /// // SELECT *, "score" + "bonus" AS "total" FROM "player"
  /// Player.annotated { ($0.score + $0.bonus).forKey("total") }
  /// ```
  public static func annotated(
    with selection: (DatabaseComponents) throws -> any SQLSelectable
  ) rethrows -> QueryInterfaceRequest<Self> {
    try all().annotated(with: selection)
  }

  /// See ``annotated(with:)-([SQLSelectable])``.
  public static func annotated(
    with selection: (DatabaseComponents) throws -> [any SQLSelectable]
  ) rethrows -> QueryInterfaceRequest<Self> {
    try all().annotated(with: selection)
  }

  // Disfavored: the compiler tries the overload of typed columns first, if there is one.
  /// Records that satisfy a condition.
  ///
  /// ```swift
  /// // SELECT * FROM "player" WHERE "score" > ?
  /// Player.filter { $0.score > 1000 }
  /// ```
  @_disfavoredOverload
  public static func filter(
    _ predicate: (DatabaseComponents) throws -> any SQLSpecificExpressible
  ) rethrows -> QueryInterfaceRequest<Self> {
    try all().filter(predicate)
  }

  /// Orders the records.
  ///
  /// ```swift
  /// // SELECT * FROM "player" ORDER BY "score" DESC
  /// Player.order { $0.score.desc }
  /// ```
  public static func order(
    _ ordering: (DatabaseComponents) throws -> any SQLOrderingTerm
  ) rethrows -> QueryInterfaceRequest<Self> {
    try all().order(ordering)
  }

  /// See ``order(_:)-(SQLOrderingTerm...)``.
  public static func order(
    _ orderings: (DatabaseComponents) throws -> [any SQLOrderingTerm]
  ) rethrows -> QueryInterfaceRequest<Self> {
    try all().order(orderings)
  }
}
