// To-many associations from and to common table expressions.

extension TableRecord {
  /// The association to the rows of a common table expression that refer to the record.
  ///
  /// ```swift
  /// // WITH "recent" AS (SELECT * FROM "book" WHERE "year" > 2000)
  /// // SELECT *, "authorId" AS "grdb_authorId" FROM "recent" WHERE "authorId" IN (1, 2, 3)
  /// let recentBooks = Author.hasMany(recent, key: "recentBooks", using: ForeignKey(["authorId"]))
  /// Author.with(recent).including(all: recentBooks)
  /// ```
  ///
  /// - parameter cte: The common table expression. The request defines it: see
  ///   ``DerivableRequest/with(_:)``.
  /// - parameter key: The key of the association: by default, the name of `cte`, in the plural.
  /// - parameter foreignKey: Columns of `cte`, and those of the record that they refer to: by
  ///   default, the primary key.
  public static func hasMany<Destination>(
    _ cte: CommonTableExpression<Destination>, key: String? = nil, using foreignKey: ForeignKey
  ) -> HasManyAssociation<Self, Destination> {
    HasManyAssociation(to: cte.all().relation, key: key, using: foreignKey)
  }

  /// The association to the rows of a common table expression that satisfy a condition.
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
  /// - parameter cte: The common table expression. The request defines it: see
  ///   ``DerivableRequest/with(_:)``.
  /// - parameter key: The key of the association: by default, the name of `cte`, in the plural.
  /// - parameter condition: The condition on the record and on the associated rows.
  public static func hasMany<Destination>(
    _ cte: CommonTableExpression<Destination>, key: String? = nil,
    on condition: @escaping JoinAssociation<Self, Destination>.Condition
  ) -> HasManyAssociation<Self, Destination> {
    HasManyAssociation(to: cte.all().relation, key: key, on: condition)
  }
}

extension Table {
  /// See ``TableRecord/hasMany(_:key:using:)-(CommonTableExpression<Destination>,_,_)``.
  public func hasMany<Destination>(
    _ cte: CommonTableExpression<Destination>, key: String? = nil, using foreignKey: ForeignKey
  ) -> HasManyAssociation<RowDecoder, Destination> {
    HasManyAssociation(to: cte.all().relation, key: key, using: foreignKey)
  }

  /// See ``TableRecord/hasMany(_:key:on:)``.
  public func hasMany<Destination>(
    _ cte: CommonTableExpression<Destination>, key: String? = nil,
    on condition: @escaping JoinAssociation<RowDecoder, Destination>.Condition
  ) -> HasManyAssociation<RowDecoder, Destination> {
    HasManyAssociation(to: cte.all().relation, key: key, on: condition)
  }
}

extension CommonTableExpression {
  /// The association from the rows of the common table expression to the records that refer to
  /// them.
  ///
  /// ```swift
  /// // WITH "prolific" AS (…) SELECT * FROM "prolific"
  /// // SELECT *, "authorId" AS "grdb_authorId" FROM "book" WHERE "authorId" IN (1, 2)
  /// let books = prolific.hasMany(Book.self, using: ForeignKey(["authorId"], to: ["id"]))
  /// prolific.all().with(prolific).including(all: books)
  /// ```
  ///
  /// - parameter destination: The type of the records.
  /// - parameter key: The key of the association, by default that of the record type.
  /// - parameter foreignKey: Columns of the records, and those of the common table expression that
  ///   they refer to.
  public func hasMany<Destination: TableRecord>(
    _ destination: Destination.Type, key: String? = nil, using foreignKey: ForeignKey
  ) -> HasManyAssociation<RowDecoder, Destination> {
    HasManyAssociation(to: Destination.all().relation, key: key, using: foreignKey)
  }

  /// The association from the rows of the common table expression to the records that satisfy a
  /// condition.
  ///
  /// In `including(all:)`, the condition must compare columns for equality: a common table
  /// expression has no primary key that would identify its rows. Other conditions throw
  /// `InvalidRequest` there.
  public func hasMany<Destination: TableRecord>(
    _ destination: Destination.Type, key: String? = nil,
    on condition: @escaping JoinAssociation<RowDecoder, Destination>.Condition
  ) -> HasManyAssociation<RowDecoder, Destination> {
    HasManyAssociation(to: Destination.all().relation, key: key, on: condition)
  }

  /// See ``hasMany(_:key:using:)-(Destination.Type,_,_)``.
  public func hasMany<Source: _TableSource>(
    _ source: Source, key: String? = nil, using foreignKey: ForeignKey
  ) -> HasManyAssociation<RowDecoder, Source.RowDecoder> {
    HasManyAssociation(to: source.all().relation, key: key, using: foreignKey)
  }

  /// See ``hasMany(_:key:on:)-(Destination.Type,_,_)``.
  public func hasMany<Source: _TableSource>(
    _ source: Source, key: String? = nil,
    on condition: @escaping JoinAssociation<RowDecoder, Source.RowDecoder>.Condition
  ) -> HasManyAssociation<RowDecoder, Source.RowDecoder> {
    HasManyAssociation(to: source.all().relation, key: key, on: condition)
  }
}
