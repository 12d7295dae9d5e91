import Quarry
import Tracing

extension DatabaseReader {
  /// Reads the database in a span with this name.
  public func tracedRead<T: Sendable>(
    _ name: String, _ value: @Sendable (Database) throws -> T
  ) async throws -> T {
    try await withSpan(name, ofKind: .client) { span in
      span.describeDatabase(operation: "read")
      return try await read(value)
    }
  }
}

extension DatabaseWriter {
  /// Writes in a span with this name.
  public func tracedWrite<T: Sendable>(
    _ name: String, _ updates: @Sendable (Database) throws -> T
  ) async throws -> T {
    try await withSpan(name, ofKind: .client) { span in
      span.describeDatabase(operation: "write")
      return try await write(updates)
    }
  }
}

extension Span {
  /// The span records the error that its access throws by itself.
  fileprivate func describeDatabase(operation: String) {
    attributes["db.system.name"] = "sqlite"
    attributes["db.operation.name"] = operation
  }
}
