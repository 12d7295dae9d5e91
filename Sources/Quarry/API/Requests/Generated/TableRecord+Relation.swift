// Written by Scripts/generate, from DerivableRequest+Relation.swift: change that file.

extension TableRecord {
  /// Defines a common table expression for the request. See ``DerivableRequest/with(_:)``.
  public static func with<T>(_ cte: CommonTableExpression<T>) -> QueryInterfaceRequest<Self> {
    all().with(cte)
  }
}
