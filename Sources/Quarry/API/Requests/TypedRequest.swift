/// A request that knows the type that its rows are decoded into.
public protocol TypedRequest<RowDecoder> {
  /// The type that rows are decoded into.
  associatedtype RowDecoder
}

extension TypedRequest where RowDecoder: TableRecord {
  /// The type of the components of the record type: its columns, usually.
  public typealias DatabaseComponents = RowDecoder.DatabaseComponents
}
