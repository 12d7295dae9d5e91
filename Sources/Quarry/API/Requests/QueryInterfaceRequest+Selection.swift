extension QueryInterfaceRequest {
  /// Replaces the selection, which is decoded into another type.
  ///
  /// ```swift
  /// // SELECT "score" FROM "player"
  /// let scores = try Player.all().select([Column("score")], as: Int.self).fetchAll(db)
  /// ```
  public consuming func select<T>(
    _ selection: [any SQLSelectable], as type: T.Type = T.self
  ) -> QueryInterfaceRequest<T> { select(selection).asRequest(of: T.self) }

  /// Replaces the selection with SQL, which is decoded into another type.
  public consuming func select<T>(
    sql: String, arguments: StatementArguments = StatementArguments(), as type: T.Type = T.self
  ) -> QueryInterfaceRequest<T> { select(sql: sql, arguments: arguments).asRequest(of: T.self) }

  /// Replaces the selection with SQL, which is decoded into another type.
  public consuming func select<T>(
    literal sqlLiteral: SQL, as type: T.Type = T.self
  ) -> QueryInterfaceRequest<T> { select(literal: sqlLiteral).asRequest(of: T.self) }

  /// Selects the columns of the primary key.
  ///
  /// ```swift
  /// // SELECT "id" FROM "player"
  /// let ids = try Player.all().selectPrimaryKey(as: Int64.self).fetchAll(db)
  /// ```
  public consuming func selectPrimaryKey<PrimaryKey>(
    as type: PrimaryKey.Type = PrimaryKey.self
  ) -> QueryInterfaceRequest<PrimaryKey> {
    mapRelation { $0.selection = [.items([SQLSelection(.primaryKey)])] }
      .asRequest(of: PrimaryKey.self)
  }

  /// Selects the primary key, which must have one column.
  ///
  /// ```swift
  /// // SELECT "id" FROM "player"
  /// let ids = try Player.all().selectID().fetchAll(db)
  /// ```
  public consuming func selectID() -> QueryInterfaceRequest<RowDecoder.ID>
  where RowDecoder: Identifiable {
    let table = databaseTableName
    let selection = Deferred<[SQLSelection]>(ofSchema: true) { context in
      let columns = try context.schema.primaryKey(of: table).columns
      guard columns.count == 1 else {
        throw InvalidRequest(
          "selectID requires a single-column primary key in the table \(table)")
      }
      return [SQLSelection(.primaryKey)]
    }
    return mapRelation { $0.selection = [.deferred(selection)] }.asRequest(of: RowDecoder.ID.self)
  }
}

extension QueryInterfaceRequest where RowDecoder: TableRecord {
  // Disfavored: with the overload of typed columns, values are read as their column stores them.
  /// Replaces the selection, which is decoded into another type.
  ///
  /// ```swift
  /// // SELECT "score" FROM "player"
  /// let scores = try Player.all().select({ $0.score }, as: Int.self).fetchAll(db)
  /// ```
  @_disfavoredOverload
  public consuming func select<T>(
    _ selection: (DatabaseComponents) throws -> any SQLSelectable, as type: T.Type = T.self
  ) rethrows -> QueryInterfaceRequest<T> { try select(selection).asRequest(of: T.self) }
}
