// Written by Scripts/generate, from JoinableRequest+Joins.swift: change that file.

extension _TableSource {
  /// Fetches all associated records, with a second request.
  ///
  /// ```swift
  /// // SELECT * FROM "author"
  /// // SELECT *, "authorId" AS "grdb_authorId" FROM "book" WHERE "authorId" IN (1, 2, 3)
  /// struct AuthorInfo: Decodable, FetchableRecord {
  ///   var author: Author
  ///   var books: [Book]
  /// }
  /// let infos = try Author
  ///   .including(all: Author.books)
  ///   .asRequest(of: AuthorInfo.self)
  ///   .fetchAll(db)
  /// ```
  ///
  /// See `JoinableRequest.including(all:)`.
  public func including<A: AssociationToMany>(all association: A) -> QueryInterfaceRequest<
    RowDecoder
  > where A.OriginRowDecoder == RowDecoder {
    all().including(all: association)
  }

  /// Fetches the associated record, if any.
  ///
  /// ```swift
  /// // SELECT "book".*, "author".* FROM "book"
  /// // LEFT JOIN "author" ON "author"."id" = "book"."authorId"
  /// struct BookInfo: Decodable, FetchableRecord {
  ///   var book: Book
  ///   var author: Author?
  /// }
  /// let infos = try Book
  ///   .including(optional: Book.author)
  ///   .asRequest(of: BookInfo.self)
  ///   .fetchAll(db)
  /// ```
  public func including<A: Association>(optional association: A) -> QueryInterfaceRequest<
    RowDecoder
  > where A.OriginRowDecoder == RowDecoder {
    all().including(optional: association)
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
  /// let infos = try Book
  ///   .including(required: Book.author)
  ///   .asRequest(of: BookInfo.self)
  ///   .fetchAll(db)
  /// ```
  public func including<A: Association>(required association: A) -> QueryInterfaceRequest<
    RowDecoder
  > where A.OriginRowDecoder == RowDecoder {
    all().including(required: association)
  }

  /// Joins an association without fetching it, for conditions and orderings.
  ///
  /// ```swift
  /// // SELECT "book".* FROM "book" LEFT JOIN "author" ON "author"."id" = "book"."authorId"
  /// // ORDER BY "author"."name"
  /// Book.joining(optional: Book.author.order(Column("name")))
  /// ```
  public func joining<A: Association>(optional association: A) -> QueryInterfaceRequest<RowDecoder>
  where A.OriginRowDecoder == RowDecoder {
    all().joining(optional: association)
  }

  /// Keeps the records that have an associated record.
  ///
  /// ```swift
  /// // SELECT "book".* FROM "book"
  /// // JOIN "author" ON ("author"."id" = "book"."authorId") AND ("author"."country" = ?)
  /// Book.joining(required: Book.author.filter(Column("country") == "FR"))
  /// ```
  public func joining<A: Association>(required association: A) -> QueryInterfaceRequest<RowDecoder>
  where A.OriginRowDecoder == RowDecoder {
    all().joining(required: association)
  }
}

extension _TableSource {
  /// Appends the columns of the associated record, if any, to those of the records.
  ///
  /// ```swift
  /// // SELECT "book".*, "author"."name" AS "authorName" FROM "book"
  /// // LEFT JOIN "author" ON "author"."id" = "book"."authorId"
  /// Book.annotated(withOptional: Book.author.select(Column("name").forKey("authorName")))
  /// ```
  public func annotated<A: Association>(withOptional association: A) -> QueryInterfaceRequest<
    RowDecoder
  > where A.OriginRowDecoder == RowDecoder {
    all().annotated(withOptional: association)
  }

  /// Appends the columns of the associated record to those of the records. Records without an
  /// associated record are left out. See `annotated(withOptional:)`.
  public func annotated<A: Association>(withRequired association: A) -> QueryInterfaceRequest<
    RowDecoder
  > where A.OriginRowDecoder == RowDecoder {
    all().annotated(withRequired: association)
  }
}
