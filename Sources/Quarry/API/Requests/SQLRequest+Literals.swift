extension SQLRequest: ExpressibleByStringInterpolation {
  /// Creates a request from SQL.
  public init(stringLiteral: String) { self.init(sql: stringLiteral) }

  /// Creates a request from SQL with interpolations. See ``SQLInterpolation``.
  public init(stringInterpolation interpolation: SQLInterpolation) {
    self.init(literal: SQL(stringInterpolation: interpolation))
  }
}
