// Associations along any condition, from tables without record type, and from table expressions.

extension _TableSource {
  /// The association to the records that satisfy a condition, or to all records.
  ///
  /// ```swift
  /// // JOIN "book" ON "recent"."id" = "book"."id"
  /// recent.association(to: Book.self) { recent, book in
  ///   recent[Column("id")] == book[Column("id")]
  /// }
  /// ```
  ///
  /// See ``TableRecord/association(to:on:)-(Destination.Type,_)``.
  public func association<Destination: TableRecord>(
    to destination: Destination.Type,
    on condition: JoinAssociation<RowDecoder, Destination>.Condition? = nil
  ) -> JoinAssociation<RowDecoder, Destination> {
    JoinAssociation(to: Destination.all().relation, on: condition)
  }

  /// The association to the rows of a table or table expression that satisfy a condition, or to all
  /// rows.
  ///
  /// ```swift
  /// // JOIN "cte2" ON "cte1"."a" = "cte2"."b"
  /// cte1.association(to: cte2) { left, right in left[Column("a")] == right[Column("b")] }
  /// ```
  ///
  /// See ``TableRecord/association(to:on:)-(Source,_)``.
  public func association<Source: _TableSource>(
    to source: Source,
    on condition: JoinAssociation<RowDecoder, Source.RowDecoder>.Condition? = nil
  ) -> JoinAssociation<RowDecoder, Source.RowDecoder> {
    JoinAssociation(to: source.all().relation, on: condition)
  }

  /// The association to the rows of a request that satisfy a condition, or to all its rows.
  ///
  /// See ``TableRecord/association(to:named:on:)``.
  public func association<Request: FetchRequest>(
    to request: Request, named name: String,
    on condition: JoinAssociation<RowDecoder, Request.RowDecoder>.Condition? = nil
  ) -> JoinAssociation<RowDecoder, Request.RowDecoder> {
    JoinAssociation(to: request.sqlSubquery.relation(named: name), on: condition)
  }
}
