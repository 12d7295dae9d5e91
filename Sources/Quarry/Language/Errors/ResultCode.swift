import CSQLite

/// A result code of SQLite.
///
/// A primary code matches all its extended codes, and an extended code matches only itself:
///
/// ```swift
/// switch error.extendedResultCode {
/// case .SQLITE_CONSTRAINT_UNIQUE: print("already there")
/// case .SQLITE_CONSTRAINT: print("another constraint")
/// default: print("another error")
/// }
/// ```
///
/// See <https://www.sqlite.org/rescode.html>.
public struct ResultCode: RawRepresentable, Equatable, Sendable {
  /// The number of the code.
  public let rawValue: CInt

  /// Creates a code from its number.
  public init(rawValue: CInt) { self.rawValue = rawValue }

  /// An extended code: the primary code is in the low byte.
  init(_ primary: ResultCode, extension number: CInt) { rawValue = primary.rawValue | number << 8 }

  /// The primary code: ``SQLITE_CONSTRAINT`` for ``SQLITE_CONSTRAINT_UNIQUE``.
  public var primaryResultCode: ResultCode { ResultCode(rawValue: rawValue & 0xFF) }

  /// The text of SQLite for the code.
  var errorString: String? { unsafe sqlite3_errstr(rawValue).map { unsafe String(cString: $0) } }

  /// Returns whether a code is the pattern, or one of its extended codes.
  public static func ~= (pattern: ResultCode, code: ResultCode) -> Bool {
    // A primary code is the pattern of its extended codes.
    pattern == code || pattern == code.primaryResultCode
  }
}

extension ResultCode {
  /// Returns whether an error is a ``DatabaseError`` whose code is the pattern, or one of its
  /// extended codes.
  public static func ~= (pattern: Self, error: any Error) -> Bool {
    guard let error = error as? DatabaseError else { return false }
    return pattern ~= error.extendedResultCode
  }
}

extension ResultCode: CustomStringConvertible {
  /// The number and the text of SQLite: `19 (constraint failed)`.
  public var description: String { errorString.map { "\(rawValue) (\($0))" } ?? "\(rawValue)" }
}
