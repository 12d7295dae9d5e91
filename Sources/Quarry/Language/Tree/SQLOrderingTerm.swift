/// A term that a request can be ordered by: a column or an expression, with or without direction.
///
/// ```swift
/// // SELECT * FROM "player" ORDER BY "score" DESC, "name"
/// Player.order(Column("score").desc, Column("name"))
/// ```
public protocol SQLOrderingTerm {
  /// The ordering.
  var sqlOrdering: SQLOrdering { get }
}

extension SQLOrderingTerm where Self: RawRepresentable, RawValue: SQLOrderingTerm {
  /// The ordering of the raw value.
  public var sqlOrdering: SQLOrdering { rawValue.sqlOrdering }
}

extension SQLOrdering: SQLOrderingTerm {
  /// The ordering itself.
  public var sqlOrdering: SQLOrdering { self }
}
