import Hummingbird
import Quarry

/// Errors of the database become answers. What is no fault of the client is logged, and not shown.
struct DatabaseErrors<Context: RequestContext>: RouterMiddleware {
  func handle(
    _ request: Request, context: Context, next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    do {
      return try await next(request, context)
    } catch let error as RecordError {
      throw HTTPError(.notFound, message: "\(error)")
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
      // `details` names the foreign key that has no row, or the check, `message` the columns that
      // are not unique.
      throw HTTPError(.conflict, message: error.details ?? error.message ?? "refused")
    } catch is Shop.DeadlineError {
      throw Self.unavailable("the database has taken too long")
    } catch DatabaseError.SQLITE_BUSY {
      throw Self.unavailable("another process is writing")
    } catch let error as DatabaseError {
      context.logger.error("\(error)")
      throw HTTPError(.internalServerError)
    }
  }

  private static func unavailable(_ reason: String) -> HTTPError {
    HTTPError(.serviceUnavailable, headers: [.retryAfter: "1"], message: reason)
  }
}
