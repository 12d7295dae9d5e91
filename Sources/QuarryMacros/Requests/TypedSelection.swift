#if Macros
  public import Quarry

  /// A row of a selection of typed columns: see ``TypedSelection``.
  public enum TypedRow<Element> {}

  /// A request of the values of typed columns and expressions.
  ///
  /// ```swift
  /// // SELECT "name", MAX("score") FROM "player" GROUP BY "name"
  /// let best = try Player
  ///   .all()
  ///   .group { $0.name }
  ///   .select { ($0.name, max($0.score)) }
  ///   .fetchAll(db)  // [(String, Int?)]
  /// ```
  public struct TypedSelection<Element>: FetchRequest {
    /// The methods of other requests don't apply: they read values without the coding of their
    /// column.
    public typealias RowDecoder = TypedRow<Element>

    /// The request of the rows.
    public let rows: QueryInterfaceRequest<Row>

    let decode: @Sendable (Row) throws -> Element

    /// How the values of the columns are stored.
    let forms: [StoredForm]

    /// The request as a subquery.
    public var sqlSubquery: SQLSubquery { rows.sqlSubquery }

    /// Prepares the request.
    public func makePreparedRequest(
      _ db: Database, forSingleResult singleResult: Bool
    ) throws -> PreparedRequest { try rows.makePreparedRequest(db, forSingleResult: singleResult) }

    /// The number of rows.
    public func fetchCount(_ db: Database) throws -> Int { try rows.fetchCount(db) }
  }

  extension TypedSelection {
    /// The request of one column.
    init(_ rows: QueryInterfaceRequest<Row>, _ coding: ValueCoding<Element>) {
      self.init(rows: rows, decode: { try coding.decode($0, 0) }, forms: [coding.form])
    }

    /// A cursor over the values.
    ///
    /// - Throws: `DatabaseError`, or an error of the request.
    public func fetchCursor(_ db: Database) throws -> MapCursor<RowCursor, Element> {
      try rows.fetchCursor(db).map(decode)
    }

    /// The values of all rows.
    ///
    /// - Throws: `RowDecodingError`, `DatabaseError`, or an error of the request.
    public func fetchAll(_ db: Database) throws -> [Element] { try Array(fetchCursor(db)) }

    /// The different values of all rows.
    ///
    /// - Throws: `RowDecodingError`, `DatabaseError`, or an error of the request.
    public func fetchSet(_ db: Database) throws -> Set<Element> where Element: Hashable {
      try Set(fetchAll(db))
    }

    /// The values of the first row, nil without rows.
    ///
    /// - Throws: `RowDecodingError`, `DatabaseError`, or an error of the request.
    public func fetchOne(_ db: Database) throws -> Element? { try rows.fetchOne(db).map(decode) }
  }

  extension TableRecord {
    /// Selects typed columns and expressions.
    ///
    /// ```swift
    /// // SELECT "name", "score" FROM "player"
    /// let scores = try Player.select { ($0.name, $0.score) }.fetchAll(db)  // [(String, Int)]
    ///
    /// // SELECT "name" FROM "player"
    /// let names = try Player.select { $0.name }.fetchAll(db)  // [String]
    /// ```
    public static func select<each Value, each Content>(
      _ selection: (DatabaseComponents) throws -> (repeat Typed<Self, each Value, each Content>)
    ) rethrows -> TypedSelection<(repeat each Value)> { try all().select(selection) }
  }

  // One column has overloads of its own: the compiler would rather read it without its coding, into
  // the type that the context asks for, than infer a tuple of one.

  extension TableRecord {
    /// Selects a typed column or expression.
    ///
    /// ```swift
    /// // SELECT "name" FROM "player"
    /// let names = try Player.select { $0.name }.fetchAll(db)  // [String]
    /// ```
    public static func select<Value, Content>(
      _ selection: (DatabaseComponents) throws -> Typed<Self, Value, Content>
    ) rethrows -> TypedSelection<Value> { try all().select(selection) }

    /// Selects a typed column or expression, whose values are read by its coding as their type,
    /// optional or not. Another type reads what is stored.
    ///
    /// ```swift
    /// // SELECT "creation" FROM "event"
    /// let dates = try Event.select(Event.Columns.creation, as: Date.self).fetchAll(db)
    /// ```
    public static func select<Value, Content, Element: DatabaseValueConvertible>(
      _ term: Typed<Self, Value, Content>, as type: Element.Type
    ) -> TypedSelection<Element> { all().select(term, as: type) }

    /// See `select(_:as:)`.
    public static func select<Value, Content, Element: DatabaseValueConvertible>(
      _ selection: (DatabaseComponents) throws -> Typed<Self, Value, Content>,
      as type: Element.Type
    ) rethrows -> TypedSelection<Element> { try all().select(selection, as: type) }
  }

  extension QueryInterfaceRequest where RowDecoder: TableRecord {
    /// Selects a typed column or expression.
    public consuming func select<Value, Content>(
      _ selection: (RowDecoder.DatabaseComponents) throws -> Typed<RowDecoder, Value, Content>
    ) rethrows -> TypedSelection<Value> {
      let term = try selection(RowDecoder.databaseComponents)
      return TypedSelection(select([term]).asRequest(of: Row.self), term.coding)
    }

    /// See `select(_:as:)` of record types.
    public consuming func select<Value, Content, Element: DatabaseValueConvertible>(
      _ term: Typed<RowDecoder, Value, Content>, as type: Element.Type
    ) -> TypedSelection<Element> {
      TypedSelection(select([term]).asRequest(of: Row.self), term.coding.reading(as: type))
    }

    /// See `select(_:as:)` of record types.
    public consuming func select<Value, Content, Element: DatabaseValueConvertible>(
      _ selection: (RowDecoder.DatabaseComponents) throws -> Typed<RowDecoder, Value, Content>,
      as type: Element.Type
    ) rethrows -> TypedSelection<Element> {
      try select(selection(RowDecoder.databaseComponents), as: type)
    }
  }

  extension QueryInterfaceRequest where RowDecoder: TableRecord {
    /// Selects typed columns and expressions.
    ///
    /// See `select(_:)` of record types.
    public consuming func select<each Value, each Content>(
      _ selection: (RowDecoder.DatabaseComponents) throws -> (
        repeat Typed<RowDecoder, each Value, each Content>
      )
    ) rethrows -> TypedSelection<(repeat each Value)> {
      let terms = try selection(RowDecoder.databaseComponents)
      var selections: [any SQLSelectable] = []
      var forms: [StoredForm] = []
      for term in repeat each terms {
        selections.append(term)
        forms.append(term.coding.form)
      }
      let codings = (repeat (each terms).coding)
      let decode: @Sendable (Row) throws -> (repeat each Value) = { row in
        var index = -1
        func next() -> Int {
          index += 1
          return index
        }
        return (repeat try (each codings).decode(row, next()))
      }
      return TypedSelection(
        rows: select(selections).asRequest(of: Row.self), decode: decode, forms: forms)
    }
  }
#endif
