import Foundation
public import Quarry
public import Testing

/// Runs each test of a suite twice: with databases in memory, which one connection uses, and with
/// pools on temporary files. See ``makeEmptyDatabase(configuration:)`` and
/// ``makeBookshopDatabase(configuration:)``.
///
/// `QUARRY_CONNECTION=pool` runs them with pools only, so that one knows what fails, and
/// `QUARRY_CONNECTION=cluster` with databases on the nodes whose addresses `QUARRY_NODES` has.
public struct ConnectionTrait: SuiteTrait, TestTrait, TestScoping {
  private static let kinds: [ConnectionKind] =
    switch ProcessInfo.processInfo.environment["QUARRY_CONNECTION"] {
    case "pool": [.pool]
    case "cluster": [.memory]
    default: [.memory, .pool]
    }

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
  if isOnCluster { return try AnyDatabaseWriter(makeClusterDatabase(configuration)) }
  if ConnectionKind.current == .pool {
    return try AnyDatabaseWriter(DatabasePool.temporary(configuration: configuration))
  }
  return try AnyDatabaseWriter(DatabaseQueue(configuration: configuration))
}

/// Makes databases on a cluster. `QuarryClusterTests` has the only one, which is found by its name:
/// a change of the library QuarryCluster compiles the other tests not again.
public protocol ClusterDatabaseMaker {
  /// A new and empty database.
  static func makeDatabase(configuration: Configuration) throws -> any DatabaseWriter
}

/// Whether the tests run on a cluster: `QUARRY_CONNECTION=cluster`.
public let isOnCluster = ProcessInfo.processInfo.environment["QUARRY_CONNECTION"] == "cluster"

/// A new and empty database on the cluster.
func makeClusterDatabase(_ configuration: Configuration) throws -> any DatabaseWriter {
  struct NoMaker: Error {}
  let type: AnyClass? = NSClassFromString("QuarryClusterTests.ClusterDatabases")
  guard let maker = type as? any ClusterDatabaseMaker.Type else { throw NoMaker() }
  return try maker.makeDatabase(configuration: configuration)
}
