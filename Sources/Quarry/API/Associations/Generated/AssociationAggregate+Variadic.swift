// Written by Scripts/generate, from AssociationAggregate.swift: change that file.

extension DerivableRequest {
  /// Appends aggregates of associations to the selection.
  ///
  /// ```swift
  /// // SELECT "author".*, COUNT(DISTINCT "book"."id") AS "bookCount",
  /// //        MAX("book"."year") AS "maxBookYear" FROM "author"
  /// // LEFT JOIN "book" ON "book"."authorId" = "author"."id"
  /// // GROUP BY "author"."id"
  /// Author.all().annotated(with: Author.books.count, Author.books.max(Column("year")))
  /// ```
  public consuming func annotated(with aggregates: AssociationAggregate<RowDecoder>...) -> Self {
    annotated(with: aggregates)
  }
}
