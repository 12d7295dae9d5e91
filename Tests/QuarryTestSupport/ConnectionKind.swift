public import Quarry

/// The kinds of connections that tests run on, by `arguments:`.
public enum ConnectionKind: CaseIterable, Sendable {
  /// A queue on a database in memory.
  case memory
  /// A queue on a file with a rollback journal.
  case queue
  /// A queue on a file with a write-ahead log.
  case walQueue
  /// A pool.
  case pool

  /// Those that keep their database in a file.
  public static let onFile: [ConnectionKind] = [.queue, .walQueue, .pool]

  /// Opens a new and empty database in a directory, or on the cluster of the tests.
  public func open(
    in directory: String, _ configuration: Configuration = Configuration()
  ) throws -> any DatabaseWriter {
    if isOnCluster { return try makeClusterDatabase(configuration) }
    let path = directory + "/library.sqlite"
    var configuration = configuration
    switch self {
    case .memory:
      return try DatabaseQueue(configuration: configuration)
    case .queue:
      return try DatabaseQueue(path: path, configuration: configuration)
    case .walQueue:
      configuration.journalMode = .wal
      return try DatabaseQueue(path: path, configuration: configuration)
    case .pool:
      return try DatabasePool(path: path, configuration: configuration)
    }
  }

  /// Calls `body` with a new and empty database.
  public func withDatabase<T>(
    _ configuration: Configuration = Configuration(), _ body: (any DatabaseWriter) throws -> T
  ) throws -> T {
    try withTemporaryDirectory { directory in try body(open(in: directory, configuration)) }
  }

  /// Calls `body` with a new and empty database.
  public func withDatabase<T>(
    _ configuration: Configuration = Configuration(),
    _ body: (any DatabaseWriter) async throws -> T
  ) async throws -> T {
    try await withTemporaryDirectory { directory in
      try await body(open(in: directory, configuration))
    }
  }
}
