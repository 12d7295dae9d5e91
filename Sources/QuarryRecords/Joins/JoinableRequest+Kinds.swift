// Joins that keep the rows of the other side, and all pairs.

public import Quarry

extension JoinableRequest {
  /// Fetches all associated records, each with its record, if any.
  ///
  /// ```swift
  /// // SELECT "book".*, "publisher".* FROM "book"
  /// // RIGHT JOIN "publisher" ON "publisher"."id" = "book"."publisherId"
  /// struct PublisherInfo: Decodable, FetchableRecord {
  ///   var book: Book?
  ///   var publisher: Publisher
  /// }
  /// let infos = try Book.all()
  ///   .including(right: Book.publisher)
  ///   .asRequest(of: PublisherInfo.self)
  ///   .fetchAll(db)
  /// ```
  ///
  /// The records of the request are in a scope of their own, with the singular name of their table,
  /// since they may be missing.
  ///
  /// Joins are written in the order of the calls: an association that is required later drops rows
  /// without a record. So do conditions of the request, but for that of a
  /// ``SoftDeletableRecord``: its deleted rows are not there, so that they match no associated
  /// record. Filters of the association leave out its records, in `ON` and in `WHERE`; a condition
  /// of `association(to:on:)`, and a filter that refers to an alias of another record, only choose
  /// the pairs.
  ///
  /// Fetching throws ``/Quarry/InvalidRequest`` if SQLite is older than 3.39, if the association is
  /// limited (`first()`), if the request has aggregates of associations, too, or if
  /// `including(all:)` follows the association: rows without a record of the request have no key.
  /// See <https://www.sqlite.org/lang_select.html#rjoin>.
  public consuming func including<A: Association>(right association: A) -> Self
  where A.OriginRowDecoder == RowDecoder {
    mapRelation { $0.join(association._association.joinNode(.right, selects: true)) }
  }

  /// Fetches all records and all associated records: matching ones in pairs, others alone.
  ///
  /// ```swift
  /// // SELECT "book".*, "publisher".* FROM "book"
  /// // FULL JOIN "publisher" ON "publisher"."id" = "book"."publisherId"
  /// struct Pair: Decodable, FetchableRecord {
  ///   var book: Book?
  ///   var publisher: Publisher?
  /// }
  /// let pairs = try Book.all()
  ///   .including(full: Book.publisher)
  ///   .asRequest(of: Pair.self)
  ///   .fetchAll(db)
  /// ```
  ///
  /// See ``including(right:)``.
  public consuming func including<A: Association>(full association: A) -> Self
  where A.OriginRowDecoder == RowDecoder {
    mapRelation { $0.join(association._association.joinNode(.full, selects: true)) }
  }

  /// Fetches all pairs of records. SQLite does not reorder the tables.
  ///
  /// ```swift
  /// // SELECT "book".*, "shop".* FROM "book" CROSS JOIN "shop"
  /// struct Offer: Decodable, FetchableRecord {
  ///   var book: Book
  ///   var shop: Shop
  /// }
  /// let offers = try Book.all()
  ///   .including(cross: Book.association(to: Shop.self))
  ///   .asRequest(of: Offer.self)
  ///   .fetchAll(db)
  /// ```
  ///
  /// See <https://www.sqlite.org/optoverview.html#crossjoin>.
  public consuming func including<A: Association>(cross association: A) -> Self
  where A.OriginRowDecoder == RowDecoder {
    mapRelation { $0.join(association._association.joinNode(.cross, selects: true)) }
  }

  /// Adds a row for each unmatched associated record, and does not fetch the association.
  ///
  /// ```swift
  /// // SELECT "book"."title", "publisher"."name" AS "name" FROM "book"
  /// // RIGHT JOIN "publisher" ON "publisher"."id" = "book"."publisherId"
  /// let publisher = TableAlias<Publisher>()
  /// Book
  ///   .joining(right: Book.publisher.aliased(publisher))
  ///   .select(Column("title"), publisher[Column("name")].forKey("name"))
  ///   .asRequest(of: Row.self)
  /// ```
  ///
  /// See ``including(right:)``.
  public consuming func joining<A: Association>(right association: A) -> Self
  where A.OriginRowDecoder == RowDecoder {
    mapRelation { $0.join(association._association.joinNode(.right, selects: false)) }
  }

  /// See ``joining(right:)`` and ``including(full:)``.
  public consuming func joining<A: Association>(full association: A) -> Self
  where A.OriginRowDecoder == RowDecoder {
    mapRelation { $0.join(association._association.joinNode(.full, selects: false)) }
  }

  /// See ``joining(right:)`` and ``including(cross:)``.
  public consuming func joining<A: Association>(cross association: A) -> Self
  where A.OriginRowDecoder == RowDecoder {
    mapRelation { $0.join(association._association.joinNode(.cross, selects: false)) }
  }
}
