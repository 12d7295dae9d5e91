// Arithmetic on aggregates.

extension AssociationAggregate {
  /// The opposite.
  public static prefix func - (aggregate: Self) -> Self {
    aggregate.map { SQLExpression(.prefix(.minus, $0)) }
  }

  /// Addition.
  public static func + (lhs: Self, rhs: Self) -> Self {
    lhs.combined(with: rhs) { .associative(.add, $0, $1) }
  }

  /// Addition.
  public static func + (lhs: Self, rhs: some SQLExpressible) -> Self {
    lhs.map { .associative(.add, $0, rhs.sqlExpression) }
  }

  /// Addition.
  public static func + (lhs: some SQLExpressible, rhs: Self) -> Self {
    rhs.map { .associative(.add, lhs.sqlExpression, $0) }
  }

  /// Subtraction.
  public static func - (lhs: Self, rhs: Self) -> Self {
    lhs.combined(with: rhs) { .binary(.subtract, $0, $1) }
  }

  /// Subtraction.
  public static func - (lhs: Self, rhs: some SQLExpressible) -> Self {
    lhs.map { .binary(.subtract, $0, rhs.sqlExpression) }
  }

  /// Subtraction.
  public static func - (lhs: some SQLExpressible, rhs: Self) -> Self {
    rhs.map { .binary(.subtract, lhs.sqlExpression, $0) }
  }

  /// Multiplication.
  public static func * (lhs: Self, rhs: Self) -> Self {
    lhs.combined(with: rhs) { .associative(.multiply, $0, $1) }
  }

  /// Multiplication.
  public static func * (lhs: Self, rhs: some SQLExpressible) -> Self {
    lhs.map { .associative(.multiply, $0, rhs.sqlExpression) }
  }

  /// Multiplication.
  public static func * (lhs: some SQLExpressible, rhs: Self) -> Self {
    rhs.map { .associative(.multiply, lhs.sqlExpression, $0) }
  }

  /// Division.
  public static func / (lhs: Self, rhs: Self) -> Self {
    lhs.combined(with: rhs) { .binary(.divide, $0, $1) }
  }

  /// Division.
  public static func / (lhs: Self, rhs: some SQLExpressible) -> Self {
    lhs.map { .binary(.divide, $0, rhs.sqlExpression) }
  }

  /// Division.
  public static func / (lhs: some SQLExpressible, rhs: Self) -> Self {
    rhs.map { .binary(.divide, lhs.sqlExpression, $0) }
  }

  /// The aggregate, or a value if it is null. The name of the aggregate does not change.
  ///
  /// ```swift
  /// // IFNULL(MIN("player"."score"), ?) AS "minPlayerScore"
  /// Team.annotated(with: Team.players.min(Column("score")) ?? 0)
  /// ```
  public static func ?? (lhs: Self, rhs: some SQLExpressible) -> Self {
    Self(
      joins: lhs.joins, expression: .scalar("IFNULL", lhs.expression, rhs.sqlExpression),
      key: lhs.key)
  }
}

/// The absolute value of an aggregate.
public func abs<RowDecoder>(
  _ aggregate: AssociationAggregate<RowDecoder>
) -> AssociationAggregate<RowDecoder> {
  aggregate.map { .scalar("ABS", $0) }
}

/// The length of an aggregate.
public func length<RowDecoder>(
  _ aggregate: AssociationAggregate<RowDecoder>
) -> AssociationAggregate<RowDecoder> {
  aggregate.map { .scalar("LENGTH", $0) }
}

/// The aggregate, converted to a storage class. The name of the aggregate stays.
///
/// ```swift
/// // CAST(COUNT(DISTINCT "book"."id") AS REAL) AS "bookCount"
/// cast(Author.books.count, as: .real)
/// ```
public func cast<RowDecoder>(
  _ aggregate: AssociationAggregate<RowDecoder>, as storageClass: Database.StorageClass
) -> AssociationAggregate<RowDecoder> {
  AssociationAggregate(
    joins: aggregate.joins,
    expression: SQLExpression(.cast(aggregate.expression, type: storageClass.rawValue)),
    key: aggregate.key)
}
