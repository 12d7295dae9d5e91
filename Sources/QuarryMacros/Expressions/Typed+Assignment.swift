#if Macros
  public import Quarry

  extension Typed where Content == Column {
    /// The assignment of a value.
    ///
    /// ```swift
    /// // UPDATE "player" SET "score" = ?
    /// try Player.updateAll(db) { $0.score.set(to: 0) }
    /// ```
    public func set(to value: Value) -> ColumnAssignment { untyped.set(to: expression(value)) }

    /// The assignment of an expression.
    public func set<Other>(to value: Typed<Root, Value, Other>) -> ColumnAssignment {
      untyped.set(to: value.comparable(with: self))
    }

    /// The assignment of an expression that is never null to a column that may be.
    public func set<Wrapped, Other>(
      to value: Typed<Root, Wrapped, Other>
    ) -> ColumnAssignment where Value == Wrapped? { untyped.set(to: value.comparable(with: self)) }

    /// Leaves the column as it is, in an upsert.
    public var noOverwrite: ColumnAssignment { untyped.noOverwrite }
  }

  extension Typed where Content == Column, Value: NumberInDatabase {
    /// The assignment of the sum of the column and a value.
    public static func += (column: Self, value: Value) -> ColumnAssignment {
      column.untyped += column.plain(value)
    }

    /// The assignment of the sum of the column and an expression.
    public static func += <Other>(
      column: Self, value: Typed<Root, Value, Other>
    ) -> ColumnAssignment { column.untyped += value.plain(for: column) }

    /// The assignment of the difference of the column and a value.
    public static func -= (column: Self, value: Value) -> ColumnAssignment {
      column.untyped -= column.plain(value)
    }

    /// The assignment of the difference of the column and an expression.
    public static func -= <Other>(
      column: Self, value: Typed<Root, Value, Other>
    ) -> ColumnAssignment { column.untyped -= value.plain(for: column) }

    /// The assignment of the product of the column and a value.
    public static func *= (column: Self, value: Value) -> ColumnAssignment {
      column.untyped *= column.plain(value)
    }

    /// The assignment of the product of the column and an expression.
    public static func *= <Other>(
      column: Self, value: Typed<Root, Value, Other>
    ) -> ColumnAssignment { column.untyped *= value.plain(for: column) }

    /// The assignment of the quotient of the column and a value.
    public static func /= (column: Self, value: Value) -> ColumnAssignment {
      column.untyped /= column.plain(value)
    }

    /// The assignment of the quotient of the column and an expression.
    public static func /= <Other>(
      column: Self, value: Typed<Root, Value, Other>
    ) -> ColumnAssignment { column.untyped /= value.plain(for: column) }
  }
#endif
