// Written by Scripts/generate, from AssociationAggregate.swift: change that file.

extension _TableSource {
  /// Appends aggregates of associations to the selection.
  ///
  /// ```swift
  /// // SELECT "author".*, COUNT(DISTINCT "book"."id") AS "bookCount",
  /// //        MAX("book"."year") AS "maxBookYear" FROM "author"
  /// // LEFT JOIN "book" ON "book"."authorId" = "author"."id"
  /// // GROUP BY "author"."id"
  /// Author.annotated(with: [Author.books.count, Author.books.max(Column("year"))])
  /// ```
  public func annotated(with aggregates: [AssociationAggregate<RowDecoder>])
    -> QueryInterfaceRequest<RowDecoder>
  {
    all().annotated(with: aggregates)
  }

  /// Keeps the rows that satisfy a condition on aggregates of associations.
  ///
  /// ```swift
  /// // SELECT "author".* FROM "author"
  /// // LEFT JOIN "book" ON "book"."authorId" = "author"."id"
  /// // GROUP BY "author"."id"
  /// // HAVING COUNT(DISTINCT "book"."id") = 0
  /// Author.having(Author.books.isEmpty)
  /// ```
  public func having(_ predicate: AssociationAggregate<RowDecoder>) -> QueryInterfaceRequest<
    RowDecoder
  > {
    all().having(predicate)
  }
}

extension _TableSource {
  /// Appends aggregates of associations to the selection.
  ///
  /// ```swift
  /// // SELECT "author".*, COUNT(DISTINCT "book"."id") AS "bookCount",
  /// //        MAX("book"."year") AS "maxBookYear" FROM "author"
  /// // LEFT JOIN "book" ON "book"."authorId" = "author"."id"
  /// // GROUP BY "author"."id"
  /// Author.annotated(with: Author.books.count, Author.books.max(Column("year")))
  /// ```
  public func annotated(with aggregates: AssociationAggregate<RowDecoder>...)
    -> QueryInterfaceRequest<RowDecoder>
  {
    all().annotated(with: aggregates)
  }
}
