extension AssociationToMany {
  /// The number of associated records.
  ///
  /// ```swift
  /// // SELECT "author".*, COUNT(DISTINCT "book"."id") AS "bookCount" FROM …
  /// Author.annotated(with: Author.books.count)
  /// ```
  public var count: AssociationAggregate<OriginRowDecoder> {
    aggregate("\(keyName)Count") { .rowCount(of: $0) }
  }

  /// Whether there is no associated record.
  ///
  /// ```swift
  /// // SELECT "author".* FROM … HAVING COUNT(DISTINCT "book"."id") = 0
  /// Author.having(Author.books.isEmpty)
  /// ```
  public var isEmpty: AssociationAggregate<OriginRowDecoder> {
    let count = aggregate(nil) { .rowCount(of: $0) }
    return AssociationAggregate(
      joins: count.joins, expression: SQLExpression(.isZero(count.expression, isNegated: false)),
      key: "hasNo\(keyName.uppercasingFirstLetter)")
  }

  /// The average of a value of the associated records.
  ///
  /// ```swift
  /// // SELECT "author".*, AVG("book"."price") AS "averageBookPrice" FROM …
  /// Author.annotated(with: Author.books.average(Column("price")))
  /// ```
  public func average(
    _ expression: some SQLSpecificExpressible
  ) -> AssociationAggregate<OriginRowDecoder> {
    aggregate("AVG", expression) { "average\(keyName.uppercasingFirstLetter)\($0)" }
  }

  /// The greatest value of the associated records.
  ///
  /// ```swift
  /// // SELECT "author".*, MAX("book"."year") AS "maxBookYear" FROM …
  /// Author.annotated(with: Author.books.max(Column("year")))
  /// ```
  public func max(
    _ expression: some SQLSpecificExpressible
  ) -> AssociationAggregate<OriginRowDecoder> {
    aggregate("MAX", expression) { "max\(keyName.uppercasingFirstLetter)\($0)" }
  }

  /// The least value of the associated records.
  ///
  /// ```swift
  /// // SELECT "author".*, MIN("book"."year") AS "minBookYear" FROM …
  /// Author.annotated(with: Author.books.min(Column("year")))
  /// ```
  public func min(
    _ expression: some SQLSpecificExpressible
  ) -> AssociationAggregate<OriginRowDecoder> {
    aggregate("MIN", expression) { "min\(keyName.uppercasingFirstLetter)\($0)" }
  }

  /// The sum of a value of the associated records, null if there is none.
  ///
  /// ```swift
  /// // SELECT "author".*, SUM("book"."price") AS "bookPriceSum" FROM …
  /// Author.annotated(with: Author.books.sum(Column("price")))
  /// ```
  public func sum(
    _ expression: some SQLSpecificExpressible
  ) -> AssociationAggregate<OriginRowDecoder> {
    aggregate("SUM", expression) { "\(keyName)\($0)Sum" }
  }

  /// The sum of a value of the associated records, 0.0 if there is none.
  ///
  /// ```swift
  /// // SELECT "author".*, TOTAL("book"."price") AS "bookPriceSum" FROM …
  /// Author.annotated(with: Author.books.total(Column("price")))
  /// ```
  public func total(
    _ expression: some SQLSpecificExpressible
  ) -> AssociationAggregate<OriginRowDecoder> {
    aggregate("TOTAL", expression) { "\(keyName)\($0)Sum" }
  }
}

extension AssociationToMany {
  private var keyName: String { _association.destination.key.singular }

  private func aggregate(
    _ key: String?, _ expression: (TableAliasBase) -> SQLExpression
  ) -> AssociationAggregate<OriginRowDecoder> {
    let alias = TableAliasBase(name: nil)
    let join = _association.joinNode(.left, selects: false, alias: alias, isOfAggregates: true)
    return AssociationAggregate(
      joins: [join],
      expression: SQLExpression(.associated(expression(alias), alias)), key: key)
  }

  /// An SQL function of a value of the associated records.
  ///
  /// - parameter key: the name of the result for a plain column, whose name is passed with an
  ///   uppercase first letter.
  private func aggregate(
    _ function: String, _ value: some SQLSpecificExpressible, key: (_ column: String) -> String
  ) -> AssociationAggregate<OriginRowDecoder> {
    let value = value.sqlExpression
    var name: String?
    if case .column(let column) = value.node { name = key(column.uppercasingFirstLetter) }
    return aggregate(name) { .aggregate(function, [value.qualified(by: $0)]) }
  }
}

extension SQLExpression {
  /// The number of rows of a source: `COUNT(DISTINCT "id")`.
  fileprivate static func rowCount(of source: TableAliasBase) -> SQLExpression {
    .aggregate("COUNT", [SQLExpression(.rowIdentity).qualified(by: source)], isDistinct: true)
  }
}
