// Written by Scripts/generate, from DerivableRequest+Relation.swift: change that file.

extension _TableSource {
  /// Defines a common table expression for the request. See ``DerivableRequest/with(_:)``.
  public func with<T>(_ cte: CommonTableExpression<T>) -> QueryInterfaceRequest<RowDecoder> {
    all().with(cte)
  }
}
