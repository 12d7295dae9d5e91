extension CommonTableExpression {
  /// The association to the rows of another common table expression that satisfy a condition.
  ///
  /// ```swift
  /// // JOIN "cte2" ON "cte1"."a" = "cte2"."b"
  /// cte1.association(to: cte2) { left, right in left[Column("a")] == right[Column("b")] }
  /// ```
  ///
  /// The key of the association is the name of the destination, in the singular.
  public func association<Destination>(
    to cte: CommonTableExpression<Destination>,
    on condition:
      @escaping @Sendable (
        _ left: TableAlias<RowDecoder>, _ right: TableAlias<Destination>
      ) -> any SQLExpressible
  ) -> JoinAssociation<RowDecoder, Destination> {
    JoinAssociation(to: cte.all().relation, on: condition)
  }

  /// The association to all rows of another common table expression. See ``association(to:on:)-(CommonTableExpression<Destination>,_)``.
  public func association<Destination>(
    to cte: CommonTableExpression<Destination>
  ) -> JoinAssociation<RowDecoder, Destination> {
    JoinAssociation(to: cte.all().relation, on: nil)
  }

  /// The association to the records that satisfy a condition.
  ///
  /// ```swift
  /// // JOIN "book" ON "recent"."id" = "book"."id"
  /// recent.association(to: Book.self) { recent, book in
  ///   recent[Column("id")] == book[Column("id")]
  /// }
  /// ```
  public func association<Destination: TableRecord>(
    to destination: Destination.Type,
    on condition:
      @escaping @Sendable (
        _ left: TableAlias<RowDecoder>, _ right: TableAlias<Destination>
      ) -> any SQLExpressible
  ) -> JoinAssociation<RowDecoder, Destination> {
    JoinAssociation(to: Destination.all().relation, on: condition)
  }

  /// The association to all records. See ``association(to:on:)-(Destination.Type,_)``.
  public func association<Destination: TableRecord>(
    to destination: Destination.Type
  ) -> JoinAssociation<RowDecoder, Destination> {
    JoinAssociation(to: Destination.all().relation, on: nil)
  }

  /// The association to the rows of a table that satisfy a condition. See ``association(to:on:)-(Destination.Type,_)``.
  public func association<Destination>(
    to table: Table<Destination>,
    on condition:
      @escaping @Sendable (
        _ left: TableAlias<RowDecoder>, _ right: TableAlias<Destination>
      ) -> any SQLExpressible
  ) -> JoinAssociation<RowDecoder, Destination> {
    JoinAssociation(to: table.all().relation, on: condition)
  }

  /// The association to all rows of a table. See ``association(to:on:)-(Destination.Type,_)``.
  public func association<Destination>(
    to table: Table<Destination>
  ) -> JoinAssociation<RowDecoder, Destination> {
    JoinAssociation(to: table.all().relation, on: nil)
  }

  /// See ``TableRecord/association(to:named:on:)``.
  public func association<Request: FetchRequest>(
    to request: Request, named name: String,
    on condition:
      @escaping @Sendable (
        _ left: TableAlias<RowDecoder>, _ right: TableAlias<Request.RowDecoder>
      ) -> any SQLExpressible
  ) -> JoinAssociation<RowDecoder, Request.RowDecoder> {
    JoinAssociation(to: request.sqlSubquery.relation(named: name), on: condition)
  }

  /// See ``TableRecord/association(to:named:)``.
  public func association<Request: FetchRequest>(
    to request: Request, named name: String
  ) -> JoinAssociation<RowDecoder, Request.RowDecoder> {
    JoinAssociation(to: request.sqlSubquery.relation(named: name), on: nil)
  }
}
