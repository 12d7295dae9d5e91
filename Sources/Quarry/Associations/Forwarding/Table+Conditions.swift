// Associations along any condition, from tables without record type.

extension Table {
  /// See ``TableRecord/association(to:on:)-(Destination.Type,_)``.
  public func association<Destination: TableRecord>(
    to destination: Destination.Type,
    on condition:
      @escaping @Sendable (
        _ left: TableAlias<RowDecoder>, _ right: TableAlias<Destination>
      ) -> any SQLExpressible
  ) -> JoinAssociation<RowDecoder, Destination> {
    JoinAssociation(to: Destination.all().relation, on: condition)
  }

  /// See ``TableRecord/association(to:)-(Destination.Type)``.
  public func association<Destination: TableRecord>(
    to destination: Destination.Type
  ) -> JoinAssociation<RowDecoder, Destination> {
    JoinAssociation(to: Destination.all().relation, on: nil)
  }

  /// See ``TableRecord/association(to:on:)-(Table<Destination>,_)``.
  public func association<Destination>(
    to table: Table<Destination>,
    on condition:
      @escaping @Sendable (
        _ left: TableAlias<RowDecoder>, _ right: TableAlias<Destination>
      ) -> any SQLExpressible
  ) -> JoinAssociation<RowDecoder, Destination> {
    JoinAssociation(to: table.all().relation, on: condition)
  }

  /// See ``TableRecord/association(to:)-(Table<Destination>)``.
  public func association<Destination>(
    to table: Table<Destination>
  ) -> JoinAssociation<RowDecoder, Destination> {
    JoinAssociation(to: table.all().relation, on: nil)
  }

  /// See ``TableRecord/association(to:named:on:)``.
  public func association<Request: FetchRequest>(
    to request: Request, named name: String,
    on condition:
      @escaping @Sendable (
        _ left: TableAlias<RowDecoder>, _ right: TableAlias<Request.RowDecoder>
      ) -> any SQLExpressible
  ) -> JoinAssociation<RowDecoder, Request.RowDecoder> {
    JoinAssociation(to: request.sqlSubquery.relation(named: name), on: condition)
  }

  /// See ``TableRecord/association(to:named:)``.
  public func association<Request: FetchRequest>(
    to request: Request, named name: String
  ) -> JoinAssociation<RowDecoder, Request.RowDecoder> {
    JoinAssociation(to: request.sqlSubquery.relation(named: name), on: nil)
  }
}
