/// The place of a value that a `Decodable` type refuses: the underlying error of a `DecodingError`.
struct ColumnDecodingFailure: Error, CustomStringConvertible {
  /// The error of a value that can't be converted, with its column, its row, and the SQL.
  private let mismatch: RowDecodingError
  /// The underlying error of the refusal: the mistake in the JSON.
  private let cause: (any Error)?
  /// Comes first in the description.
  private let advice: String?

  init(column: Int, row: Row, recordType: Any.Type, type: Any.Type, cause: (any Error)?) {
    mismatch = row.conversionError(type, at: column).decoding(recordType)
    self.cause = cause
    advice = nil
  }

  /// The failure of a key that the row does not have.
  init(missing key: any CodingKey, row: Row, recordType: Any.Type, advice: String? = nil) {
    mismatch = row.missingColumnError(key.stringValue).decoding(recordType)
    cause = nil
    self.advice = advice
  }

  var description: String {
    let parts: [Any?] = [advice, mismatch, cause]
    return parts.compactMap { $0.map { "\($0)" } }.joined(separator: " - ")
  }
}

extension DecodingError {
  /// The error, with the column and the row as its underlying error.
  func inColumn(_ column: Int, of row: Row, recordType: Any.Type) -> DecodingError {
    func context(_ context: Context, _ type: Any.Type) -> Context {
      if context.underlyingError is ColumnDecodingFailure { return context }
      return Context(
        codingPath: context.codingPath, debugDescription: context.debugDescription,
        underlyingError: ColumnDecodingFailure(
          column: column, row: row, recordType: recordType, type: type,
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
