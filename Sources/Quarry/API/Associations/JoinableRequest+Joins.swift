extension JoinableRequest {
  /// Fetches all associated records, with a second request.
  ///
  /// ```swift
  /// // SELECT * FROM "author"
  /// // SELECT *, "authorId" AS "grdb_authorId" FROM "book" WHERE "authorId" IN (1, 2, 3)
  /// struct AuthorInfo: Decodable, FetchableRecord {
  ///   var author: Author
  ///   var books: [Book]
  /// }
  /// let infos = try Author.all()
  ///   .including(all: Author.books)
  ///   .asRequest(of: AuthorInfo.self)
  ///   .fetchAll(db)
  /// ```
  ///
  /// Groups, aggregates and window functions of the association are computed for each record by
  /// itself. A record without associated records has no group, and no aggregate.
  ///
  /// An association of a joined record is fetched for the joined record of each row. Where records
  /// are joined to many others, or along a condition that compares no unique key with columns, the
  /// joined record must be fetched, too, with its key:
  ///
  /// ```swift
  /// // SELECT "author".*, "book".* FROM "author" JOIN "book" ON "book"."authorId" = "author"."id"
  /// // SELECT *, "bookId" AS "grdb_bookId" FROM "review" WHERE "bookId" IN (1, 2, 3)
  /// Author.including(required: Author.books.including(all: Book.hasMany(Review.self)))
  /// ```
  public consuming func including<A: AssociationToMany>(all association: A) -> Self
  where A.OriginRowDecoder == RowDecoder { mapRelation { $0.prefetch(association._association) } }

  /// Fetches the associated record, if any.
  ///
  /// ```swift
  /// // SELECT "book".*, "author".* FROM "book"
  /// // LEFT JOIN "author" ON "author"."id" = "book"."authorId"
  /// struct BookInfo: Decodable, FetchableRecord {
  ///   var book: Book
  ///   var author: Author?
  /// }
  /// let infos = try Book.all()
  ///   .including(optional: Book.author)
  ///   .asRequest(of: BookInfo.self)
  ///   .fetchAll(db)
  /// ```
  public consuming func including<A: Association>(optional association: A) -> Self
  where A.OriginRowDecoder == RowDecoder {
    mapRelation { $0.join(association._association.joinNode(.left, selects: true)) }
  }

  /// Fetches the associated record. Records without an associated record are left out.
  ///
  /// ```swift
  /// // SELECT "book".*, "author".* FROM "book"
  /// // JOIN "author" ON "author"."id" = "book"."authorId"
  /// struct BookInfo: Decodable, FetchableRecord {
  ///   var book: Book
  ///   var author: Author
  /// }
  /// let infos = try Book.all()
  ///   .including(required: Book.author)
  ///   .asRequest(of: BookInfo.self)
  ///   .fetchAll(db)
  /// ```
  public consuming func including<A: Association>(required association: A) -> Self
  where A.OriginRowDecoder == RowDecoder {
    mapRelation { $0.join(association._association.joinNode(.inner, selects: true)) }
  }

  /// Joins an association without fetching it, for conditions and orderings.
  ///
  /// ```swift
  /// // SELECT "book".* FROM "book" LEFT JOIN "author" ON "author"."id" = "book"."authorId"
  /// // ORDER BY "author"."name"
  /// Book.all().joining(optional: Book.author.order(Column("name")))
  /// ```
  public consuming func joining<A: Association>(optional association: A) -> Self
  where A.OriginRowDecoder == RowDecoder {
    mapRelation { $0.join(association._association.joinNode(.left, selects: false)) }
  }

  /// Keeps the records that have an associated record.
  ///
  /// ```swift
  /// // SELECT "book".* FROM "book"
  /// // JOIN "author" ON ("author"."id" = "book"."authorId") AND ("author"."country" = ?)
  /// Book.all().joining(required: Book.author.filter(Column("country") == "FR"))
  /// ```
  public consuming func joining<A: Association>(required association: A) -> Self
  where A.OriginRowDecoder == RowDecoder {
    mapRelation { $0.join(association._association.joinNode(.inner, selects: false)) }
  }
}

extension JoinableRequest where Self: SelectionRequest {
  /// Appends the columns of the associated record, if any, to those of the records.
  ///
  /// ```swift
  /// // SELECT "book".*, "author"."name" AS "authorName" FROM "book"
  /// // LEFT JOIN "author" ON "author"."id" = "book"."authorId"
  /// Book.all().annotated(withOptional: Book.author.select(Column("name").forKey("authorName")))
  /// ```
  public consuming func annotated<A: Association>(withOptional association: A) -> Self
  where A.OriginRowDecoder == RowDecoder {
    mapRelation { $0.annotate(.left, association._association) }
  }

  /// Appends the columns of the associated record to those of the records. Records without an
  /// associated record are left out. See ``annotated(withOptional:)``.
  public consuming func annotated<A: Association>(withRequired association: A) -> Self
  where A.OriginRowDecoder == RowDecoder {
    mapRelation { $0.annotate(.inner, association._association) }
  }
}
