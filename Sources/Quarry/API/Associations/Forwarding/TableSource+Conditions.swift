// Associations along any condition, from tables and table expressions, and from record types, which
// the first examples are for.

extension _TableSource {
  /// The association to the records that satisfy a condition, or to all records.
  ///
  /// ```swift
  /// // SELECT "book".*, "review".* FROM "book"
  /// // LEFT JOIN "review" ON ("review"."bookId" = "book"."id") AND ("review"."score" > ?)
  /// let praise = Book.association(to: Review.self) { book, review in
  ///   review[Column("bookId")] == book[Column("id")] && review[Column("score")] > 4
  /// }
  /// Book.including(optional: praise)
  ///
  /// // With QuarryRecords: SELECT "book".*, "shop".* FROM "book" CROSS JOIN "shop"
  /// Book.including(cross: Book.association(to: Shop.self))
  ///
  /// // JOIN "book" ON "recent"."id" = "book"."id"
  /// recent.association(to: Book.self) { recent, book in
  ///   recent[Column("id")] == book[Column("id")]
  /// }
  /// ```
  ///
  /// The key of the association is the name of the table, in the singular. Associations with one
  /// key must have the same condition in a request: see ``Association/forKey(_:)``. The closure is
  /// called several times, and must return the same condition each time.
  ///
  /// An association along a condition can't be prefetched with ``JoinableRequest/including(all:)``.
  public func association<Destination: TableRecord>(
    to destination: Destination.Type,
    on condition: JoinAssociation<RowDecoder, Destination>.Condition? = nil
  ) -> JoinAssociation<RowDecoder, Destination> {
    JoinAssociation(to: Destination.all().relation, on: condition)
  }

  /// The association to the rows of a table, or of a common table expression, that satisfy a
  /// condition, or to all rows.
  ///
  /// ```swift
  /// // JOIN "latestMessage" ON "chat"."id" = "latestMessage"."chatId"
  /// Chat.association(to: latestMessage) { chat, latestMessage in
  ///   chat[Column("id")] == latestMessage[Column("chatId")]
  /// }
  ///
  /// // JOIN "cte2" ON "cte1"."a" = "cte2"."b"
  /// cte1.association(to: cte2) { left, right in left[Column("a")] == right[Column("b")] }
  /// ```
  ///
  /// The key of the association is the name of the table or table expression, in the singular.
  public func association<Source: _TableSource>(
    to source: Source,
    on condition: JoinAssociation<RowDecoder, Source.RowDecoder>.Condition? = nil
  ) -> JoinAssociation<RowDecoder, Source.RowDecoder> {
    JoinAssociation(to: source.all().relation, on: condition)
  }

  /// The association to the rows of a request that satisfy a condition, or to all its rows.
  ///
  /// ```swift
  /// // SELECT "book".*, "rating".* FROM "book" LEFT JOIN (
  /// //   SELECT "bookId", AVG("score") AS "score" FROM "review" GROUP BY "bookId"
  /// // ) "rating" ON "rating"."bookId" = "book"."id"
  /// let ratings = Review
  ///   .select(Column("bookId"), average(Column("score")).forKey("score"))
  ///   .group(Column("bookId"))
  /// let rating = Book.association(to: ratings, named: "rating") { book, rating in
  ///   rating[Column("bookId")] == book[Column("id")]
  /// }
  /// Book.including(optional: rating)
  /// ```
  ///
  /// The request is a subquery: it may be grouped, limited, a compound, written by hand. Its
  /// adapter, and its prefetched associations, are left out.
  ///
  /// - parameter request: The request whose rows it has.
  /// - parameter condition: The condition of the join, of both sides.
  /// - parameter name: the name of the subquery in the SQL; in the singular, it is the key of the
  ///   association.
  public func association<Request: FetchRequest>(
    to request: Request, named name: String,
    on condition: JoinAssociation<RowDecoder, Request.RowDecoder>.Condition? = nil
  ) -> JoinAssociation<RowDecoder, Request.RowDecoder> {
    JoinAssociation(to: request.sqlSubquery.relation(named: name), on: condition)
  }
}
