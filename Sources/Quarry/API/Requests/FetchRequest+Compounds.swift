extension FetchRequest {
  /// The rows of this request, and those of another one, without duplicates.
  ///
  /// ```swift
  /// // SELECT "name" FROM "author" UNION SELECT "name" FROM "publisher"
  /// Author.select(Column("name")).union(Publisher.select(Column("name")))
  /// ```
  ///
  /// Both requests select the same number of columns: otherwise, SQLite refuses the request. A
  /// request of the pair that is ordered, limited, or a compound itself, is written as a subquery:
  ///
  /// ```swift
  /// // SELECT * FROM (SELECT * FROM "book" ORDER BY "price" LIMIT 1)
  /// // UNION SELECT * FROM "book" WHERE "year" > ?
  /// Book.order(Column("price")).limit(1).union(Book.filter(Column("year") > 2000))
  /// ```
  ///
  /// See ``CompoundRequest``.
  public func union(_ other: some SQLSubqueryable) -> CompoundRequest<RowDecoder> {
    CompoundRequest(self, .union, other)
  }

  /// The rows of this request, and those of another one, with duplicates.
  ///
  /// ```swift
  /// // SELECT "name" FROM "author" UNION ALL SELECT "name" FROM "publisher"
  /// Author.select(Column("name")).unionAll(Publisher.select(Column("name")))
  /// ```
  ///
  /// See ``union(_:)``.
  public func unionAll(_ other: some SQLSubqueryable) -> CompoundRequest<RowDecoder> {
    CompoundRequest(self, .unionAll, other)
  }

  /// The rows that this request and another one have in common, without duplicates.
  ///
  /// ```swift
  /// // SELECT "name" FROM "author" INTERSECT SELECT "name" FROM "publisher"
  /// Author.select(Column("name")).intersect(Publisher.select(Column("name")))
  /// ```
  ///
  /// See ``union(_:)``.
  public func intersect(_ other: some SQLSubqueryable) -> CompoundRequest<RowDecoder> {
    CompoundRequest(self, .intersect, other)
  }

  /// The rows of this request that another one lacks, without duplicates.
  ///
  /// ```swift
  /// // SELECT "id" FROM "author" EXCEPT SELECT "authorId" FROM "book"
  /// Author.select(Column("id")).except(Book.select(Column("authorId")))
  /// ```
  ///
  /// See ``union(_:)``.
  public func except(_ other: some SQLSubqueryable) -> CompoundRequest<RowDecoder> {
    CompoundRequest(self, .except, other)
  }
}
