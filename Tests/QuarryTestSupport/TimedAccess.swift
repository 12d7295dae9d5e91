import Dispatch
import Foundation
import Quarry

/// The accesses with a deadline.
enum TimedAccess: CaseIterable {
  case read, write, asyncRead, asyncWrite

  static let reads: [TimedAccess] = [.read, .asyncRead]
  static let writes: [TimedAccess] = [.write, .asyncWrite]

  func run<T: Sendable>(
    on database: any DatabaseWriter, retry: RetryPolicy? = nil,
    deadline: ContinuousClock.Instant, _ body: @escaping @Sendable (Database) throws -> T
  ) async throws -> T {
    if let retry {
      switch self {
      case .read: try onThread { try database.read(retry: retry, deadline: deadline, body) }
      case .write: try onThread { try database.write(retry: retry, deadline: deadline, body) }
      case .asyncRead: try await database.read(retry: retry, deadline: deadline, body)
      case .asyncWrite: try await database.write(retry: retry, deadline: deadline, body)
      }
    } else {
      switch self {
      case .read: try onThread { try database.read(deadline: deadline, body) }
      case .write: try onThread { try database.write(deadline: deadline, body) }
      case .asyncRead: try await database.read(deadline: deadline, body)
      case .asyncWrite: try await database.write(deadline: deadline, body)
      }
    }
  }

  /// A function that is not asynchronous takes the synchronous overloads.
  private func onThread<T>(_ body: () throws -> T) throws -> T { try body() }

  var begin: String {
    switch self {
    case .read, .asyncRead: "BEGIN DEFERRED TRANSACTION"
    case .write, .asyncWrite: "BEGIN IMMEDIATE TRANSACTION"
    }
  }
}

/// Now, and so many seconds.
func after(_ seconds: Double) -> ContinuousClock.Instant { .now + .seconds(seconds) }

/// The database error that `body` throws.
func databaseErrorOf<T>(_ body: () async throws -> T) async -> DatabaseError? {
  do {
    _ = try await body()
    return nil
  } catch {
    return error as? DatabaseError
  }
}

/// The lock of a connection that writes.
struct Lock: Sendable {
  private let mayEnd = DispatchSemaphore(value: 0)
  private let hasEnded = DispatchSemaphore(value: 0)

  init(_ queue: DatabaseQueue) throws {
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

  func release() {
    mayEnd.signal()
    hasEnded.wait()
  }
}
