// Operators with one operand, of special types, and functions. The binary operators are written
// from Scripts/operators.txt. The associations of the left operand are joined first. Except `??`,
// operators lose the name of the aggregate.

extension AssociationAggregate {
  /// Negation.
  ///
  /// ```swift
  /// // SELECT "author".* FROM … HAVING COUNT(DISTINCT "book"."id") > 0
  /// Author.having(!Author.books.isEmpty)
  /// ```
  public static prefix func ! (aggregate: Self) -> Self { aggregate.map(\.negated) }

  /// The opposite.
  public static prefix func - (aggregate: Self) -> Self {
    aggregate.map { SQLExpression(.prefix(.minus, $0)) }
  }

  /// A boolean test.
  public static func == (lhs: Self, rhs: Bool) -> Self { lhs.map { $0.tested(rhs) } }

  /// A boolean test.
  public static func == (lhs: Bool, rhs: Self) -> Self { rhs.map { $0.tested(lhs) } }

  /// A negated boolean test.
  public static func != (lhs: Self, rhs: Bool) -> Self { lhs.map { $0.tested(rhs).negated } }

  /// A negated boolean test.
  public static func != (lhs: Bool, rhs: Self) -> Self { rhs.map { $0.tested(lhs).negated } }

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
) -> AssociationAggregate<RowDecoder> { aggregate.map { .scalar("ABS", $0) } }

/// The length of an aggregate.
public func length<RowDecoder>(
  _ aggregate: AssociationAggregate<RowDecoder>
) -> AssociationAggregate<RowDecoder> { aggregate.map { .scalar("LENGTH", $0) } }

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
