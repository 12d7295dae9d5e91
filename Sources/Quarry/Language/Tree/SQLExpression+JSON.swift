extension SQLExpression {
  /// The expression, known as JSON. Null stays null.
  var asJSON: SQLExpression {
    if case .json = node { return self }
    return isNull ? self : SQLExpression(.json(self))
  }

  /// The expression as an operand: operators don't care what is JSON.
  var withoutJSON: SQLExpression { if case .json(let inner) = node { inner } else { self } }

  /// The expression as an element of a JSON value that a function builds.
  ///
  /// JSON in a column is text or a blob, which the function would make a string of, unless it goes
  /// through `JSON`.
  var jsonElement: SQLExpression {
    guard case .json(let inner) = node, !inner.yieldsJSON else { return self }
    return SQLExpression(.jsonElement(inner))
  }

  private var yieldsJSON: Bool {
    if case .function(let call) = node { return call.yieldsJSON }
    return node.traits.contains(.yieldsJSON)
  }
}

extension SQLExpression.FunctionCall {
  /// `JSON_EXTRACT` with one path yields a number or a string, too.
  fileprivate var yieldsJSON: Bool {
    if name == "JSON_EXTRACT" || name == "JSONB_EXTRACT" { return arguments.count > 2 }
    return name.hasPrefix("JSON")
  }
}
