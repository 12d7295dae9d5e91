// To-many associations to tables, common table expressions and table functions. The examples are
// those of record types.

extension _TableSource {
  /// The association to the rows of a table, or of a common table expression, that refer to the
  /// record.
  ///
  /// ```swift
  /// // WITH "recent" AS (SELECT * FROM "book" WHERE "year" > 2000)
  /// // SELECT *, "authorId" AS "grdb_authorId" FROM "recent" WHERE "authorId" IN (1, 2, 3)
  /// let recentBooks = Author.hasMany(recent, key: "recentBooks", using: ForeignKey(["authorId"]))
  /// Author.with(recent).including(all: recentBooks)
  /// ```
  ///
  /// - parameter source: The table, or a common table expression that the request defines: see
  ///   ``DerivableRequest/with(_:)``.
  /// - parameter key: The key of the association: by default, the name of `source`, in the plural.
  /// - parameter foreignKey: Columns of `source`, and those of the record that they refer to: by
  ///   default, the primary key.
  public func hasMany<Source: _TableSource>(
    _ source: Source, key: String? = nil, using foreignKey: ForeignKey
  ) -> HasManyAssociation<RowDecoder, Source.RowDecoder> {
    HasManyAssociation(to: source.all().relation, key: key, using: foreignKey)
  }

  /// The association to the rows of a table, or of a common table expression, that satisfy a
  /// condition.
  ///
  /// ```swift
  /// let laterBooks = Author.hasMany(recent, key: "laterBooks") { author, book in
  ///   author[Column("id")] == book[Column("authorId")]
  ///     && author[Column("birthYear")] > book[Column("year")] - 30
  /// }
  /// Author.with(recent).including(all: laterBooks)
  /// ```
  ///
  /// A condition that compares columns for equality acts like a foreign key. With any other
  /// condition, the request for the associated rows joins the record, whose table then needs a
  /// primary key. So it does if the column of the record is on the left of `==`, and has a
  /// collation of its own: in SQL, the column on the left decides the collation.
  ///
  /// - parameter source: The table, or a common table expression that the request defines: see
  ///   ``DerivableRequest/with(_:)``.
  /// - parameter key: The key of the association: by default, the name of `source`, in the plural.
  /// - parameter condition: The condition on the record and on the associated rows.
  public func hasMany<Source: _TableSource>(
    _ source: Source, key: String? = nil,
    on condition: @escaping JoinAssociation<RowDecoder, Source.RowDecoder>.Condition
  ) -> HasManyAssociation<RowDecoder, Source.RowDecoder> {
    HasManyAssociation(to: source.all().relation, key: key, on: condition)
  }
}

extension Table {
  /// The association to the rows of a table function, whose arguments are columns of the record.
  ///
  /// ```swift
  /// // SELECT "json_each".*, "book"."id" AS "grdb_id" FROM "json_each"("book"."tags")
  /// // JOIN "book" ON "book"."id" IN (1, 2, 3)
  /// let tags = Book.hasMany(TableFunction<Tag>("json_each", Column("tags")), key: "tags")
  /// Book.including(all: tags)
  /// ```
  ///
  /// `including(all:)` needs a primary key of the record. Rows of a function have none: limits and
  /// aggregates of the association throw `InvalidRequest`, and so does `request(for:)`.
  ///
  /// - parameter function: The call of the function.
  /// - parameter key: The key of the association, in the plural.
  public func hasMany<Destination>(
    _ function: TableFunction<Destination>, key: String
  ) -> HasManyAssociation<RowDecoder, Destination> {
    HasManyAssociation(to: function.all().relation, key: key, condition: .expression(nil))
  }
}
