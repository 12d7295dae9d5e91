// The first records of a to-many association: one of them, as an association to one, or some of
// them.

extension AssociationToMany {
  /// Limits the number of associated records per origin record.
  ///
  /// ```swift
  /// // The three latest books of each author:
  /// // SELECT "book".*, "author"."id" AS "grdb_id" FROM "book"
  /// // JOIN "author" ON ("book"."id" IN (
  /// //   SELECT "id" FROM "book" WHERE "authorId" = "author"."id" ORDER BY "year" DESC LIMIT 3))
  /// //   AND ("author"."id" IN (1, 2, 3))
  /// // ORDER BY "book"."year" DESC
  /// Author.including(all: Author.books.order(Column("year").desc).limit(3))
  /// ```
  ///
  /// As with requests, conditions apply before the limit, regardless of the order of the calls. A
  /// second limit replaces the first one. Without order, the primary key orders the records. In
  /// joins, a record that an indirect association reaches several times counts several times, and
  /// is joined once.
  ///
  /// The associated records need a primary key: the fetch throws `InvalidRequest` for a view or a
  /// common table expression without a key. `including(all:)` also throws it for an association
  /// that joins many rows to its own, unless it groups them, that computes aggregates of several
  /// records, or that selects distinct rows without their primary key. Distinct records count once.
  public consuming func limit(_ limit: Int, offset: Int? = nil) -> Self {
    mapRelation { $0.limit = Limit(count: limit, offset: offset) }
  }
}

extension HasManyAssociation {
  /// The association to the first of the associated records.
  ///
  /// ```swift
  /// extension Author {
  ///   static let latestBook = books.order(Column("year").desc).first().forKey("latestBook")
  /// }
  ///
  /// // SELECT "author".*, "book".* FROM "author"
  /// // LEFT JOIN "book" ON "book"."id" = (
  /// //   SELECT "id" FROM "book" WHERE "authorId" = "author"."id" ORDER BY "year" DESC LIMIT 1)
  /// Author.including(optional: Author.latestBook)
  ///
  /// // Authors whose latest book is a novel
  /// Author.joining(required: Author.latestBook.filter(Column("kind") == "novel"))
  /// ```
  ///
  /// Conditions before `first()` restrict the records that it selects from; conditions after it
  /// apply to the first record. Without an order, it is the record with the lowest primary key. The
  /// key of the association is singular: `book` here.
  ///
  /// An index on the foreign key and the order makes it fast: `CREATE INDEX i ON book(authorId,
  /// year)`.
  public func first() -> HasOneAssociation<Origin, Destination> {
    HasOneAssociation(_association.first)
  }

  /// The association to the last of the associated records: the first one in the reversed order.
  /// See ``first()``.
  public func last() -> HasOneAssociation<Origin, Destination> {
    HasOneAssociation(_association.reversed.first)
  }
}

extension HasManyThroughAssociation {
  /// The association to the first of the associated records. See ``HasManyAssociation/first()``.
  public func first() -> HasOneThroughAssociation<Origin, Destination> {
    HasOneThroughAssociation(_association.first)
  }

  /// The association to the last of the associated records. See ``HasManyAssociation/first()``.
  public func last() -> HasOneThroughAssociation<Origin, Destination> {
    HasOneThroughAssociation(_association.reversed.first)
  }
}

extension _AssociationStorage {
  var isLimited: Bool { destination.relation.limit != nil }

  /// The association in the opposite order, by descending primary key if it is not ordered.
  fileprivate var reversed: _AssociationStorage {
    var association = self
    if !steps.contains(where: \.relation.hasOrdering) {
      association.destination.relation.ordering.terms = [
        .ordering(SQLOrdering(.primaryKey(.unspecified)))
      ]
    }
    association.destination.relation.ordering.isReversed.toggle()
    return association
  }

  /// The first record, without order: there is only one.
  fileprivate var first: _AssociationStorage {
    var association = self
    association.destination.relation.limit = Limit(
      count: 1, offset: destination.relation.limit?.offset)
    association = association.top
    association.destination.relation.ordering = OrderingClause()
    association.destination.isToMany = false
    return association
  }

  /// The limited association, as one step on a condition.
  var top: _AssociationStorage {
    var steps = steps
    let last = steps.count - 1
    let limit = steps[last].relation.limit ?? Limit(count: 1)
    steps[last].relation.limit = nil
    var step = steps[last]
    step.condition = .limited(LimitedAssociation(steps: steps, limit: limit))
    step.relation.filters = []
    step.relation.isDistinct = false
    return _AssociationStorage(destination: step)
  }
}
