extension TableAlias where RowDecoder: _RecordSelection {
  /// The type of the components of the record type: its columns, usually.
  public typealias DatabaseComponents = RowDecoder.DatabaseComponents

  /// A selection from the aliased table. See ``TableAliasBase/subscript(_:)-(SQLSelectable)``.
  public subscript<T>(dynamicMember keyPath: KeyPath<DatabaseComponents, T>) -> SQLSelection
  where T: SQLSelectable { self[RowDecoder.databaseComponents[keyPath: keyPath]] }

  /// A column of the aliased table, or an expression over its columns.
  ///
  /// ```swift
  /// // SELECT "b".* FROM "book" "b" WHERE "b"."year" > ?
  /// let b = TableAlias<Book>(name: "b")
  /// Book.aliased(b).filter(b.year > 2000)
  /// ```
  public subscript<T>(dynamicMember keyPath: KeyPath<DatabaseComponents, T>) -> SQLExpression
  where T: SQLSpecificExpressible & SQLSelectable & SQLOrderingTerm {
    self[RowDecoder.databaseComponents[keyPath: keyPath]]
  }

  /// An ordering by columns of the aliased table.
  public subscript<T>(dynamicMember keyPath: KeyPath<DatabaseComponents, T>) -> SQLOrdering
  where T: SQLOrderingTerm { self[RowDecoder.databaseComponents[keyPath: keyPath]] }
}
