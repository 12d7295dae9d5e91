// The name that was meant, and the way out: computed when the error is described.

extension RowDecodingError {
  /// The findings about the reason, nil without any.
  var findings: String? {
    switch reason {
    case .columnNotFound(let name): columnFindings(name)
    case .keyNotFound(let key): key.divergentFindings ?? columnFindings(key.stringValue)
    case .scopeNotFound(let name, let available):
      Self.associationFindings(name, available: available, isCollection: false, sql: context.sql)
    case .prefetchedRowsNotFound(let name, let available):
      Self.associationFindings(name, available: available, isCollection: true, sql: context.sql)
    case .valueMismatch(let type, let value):
      context.expectation ?? (Self.isDate(type) && !value.isNull ? Self.dateExpectation : nil)
    case .scopeIsNull, .ambiguousKey: nil
    }
  }

  /// The error, with what the column must contain.
  func expecting(_ expectation: String) -> RowDecodingError {
    var context = context
    context.expectation = expectation
    return RowDecodingError(reason, context, recordType: recordType)
  }

  private static func isDate(_ type: String) -> Bool { type == "Date" || type == "Optional<Date>" }

  private static let dateExpectation =
    "a date is a text such as \"2024-03-01\" or \"2024-03-01 10:30:00.000\", or a number of seconds since "
    + "1970: `databaseDateDecodingStrategy` reads others"

  /// The name that was meant, or the strategy that converts it.
  private func columnFindings(_ name: String) -> String? {
    let columns = context.columnNames
    if columns.contains(name) {
      return
        "the row has \(name.debugDescription), but `databaseColumnDecodingStrategy` converts the key"
    }
    if columns.contains(name.snakeCased) {
      return "the row has \(name.snakeCased.debugDescription): "
        + "`databaseColumnDecodingStrategy = .convertFromSnakeCase` converts its name"
    }
    if let suggestion = NameSuggestion.text(for: name, among: columns) { return suggestion }
    return Self.isNameOfAggregate(name)
      ? "an aggregate of an association must be selected: `annotated(with:)`" : nil
  }

  /// Whether a name looks like `bookCount` or `maxBookPrice`, as aggregates of associations are
  /// named.
  private static func isNameOfAggregate(_ name: String) -> Bool {
    name.hasSuffix("Count") || name.hasSuffix("Sum")
      || ["min", "max", "average", "has"].contains { prefix in
        name.hasPrefix(prefix) && name.dropFirst(prefix.count).first?.isUppercase == true
      }
  }

  /// The way to the rows of an association, for a key that the row lacks.
  static func associationFindings(
    _ key: String, available: [String], isCollection: Bool, sql: String?
  ) -> String {
    if let suggestion = NameSuggestion.text(for: key, among: available) { return suggestion }
    let method = isCollection ? "including(all:)" : "including(required:)"
    let name = key.debugDescription
    if let sql, joins(key, sql) {
      return "the request joins \(name), and does not select it: `\(method)` instead of `joining`"
    }
    return available.isEmpty
      ? "the request lacks `\(method)` of an association with the key \(name)"
      : "an association has the key of its table: `key: \(name)` in its definition, or "
        + "`forKey(\(name))`, changes it; or else `\(method)` is missing"
  }

  /// Whether SQL joins a table, or an alias, with the name of a key.
  private static func joins(_ key: String, _ sql: String) -> Bool {
    let names = [key, key.singularized]
    let items = SQLTokens.items(sql)
    return items.indices.contains { index in
      guard items[index].isKeyword("JOIN") else { return false }
      return items[(index + 1)...].prefix(2).contains { item in
        names.contains { item.name?.isSameIdentifier(as: $0) == true }
      }
    }
  }
}

extension RowDecodingError.CodingKeyDescription {
  /// The way to a key that the strategy can't make of any column.
  fileprivate var divergentFindings: String? {
    guard let divergent, let converted else { return nil }
    return "the column \(converted.debugDescription) has the key \(divergent): "
      + "`case \(stringValue) = \(divergent.debugDescription)` in the coding keys"
  }
}
