/// A reader that forwards to another one.
///
/// Public only because a public class conforms to it. Use ``DatabaseReader``.
public protocol _ForwardingReader: DatabaseReader {
  /// The reader that does the work.
  var _reader: any DatabaseReader { get }
}

/// A reader whose type is hidden.
///
/// ```swift
/// let reader = AnyDatabaseReader(dbQueue)
/// let count = try reader.read { db in try Book.fetchCount(db) }
/// ```
public final class AnyDatabaseReader: _ForwardingReader {
  /// The reader that does the work.
  public let _reader: any DatabaseReader

  /// Hides the type of a reader.
  public init(_ base: any DatabaseReader) { _reader = base }
}

extension _ForwardingReader {
  /// The configuration of the reader.
  public var configuration: Configuration { _reader.configuration }

  /// The path of the database file.
  public var path: String { _reader.path }

  /// The connections of the reader.
  public var _readingSource: _ReadingSource { _reader._readingSource }

  /// Closes the reader. See `DatabaseReader`.
  public func close() throws { try _reader.close() }

  /// Stops the statements that are running. See `DatabaseReader`.
  public func interrupt() { _reader.interrupt() }

  /// Reads the database in a transaction, and waits for the result. See `DatabaseReader`.
  @_disfavoredOverload
  public func read<T>(_ value: (Database) throws -> T) throws -> T { try _reader.read(value) }

  /// Reads the database in a transaction. See `DatabaseReader`.
  public func read<T: Sendable>(_ value: @Sendable (Database) throws -> T) async throws -> T {
    try await _reader.read(value)
  }

  /// Reads the database in a transaction, later. See `DatabaseReader`.
  public func asyncRead(_ value: @escaping @Sendable (Result<Database, any Error>) -> Void) {
    _reader.asyncRead(value)
  }

  /// Runs database operations outside of a transaction, and waits for them. See `DatabaseReader`.
  @_disfavoredOverload
  public func unsafeRead<T>(_ value: (Database) throws -> T) throws -> T {
    try _reader.unsafeRead(value)
  }

  /// Runs database operations outside of a transaction. See `DatabaseReader`.
  public func unsafeRead<T: Sendable>(_ value: @Sendable (Database) throws -> T) async throws -> T {
    try await _reader.unsafeRead(value)
  }

  /// Runs database operations outside of a transaction, later. See `DatabaseReader`.
  public func asyncUnsafeRead(_ value: @escaping @Sendable (Result<Database, any Error>) -> Void) {
    _reader.asyncUnsafeRead(value)
  }

  /// Runs database operations outside of a transaction, even inside another access. See
  /// `DatabaseReader`.
  public func unsafeReentrantRead<T>(_ value: (Database) throws -> T) throws -> T {
    try _reader.unsafeReentrantRead(value)
  }
}
