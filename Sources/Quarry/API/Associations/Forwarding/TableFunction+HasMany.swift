// To-many associations to table functions.

extension TableRecord {
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
  public static func hasMany<Destination>(
    _ function: TableFunction<Destination>, key: String
  ) -> HasManyAssociation<Self, Destination> {
    HasManyAssociation(to: function.all().relation, key: key, condition: .expression(nil))
  }
}

extension Table {
  /// See ``TableRecord/hasMany(_:key:)-(TableFunction<Destination>,_)``.
  public func hasMany<Destination>(
    _ function: TableFunction<Destination>, key: String
  ) -> HasManyAssociation<RowDecoder, Destination> {
    HasManyAssociation(to: function.all().relation, key: key, condition: .expression(nil))
  }
}
