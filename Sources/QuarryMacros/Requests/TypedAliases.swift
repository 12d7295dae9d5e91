#if Macros
  public import Quarry

  extension TableAlias where RowDecoder: TableRecord {
    /// A typed column of the aliased table, in a request of the same records.
    public subscript<Value>(
      dynamicMember keyPath: KeyPath<
        RowDecoder.DatabaseComponents, TypedColumn<RowDecoder, Value>
      >
    ) -> TypedExpression<RowDecoder, Value> { typed(keyPath) }

    /// A typed column of the aliased table, for a request of other records that joins it.
    ///
    /// ```swift
    /// // SELECT "player".* FROM "player" JOIN "team" ON …
    /// // WHERE "player"."score" > "team"."budget"
    /// let team = TableAlias<Team>()
    /// Player.joining(required: Player.team.aliased(team)).filter { $0.score > team.budget }
    /// ```
    public subscript<Root, Value>(
      dynamicMember keyPath: KeyPath<
        RowDecoder.DatabaseComponents, TypedColumn<RowDecoder, Value>
      >
    ) -> TypedExpression<Root, Value> { typed(keyPath) }

    private func typed<Root, Value>(
      _ keyPath: KeyPath<RowDecoder.DatabaseComponents, TypedColumn<RowDecoder, Value>>
    ) -> TypedExpression<Root, Value> {
      let column = RowDecoder.databaseComponents[keyPath: keyPath]
      return TypedExpression(self[column.untyped].sqlExpression, column.coding)
    }
  }
#endif
