#if Macros
  public import Quarry

  // The closures of filters return a condition of the same record type. Quarry's own ones return
  // any expression of SQL, which typed conditions are not: so a condition on another table does not
  // compile.

  extension TableRecord {
    /// Records that satisfy a condition.
    ///
    /// ```swift
    /// // SELECT * FROM "player" WHERE "score" > ?
    /// Player.filter { $0.score > 1000 }
    /// ```
    public static func filter<Value: ConditionInDatabase, Content>(
      _ predicate: (DatabaseComponents) throws -> Typed<Self, Value, Content>
    ) rethrows -> QueryInterfaceRequest<Self> { try all().filter(predicate) }
  }

  extension FilteredRequest where Self: TypedRequest, RowDecoder: TableRecord {
    /// Adds a condition. All conditions of a request must be true.
    ///
    /// ```swift
    /// // SELECT * FROM "player" WHERE "score" > ?
    /// Player.all().filter { $0.score > 1000 }
    /// ```
    public consuming func filter<Value: ConditionInDatabase, Content>(
      _ predicate: (DatabaseComponents) throws -> Typed<RowDecoder, Value, Content>
    ) rethrows -> Self { try filter(predicate(RowDecoder.databaseComponents).sqlExpression) }
  }

  extension AggregatingRequest where Self: TypedRequest, RowDecoder: TableRecord {
    /// Replaces the grouping.
    ///
    /// ```swift
    /// // SELECT … FROM "player" GROUP BY "name"
    /// Player.all().group { $0.name }
    /// ```
    public consuming func group<Value, Content>(
      _ expression: (DatabaseComponents) throws -> Typed<RowDecoder, Value, Content>
    ) rethrows -> Self { try group([expression(RowDecoder.databaseComponents).sqlExpression]) }

    /// Adds a condition on groups.
    ///
    /// ```swift
    /// // SELECT * FROM "player" GROUP BY "name" HAVING MAX("score") > ?
    /// Player.all().group { $0.name }.having { max($0.score) > 1000 }
    /// ```
    public consuming func having<Value: ConditionInDatabase, Content>(
      _ predicate: (DatabaseComponents) throws -> Typed<RowDecoder, Value, Content>
    ) rethrows -> Self { try having(predicate(RowDecoder.databaseComponents).sqlExpression) }
  }
#endif
