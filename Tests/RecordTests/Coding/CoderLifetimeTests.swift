import Foundation
import Testing

@testable import Quarry

/// What codes a record is kept while its statement or its connection is, and not longer: a strategy
/// holds an object that reports its end.
@Suite("Lifetime of coders")
struct CoderLifetimeTests {
  private final class Token: Sendable {
    let date = Date(timeIntervalSince1970: 0)
  }

  private struct WeakToken: @unchecked Sendable {
    weak var token: Token?
  }

  private static let decodingToken = Locked(WeakToken())
  private static let encodingToken = Locked(WeakToken())

  private struct Dated: Codable, FetchableRecord, PersistableRecord {
    var date: Date

    static func databaseDateDecodingStrategy(
      for column: String
    ) -> DatabaseDateDecodingStrategy {
      let token = Token()
      CoderLifetimeTests.decodingToken.withLock { $0.token = token }
      return .custom { _ in token.date }
    }

    static func databaseDateEncodingStrategy(
      for column: String
    ) -> DatabaseDateEncodingStrategy {
      let token = Token()
      CoderLifetimeTests.encodingToken.withLock { $0.token = token }
      return .custom { _ in token.date }
    }
  }

  @Test func `Decoders and encoders are freed with their connection`() throws {
    do {
      let queue = try DatabaseQueue()
      try queue.write { db in
        try db.execute(sql: "CREATE TABLE dated(date)")
        try Dated(date: Date()).insert(db)
        let dates = try Dated.fetchAll(db).map { $0.date.timeIntervalSince1970 }
        #expect(dates == [0])
      }
      #expect(Self.decodingToken.withLock { $0.token } != nil)
      #expect(Self.encodingToken.withLock { $0.token } != nil)
    }
    #expect(Self.decodingToken.withLock { $0.token } == nil)
    #expect(Self.encodingToken.withLock { $0.token } == nil)
  }

  @Test func `A lifetime that is over stays over, also when its cell is used again`() {
    let first = Lifetime.begin()
    #expect(!first.isOver)
    first.end()
    #expect(first.isOver)
    let others = (0..<100).map { _ in Lifetime.begin() }
    #expect(first.isOver)
    for other in others { other.end() }
  }

  @Test func `A lifetime that is over stays over for other threads`() {
    let first = Lifetime.begin()
    first.end()
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      for _ in 0..<1_000 {
        if thread == 0 { Lifetime.begin().end() }
        #expect(first.isOver)
      }
    }
  }
}
