import Dispatch
import Foundation
public import Quarry

/// The accesses with a deadline.
public enum TimedAccess: CaseIterable, Sendable {
  case read, write, asyncRead, asyncWrite

  public static let reads: [TimedAccess] = [.read, .asyncRead]
  public static let writes: [TimedAccess] = [.write, .asyncWrite]

  public func run<T: Sendable>(
    on database: any DatabaseWriter, deadline: ContinuousClock.Instant,
    _ body: @escaping @Sendable (Database) throws -> T
  ) async throws -> T {
    switch self {
    case .read: try onThread { try database.read(deadline: deadline, body) }
    case .write: try onThread { try database.write(deadline: deadline, body) }
    case .asyncRead: try await database.read(deadline: deadline, body)
    case .asyncWrite: try await database.write(deadline: deadline, body)
    }
  }

  /// A function that is not asynchronous takes the synchronous overloads.
  public func onThread<T>(_ body: () throws -> T) throws -> T { try body() }

  public var begin: String {
    switch self {
    case .read, .asyncRead: "BEGIN DEFERRED TRANSACTION"
    case .write, .asyncWrite: "BEGIN IMMEDIATE TRANSACTION"
    }
  }
}

/// Now, and so many seconds.
public func after(_ seconds: Double) -> ContinuousClock.Instant { .now + .seconds(seconds) }

/// The database error that `body` throws.
public func databaseErrorOf<T>(_ body: () async throws -> T) async -> DatabaseError? {
  do {
    _ = try await body()
    return nil
  } catch {
    return error as? DatabaseError
  }
}

/// The lock of a connection that writes.
public struct Lock: Sendable {
  private let mayEnd = DispatchSemaphore(value: 0)
  private let hasEnded = DispatchSemaphore(value: 0)

  public init(_ queue: DatabaseQueue) throws {
    let hasBegun = DispatchSemaphore(value: 0)
    Thread.detachNewThread { [mayEnd, hasEnded] in
      try? queue.inTransaction(.exclusive) { _ in
        hasBegun.signal()
        mayEnd.wait()
        return .rollback
      }
      hasEnded.signal()
    }
    hasBegun.wait()
  }

  public func release() {
    mayEnd.signal()
    hasEnded.wait()
  }
}
