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
    aggregate(key(prefix: "average", expression)) {
      .aggregate("AVG", [expression.sqlExpression.qualified(by: $0)])
    }
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
    aggregate(key(prefix: "max", expression)) {
      .aggregate("MAX", [expression.sqlExpression.qualified(by: $0)])
    }
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
    aggregate(key(prefix: "min", expression)) {
      .aggregate("MIN", [expression.sqlExpression.qualified(by: $0)])
    }
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
    aggregate(sumKey(expression)) {
      .aggregate("SUM", [expression.sqlExpression.qualified(by: $0)])
    }
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
    aggregate(sumKey(expression)) {
      .aggregate("TOTAL", [expression.sqlExpression.qualified(by: $0)])
    }
  }
}

extension AssociationToMany where RowDecoder: TableRecord {
  /// The type of the components of the record type: its columns, usually.
  public typealias DatabaseComponents = RowDecoder.DatabaseComponents
}

extension AssociationToMany {
  private var keyName: String { _association.destination.key.singular }

  private func aggregate(
    _ key: String?, _ expression: (TableAliasBase) -> SQLExpression
  ) -> AssociationAggregate<OriginRowDecoder> {
    let alias = TableAliasBase(name: nil)
    return AssociationAggregate(
      joins: [_association.joinNode(.left, selects: false, alias: alias)],
      expression: SQLExpression(.associated(expression(alias), alias)), key: key)
  }

  /// `maxBookYear`, for plain columns.
  private func key(prefix: String, _ expression: some SQLSpecificExpressible) -> String? {
    guard case .column(let name) = expression.sqlExpression.node else { return nil }
    return prefix + keyName.uppercasingFirstLetter + name.uppercasingFirstLetter
  }

  /// `bookPriceSum`, for plain columns.
  private func sumKey(_ expression: some SQLSpecificExpressible) -> String? {
    guard case .column(let name) = expression.sqlExpression.node else { return nil }
    return "\(keyName)\(name.uppercasingFirstLetter)Sum"
  }
}

extension SQLExpression {
  /// The number of rows of a source: `COUNT(DISTINCT "id")`.
  fileprivate static func rowCount(of source: TableAliasBase) -> SQLExpression {
    .aggregate("COUNT", [SQLExpression(.rowIdentity).qualified(by: source)], isDistinct: true)
  }
}
