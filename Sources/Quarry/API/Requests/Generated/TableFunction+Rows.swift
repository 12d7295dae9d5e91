// Written by Scripts/generate, from TableFunction.swift: change that file.

extension TableFunction where RowDecoder == Row {
  /// Rows are fetched as they are. See ``init(_:_:)``.
  public init(_ name: String, _ arguments: (any SQLExpressible)?...) {
    self.init(name, arguments: arguments)
  }

  /// Rows are fetched as they are. See ``init(_:arguments:)``.
  public init(_ name: String, arguments: [(any SQLExpressible)?]) {
    self.name = name
    self.arguments = arguments.map { $0?.sqlExpression ?? .null }
  }
}
