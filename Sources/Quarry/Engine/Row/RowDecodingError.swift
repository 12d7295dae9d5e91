/// The error of a row that can't be decoded into the requested type.
///
/// The description reports the column, the row, and the statement:
///
/// ```swift
/// // could not decode Int from database value NULL - column: "score", column index: 0,
/// // row: [score:NULL], sql: `SELECT score FROM player`, arguments: []
/// try Int.fetchAll(db, sql: "SELECT score FROM player")
/// ```
public struct RowDecodingError: Error {
  let reason: Reason
  let context: Context

  /// The name of the record type that was being decoded, when it is known.
  public internal(set) var recordType: String?

  init(_ reason: Reason, _ context: Context, recordType: String? = nil) {
    self.reason = reason
    self.context = context
    self.recordType = recordType
  }

  /// Why a row can't be decoded.
  enum Reason: Sendable {
    case valueMismatch(type: String, value: DatabaseValue)
    case columnNotFound(String)
    case keyNotFound(CodingKeyDescription)
    case scopeNotFound(String, available: [String])
    case scopeIsNull(String)
    case prefetchedRowsNotFound(String, available: [String])
    case ambiguousKey(AmbiguousKey)
  }

  /// A coding key, and what a column strategy made of it.
  struct CodingKeyDescription: Sendable {
    let key: String
    let stringValue: String

    /// The key that the column name stands for, when it is another one.
    let divergent: String?

    /// The column name of the key, when the strategy changes the key.
    let converted: String?

    init(_ key: any CodingKey, divergent: String? = nil, converted: String? = nil) {
      self.key = String(describing: key)
      self.stringValue = key.stringValue
      self.converted = converted
      self.divergent = divergent
    }
  }

  /// Where a row can't be decoded.
  struct Context: Sendable {
    var columnName: String?
    var columnIndex: Int?
    var row: String

    /// The columns of the row.
    var columnNames: [String] = []

    /// The statement, if the row is attached to one.
    var sql: String?
    var arguments: StatementArguments?

    /// What the column must contain, when the type does not show it.
    var expectation: String?
  }
}

extension RowDecodingError: CustomStringConvertible {
  /// The reason, followed by the column, the row, and the statement. The name that was meant, or
  /// the way out, stands between them, on lines of its own.
  public var description: String { ErrorLayout.text("\(reason)", findings: findings, place: place) }

  /// The column, the row, and the statement.
  var place: String {
    var details: [String] = []
    // The context of a missing column has none.
    if let name = context.columnName { details.append("column: \(name.debugDescription)") }
    if let index = context.columnIndex { details.append("column index: \(index)") }
    details.append("row: \(context.row)")
    if let sql = context.sql { details.append("sql: `\(sql)`") }
    if let arguments = context.arguments { details.append("arguments: \(arguments)") }
    if let recordType { details.append("record: \(recordType)") }
    return details.joined(separator: ", ")
  }
}

extension RowDecodingError.Reason: CustomStringConvertible {
  var description: String {
    switch self {
    case .valueMismatch(let type, let value):
      "could not decode \(type) from database value \(value)"
    case .columnNotFound(let name): "column not found: \(name.debugDescription)"
    case .keyNotFound(let key): "key not found: \(key)"
    case .scopeNotFound(let name, let available):
      "scope not found: \(name.debugDescription)" + Self.list("available scopes", available)
    case .scopeIsNull(let name): "scope \(name.debugDescription) only contains null values"
    case .prefetchedRowsNotFound(let key, let available):
      "key for prefetched rows not found: \(key.debugDescription)"
        + Self.list("available keys", available)
    case .ambiguousKey(let key): "\(key)"
    }
  }

  private static func list(_ title: String, _ names: [String]) -> String {
    names.isEmpty ? "" : " - \(title): \(names.sorted())"
  }
}

extension RowDecodingError.CodingKeyDescription: CustomStringConvertible {
  var description: String {
    var description = "\(key) (\(stringValue.debugDescription))"
    if let divergent { description += ", with divergent representation \(divergent)" }
    if let converted { description += ", converted to \(converted)" }
    return description
  }
}

extension RowDecodingError {
  /// The error, with the name of the record type. The innermost record is at fault.
  @usableFromInline func decoding(_ type: Any.Type) -> RowDecodingError {
    if recordType != nil { return self }
    var error = self
    error.recordType = "\(type)"
    return error
  }
}
