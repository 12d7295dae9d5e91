/// A value computed from all records of a to-many association, such as their number or the maximum
/// of a column.
///
/// ```swift
/// // SELECT "author".*, COUNT(DISTINCT "book"."id") AS "bookCount" FROM "author"
/// // LEFT JOIN "book" ON "book"."authorId" = "author"."id"
/// // GROUP BY "author"."id"
/// Author.annotated(with: Author.books.count)
///
/// // … HAVING COUNT(DISTINCT "book"."id") > ?
/// Author.having(Author.books.count > 10)
/// ```
///
/// Aggregates of associations with the same key are computed on the same records. Give the
/// associations another key to compute them separately: see ``Association/forKey(_:)-(String)``.
/// Those with other deleted records (`withDeleted()`, `onlyDeleted()`) are separate.
public struct AssociationAggregate<RowDecoder>: Sendable {
  /// The associations, to be joined from left to right.
  let joins: [JoinNode]
  let expression: SQLExpression
  /// The name of the column.
  var key: String?

  /// The aggregate with another name for its column.
  ///
  /// ```swift
  /// // SELECT "author".*, COUNT(DISTINCT "book"."id") AS "numberOfBooks" FROM …
  /// Author.annotated(with: Author.books.count.forKey("numberOfBooks"))
  /// ```
  public func forKey(_ key: String) -> Self { Self(joins: joins, expression: expression, key: key) }

  /// The aggregate with another name for its column. See ``forKey(_:)-(String)``.
  public func forKey(_ key: some CodingKey) -> Self { forKey(key.stringValue) }
}

extension AssociationAggregate {
  /// Another expression of the same associations, without a name.
  func map(_ transform: (SQLExpression) -> SQLExpression) -> Self {
    Self(joins: joins, expression: transform(expression))
  }

  /// An expression of the associations of two aggregates.
  func combined(
    with other: Self, _ combine: (SQLExpression, SQLExpression) -> SQLExpression
  ) -> Self { Self(joins: joins + other.joins, expression: combine(expression, other.expression)) }
}

extension Relation {
  /// Joins the associations of an aggregate, and groups by row.
  fileprivate mutating func join<T>(_ aggregate: AssociationAggregate<T>) {
    for node in aggregate.joins { join(node) }
    changeRareClauses {
      $0.aggregatedJoins += aggregate.joins
      $0.grouping = .primaryKey
    }
  }
}

extension DerivableRequest {
  /// Appends aggregates of associations to the selection.
  ///
  /// ```swift
  /// // SELECT "author".*, COUNT(DISTINCT "book"."id") AS "bookCount",
  /// //        MAX("book"."year") AS "maxBookYear" FROM "author"
  /// // LEFT JOIN "book" ON "book"."authorId" = "author"."id"
  /// // GROUP BY "author"."id"
  /// Author.all().annotated(with: [Author.books.count, Author.books.max(Column("year"))])
  /// ```
  public consuming func annotated(with aggregates: [AssociationAggregate<RowDecoder>]) -> Self {
    mapRelation { relation in
      for aggregate in aggregates {
        relation.join(aggregate)
        let expression = aggregate.expression
        let selection = aggregate.key.map { SQLSelection(.aliased(expression, $0)) }
        relation.selection.append(
          .aggregates([selection ?? SQLSelection(.expression(expression))]))
      }
    }
  }

  /// Computes each aggregate of an association in a separate subquery. The associations are not
  /// joined for it, and rows are not grouped.
  ///
  /// ```swift
  /// // SELECT "author".*,
  /// //   (SELECT COUNT(*) FROM "book" WHERE "book"."authorId" = "author"."id") AS "bookCount",
  /// //   (SELECT COUNT(*) FROM "prize" WHERE "prize"."authorId" = "author"."id") AS "prizeCount"
  /// // FROM "author"
  /// Author.annotated(with: Author.books.count, Author.prizes.count)
  ///   .withAggregatesInSubqueries()
  /// ```
  ///
  /// The rows are the same. Use it if a request has aggregates of several associations: with joins,
  /// each author has a row for each pair of a book and a prize. The foreign keys need an index.
  ///
  /// Fetching throws ``InvalidRequest`` if the request is not grouped by the primary key, or if it
  /// has a right or full join.
  public consuming func withAggregatesInSubqueries() -> Self {
    mapRelation { $0.isolatesAggregates = true }
  }

  /// Keeps the rows that satisfy a condition on aggregates of associations.
  ///
  /// ```swift
  /// // SELECT "author".* FROM "author"
  /// // LEFT JOIN "book" ON "book"."authorId" = "author"."id"
  /// // GROUP BY "author"."id"
  /// // HAVING COUNT(DISTINCT "book"."id") = 0
  /// Author.all().having(Author.books.isEmpty)
  /// ```
  public consuming func having(_ predicate: AssociationAggregate<RowDecoder>) -> Self {
    mapRelation { relation in
      relation.join(predicate)
      relation.havings.append(.expression(predicate.expression))
    }
  }
}
