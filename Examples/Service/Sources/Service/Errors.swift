import Hummingbird
import Quarry

/// Errors of the database as answers: what the schema refuses is a conflict, a query that took too long no fault of the
/// client. The rest is logged by Hummingbird, and tells nobody anything.
struct DatabaseErrors<Context: RequestContext>: RouterMiddleware {
  func handle(
    _ request: Request, context: Context,
    next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    do {
      return try await next(request, context)
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
      throw HTTPError(.conflict, message: error.message ?? "constraint failed")
    } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
      throw HTTPError(.serviceUnavailable, message: "try again")
    } catch is DeadlineError {
      throw HTTPError(.serviceUnavailable, message: "the query took too long")
    }
  }
}

struct DeadlineError: Error {}

/// Runs an operation that is cancelled after a time.
func withDeadline<T: Sendable>(
  _ duration: Duration, _ operation: @escaping @Sendable () async throws -> T
) async throws -> T {
  try await withThrowingTaskGroup(of: T.self) { group in
    group.addTask(operation: operation)
    group.addTask {
      try await Task.sleep(for: duration)
      throw DeadlineError()
    }
    defer { group.cancelAll() }
    guard let result = try await group.next() else { throw DeadlineError() }
    return result
  }
}
