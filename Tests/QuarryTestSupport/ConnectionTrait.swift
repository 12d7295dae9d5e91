import Foundation
public import Quarry
public import Testing

/// Runs each test of a suite twice: with databases in memory, which one connection uses, and with
/// pools on temporary files. See ``makeEmptyDatabase(configuration:)`` and
/// ``makeBookshopDatabase(configuration:)``.
///
/// `QUARRY_CONNECTION=pool` runs them with pools only, so that one knows what fails.
public struct ConnectionTrait: SuiteTrait, TestTrait, TestScoping {
  private static let kinds: [ConnectionKind] =
    ProcessInfo.processInfo.environment["QUARRY_CONNECTION"] == "pool" ? [.pool] : [.memory, .pool]

  /// Applies to all tests of the suite.
  public var isRecursive: Bool { true }

  /// Runs a test case on each kind of connection.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    guard testCase != nil else { return try await function() }
    for kind in Self.kinds {
      try await ConnectionKind.$current.withValue(kind) { try await function() }
    }
  }
}

extension Trait where Self == ConnectionTrait {
  /// The tests of the suite run on a queue and on a pool.
  public static var onQueueAndPool: Self { ConnectionTrait() }
}

extension ConnectionKind {
  /// The kind of the databases of the current test.
  @TaskLocal static var current = ConnectionKind.memory
}

/// A new and empty database, in memory unless the suite of the test is `.onQueueAndPool`. It
/// disappears with the object.
public func makeEmptyDatabase(
  configuration: Configuration = Configuration()
) throws -> AnyDatabaseWriter {
  if ConnectionKind.current == .pool {
    return try AnyDatabaseWriter(DatabasePool.temporary(configuration: configuration))
  }
  return try AnyDatabaseWriter(DatabaseQueue(configuration: configuration))
}
