import Foundation

/// The place of a value that a `Decodable` type refuses: the underlying error of a `DecodingError`.
struct ColumnDecodingFailure: Error, CustomStringConvertible {
  let description: String

  /// - parameter type: The type that the column is decoded into.
  /// - parameter cause: The underlying error of the refusal: the mistake in the JSON.
  init(column: Int, row: Row, recordType: Any.Type, type: Any.Type, cause: (any Error)?) {
    let failure = row.conversionError(type, at: column).decoding(recordType)
    let mistake = cause.map { cause in
      (cause as NSError).userInfo["NSDebugDescription"] as? String ?? "\(cause)"
    }
    description = (mistake.map(failure.expecting) ?? failure).description
  }

  /// The failure of a key that the row does not have, with the way out.
  init(missing key: any CodingKey, row: Row, recordType: Any.Type, isCollection: Bool) {
    let failure = row.missingColumnError(key.stringValue).decoding(recordType)
    description = ErrorLayout.text(
      "\(failure.reason)",
      findings: RowDecodingError.associationFindings(
        key.stringValue, available: row.associationKeys, isCollection: isCollection,
        sql: failure.context.sql),
      place: failure.place)
  }
}

extension DecodingError {
  /// The error, with the column and the row as its underlying error.
  ///
  /// - parameter json: The type that is decoded from the JSON of the column, nil for a value.
  func inColumn(
    _ column: Int, of row: Row, recordType: Any.Type, json: Any.Type? = nil
  ) -> DecodingError {
    func context(_ context: Context, _ type: Any.Type) -> Context {
      if context.underlyingError is ColumnDecodingFailure { return context }
      return Context(
        codingPath: context.codingPath, debugDescription: context.debugDescription,
        underlyingError: ColumnDecodingFailure(
          column: column, row: row, recordType: recordType, type: json ?? type,
          cause: context.underlyingError))
    }
    return switch self {
    case .typeMismatch(let type, let old): .typeMismatch(type, context(old, type))
    case .valueNotFound(let type, let old): .valueNotFound(type, context(old, type))
    case .keyNotFound(let key, let old): .keyNotFound(key, context(old, recordType))
    case .dataCorrupted(let old): .dataCorrupted(context(old, recordType))
    @unknown default: self
    }
  }
}
