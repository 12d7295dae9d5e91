import Quarry

/// A value that was not saved with its associated records, with the place in the value.
///
/// ```swift
/// do {
///   try info.save(db, AuthorInfo.graph)
/// } catch let error as GraphSaveError {
///   // author.books[3].title: SQLite error 19: UNIQUE constraint failed: book.title - while …
///   print(error)
/// }
/// ```
public struct GraphSaveError: Error, Sendable {
  /// A reason why a value is not saved.
  public enum Reason: Hashable, Sendable {
    /// A write has failed: see ``GraphSaveError/underlyingError``.
    case failure
    /// The graph does not fit the association, or the records.
    case graph
    /// A record has no key, or not the one that it must have.
    case key
    /// The value has two records for one row.
    case duplicate
    /// The row of a record belongs to another record.
    case foreignRow
    /// The database has rows that the value does not contain: see ``MissingRows/refuse``.
    case missingRows
    /// The row of a record is marked as deleted.
    case deletedRow
    /// The row of a record has been removed by this save.
    case removedRow
  }

  /// The reason.
  public let reason: Reason

  /// The place in the value, by the keys of associations: `author.books[3]`, `book.genre[1]` for a
  /// link, or `author.books[3].title` for a constraint of one column.
  public let path: String

  /// The table of the record.
  public let databaseTableName: String

  /// The reason in words, with the way out.
  public let message: String

  /// The error of the write: a `DatabaseError`, a `StaleRecordError`, a `RecordError`, or the error
  /// of a callback or of an encoding.
  public let underlyingError: (any Error)?

  init(
    _ reason: Reason, at path: String, _ table: String, _ message: String,
    underlyingError: (any Error)? = nil
  ) {
    self.reason = reason
    self.path = path
    databaseTableName = table
    self.message = message
    self.underlyingError = underlyingError
  }
}

extension GraphSaveError: CustomStringConvertible {
  /// The place, the table, and the message.
  public var description: String {
    underlyingError == nil
      ? "\(path): \(message) (table \(databaseTableName))" : "\(path): \(message)"
  }
}

extension GraphSaveError {
  /// An error with its place. Failures of the connection stay as they are, for the retries of
  /// accesses.
  static func placing(_ error: any Error, at path: String, _ table: String) -> any Error {
    guard hasPlace(error) else { return error }
    let column = (error as? DatabaseError)?.constraint?.onlyColumn(of: table)
    return GraphSaveError(
      .failure, at: column.map { "\(path).\($0)" } ?? path, table, "\(error)",
      underlyingError: error)
  }

  /// Whether an error is about a record, and not about the connection.
  static func hasPlace(_ error: any Error) -> Bool {
    if error is GraphSaveError || error is CancellationError { return false }
    guard let code = (error as? DatabaseError)?.resultCode else { return true }
    let codes: [ResultCode] = [
      .SQLITE_CONSTRAINT, .SQLITE_MISMATCH, .SQLITE_TOOBIG, .SQLITE_ERROR, .SQLITE_MISUSE,
    ]
    return codes.contains(code)
  }

  static func placing<T>(_ path: String, _ table: String, _ write: () throws -> T) throws -> T {
    do {
      return try write()
    } catch {
      throw placing(error, at: path, table)
    }
  }
}

extension DatabaseError.Constraint {
  fileprivate func onlyColumn(of table: String) -> String? {
    guard columns.count == 1, self.table.map({ $0.isSameIdentifier(as: table) }) ?? true else {
      return nil
    }
    return columns[0]
  }
}
