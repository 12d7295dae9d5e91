/// A request that knows the type that its rows are decoded into.
public protocol TypedRequest<RowDecoder> {
  /// The type that rows are decoded into.
  associatedtype RowDecoder
}
