// Written by Scripts/generate, from AssociationAggregate.swift: change that file.

extension TableRecord {
  /// Appends aggregates of associations to the selection.
  ///
  /// ```swift
  /// // SELECT "author".*, COUNT(DISTINCT "book"."id") AS "bookCount",
  /// //        MAX("book"."year") AS "maxBookYear" FROM "author"
  /// // LEFT JOIN "book" ON "book"."authorId" = "author"."id"
  /// // GROUP BY "author"."id"
  /// Author.annotated(with: [Author.books.count, Author.books.max(Column("year"))])
  /// ```
  public static func annotated(with aggregates: [AssociationAggregate<Self>])
    -> QueryInterfaceRequest<Self>
  {
    all().annotated(with: aggregates)
  }

  /// Keeps the records that satisfy a condition on aggregates of associations.
  ///
  /// ```swift
  /// // SELECT "author".* FROM "author"
  /// // LEFT JOIN "book" ON "book"."authorId" = "author"."id"
  /// // GROUP BY "author"."id"
  /// // HAVING COUNT(DISTINCT "book"."id") = 0
  /// Author.having(Author.books.isEmpty)
  /// ```
  public static func having(_ predicate: AssociationAggregate<Self>) -> QueryInterfaceRequest<Self>
  {
    all().having(predicate)
  }
}

extension TableRecord {
  /// Appends aggregates of associations to the selection.
  ///
  /// ```swift
  /// // SELECT "author".*, COUNT(DISTINCT "book"."id") AS "bookCount",
  /// //        MAX("book"."year") AS "maxBookYear" FROM "author"
  /// // LEFT JOIN "book" ON "book"."authorId" = "author"."id"
  /// // GROUP BY "author"."id"
  /// Author.annotated(with: Author.books.count, Author.books.max(Column("year")))
  /// ```
  public static func annotated(with aggregates: AssociationAggregate<Self>...)
    -> QueryInterfaceRequest<Self>
  {
    all().annotated(with: aggregates)
  }
}
