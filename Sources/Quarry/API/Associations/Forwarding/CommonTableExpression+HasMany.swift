// To-many associations from common table expressions.

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
}
