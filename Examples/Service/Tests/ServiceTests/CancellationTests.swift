import Foundation
import Hummingbird
import Quarry
import Testing

@testable import Service

struct CancellationTests {
  /// A query without end.
  private static let endless = """
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT COUNT(*) FROM n
    """

  @Test(.timeLimit(.minutes(1)))
  func `a query that takes too long is interrupted, and its reader comes back`() async throws {
    try await withService(deadline: .milliseconds(20)) { router, shop in
      router.get("endless") { _, _ in
        try await shop.read { db in try String.fetchOne(db, sql: Self.endless) }
      }
    } _: { client, shop in
      // More often than there are readers.
      for _ in 0..<20 {
        let answer = try await client.send("GET", "/endless")
        #expect(answer.status == 503)
        #expect(answer.body.contains("the database has taken too long"))
      }
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func `a write that takes too long is undone`() async throws {
    try await withService(deadline: .milliseconds(20)) { router, shop in
      router.post("endless") { _, _ in
        try await shop.write { db in
          _ = try Author(name: "Nobody").inserted(db)
          return try String.fetchOne(db, sql: Self.endless)
        }
      }
    } _: { client, shop in
      let answer = try await client.send("POST", "/endless")
      #expect(answer.status == 503)
      let count = try await shop.pool.read { db in try Author.fetchCount(db) }
      #expect(count == 0)
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func `a query is interrupted when its client leaves`() async throws {
    let (began, hasBegun) = AsyncStream.makeStream(of: Void.self)
    let (ended, hasEnded) = AsyncStream.makeStream(of: (any Error).self)
    try await withService { router, shop in
      router.get("endless") { request, _ in
        do {
          return try await request.untilClientLeaves {
            try await shop.read { db in
              hasBegun.yield()
              return try String.fetchOne(db, sql: Self.endless)
            }
          }
        } catch {
          hasEnded.yield(error)
          throw error
        }
      }
    } _: { client, _ in
      let task = Task { try await client.send("GET", "/endless") }
      for await _ in began { break }
      task.cancel()
      for await error in ended {
        #expect(error is CancellationError)
        break
      }
      _ = await task.result
    }
  }
}
