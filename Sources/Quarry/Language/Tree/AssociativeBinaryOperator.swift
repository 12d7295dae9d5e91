extension SQLExpression {
  /// An operator that joins any number of operands.
  ///
  /// ```swift
  /// // "a" AND "b" AND "c"
  /// [Column("a"), Column("b"), Column("c")].joined(operator: .and)
  /// ```
  ///
  /// See <https://www.sqlite.org/lang_expr.html#operators_and_parse_affecting_attributes>.
  public struct AssociativeBinaryOperator: Hashable, Sendable {
    enum Kind: UInt8, Sendable {
      case add, multiply, and, or, concat, bitwiseAnd, bitwiseOr
    }

    let kind: Kind

    /// `+`
    public static let add = Self(kind: .add)

    /// `*`
    public static let multiply = Self(kind: .multiply)

    /// `AND`
    public static let and = Self(kind: .and)

    /// `OR`
    public static let or = Self(kind: .or)

    /// `||`, which joins strings.
    public static let concat = Self(kind: .concat)

    /// `&`
    public static let bitwiseAnd = Self(kind: .bitwiseAnd)

    /// `|`
    public static let bitwiseOr = Self(kind: .bitwiseOr)

    /// Additions and multiplications of floating point numbers depend on parentheses: they stay.
    var isStrictlyAssociative: Bool {
      switch kind {
      case .add, .multiply: false
      case .and, .or, .concat, .bitwiseAnd, .bitwiseOr: true
      }
    }

    /// The result for no operand.
    var neutralValue: DatabaseValue {
      switch kind {
      case .add, .or, .bitwiseOr: 0.databaseValue
      case .multiply, .and: 1.databaseValue
      case .bitwiseAnd: (-1).databaseValue
      case .concat: "".databaseValue
      }
    }
  }
}
