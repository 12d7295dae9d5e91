#if Macros
  public import Quarry

  /// A record type whose primary key is stored by a coding. Not for applications.
  public protocol _CodedKeyRecord: Identifiable, TableRecord {
    /// How the key is stored.
    static var _keyCoding: ValueCoding<ID> { get }
  }

  extension TableRecord where Self: _CodedKeyRecord {
    /// Selects the primary key, which is read by its coding.
    ///
    /// ```swift
    /// // SELECT "id" FROM "event"
    /// let ids = try Event.selectID().fetchAll(db)
    /// ```
    public static func selectID() -> TypedSelection<ID> { all().selectID() }

    /// See `selectID()`. As another type, the key is read as it is stored.
    public static func selectPrimaryKey(as type: ID.Type = ID.self) -> TypedSelection<ID> {
      all().selectID()
    }
  }

  extension QueryInterfaceRequest where RowDecoder: _CodedKeyRecord {
    /// See `selectID()` of record types.
    public consuming func selectID() -> TypedSelection<RowDecoder.ID> {
      let ids: QueryInterfaceRequest<RowDecoder.ID> = selectID()
      return TypedSelection(ids.asRequest(of: Row.self), RowDecoder._keyCoding)
    }

    /// See `selectPrimaryKey(as:)` of record types.
    public consuming func selectPrimaryKey(
      as type: RowDecoder.ID.Type = RowDecoder.ID.self
    ) -> TypedSelection<RowDecoder.ID> { selectID() }
  }
#endif
