// Written by Scripts/generate, from AssociationToMany+Aggregates.swift: change that file.

extension AssociationToMany where RowDecoder: TableRecord {
  /// The average of a value of the associated records. See `average(_:)`.
  public func average(_ expression: (DatabaseComponents) throws -> some SQLSpecificExpressible)
    rethrows -> AssociationAggregate<OriginRowDecoder>
  {
    try average(expression(RowDecoder.databaseComponents))
  }

  /// The greatest value of the associated records. See `max(_:)`.
  public func max(_ expression: (DatabaseComponents) throws -> some SQLSpecificExpressible) rethrows
    -> AssociationAggregate<OriginRowDecoder>
  {
    try max(expression(RowDecoder.databaseComponents))
  }

  /// The least value of the associated records. See `min(_:)`.
  public func min(_ expression: (DatabaseComponents) throws -> some SQLSpecificExpressible) rethrows
    -> AssociationAggregate<OriginRowDecoder>
  {
    try min(expression(RowDecoder.databaseComponents))
  }

  /// The sum of a value of the associated records, null if there is none. See `sum(_:)`.
  public func sum(_ expression: (DatabaseComponents) throws -> some SQLSpecificExpressible) rethrows
    -> AssociationAggregate<OriginRowDecoder>
  {
    try sum(expression(RowDecoder.databaseComponents))
  }

  /// The sum of a value of the associated records, 0.0 if there is none. See `total(_:)`.
  public func total(_ expression: (DatabaseComponents) throws -> some SQLSpecificExpressible)
    rethrows -> AssociationAggregate<OriginRowDecoder>
  {
    try total(expression(RowDecoder.databaseComponents))
  }
}
