import QuarryTestSupport
import Testing

@testable import Quarry

// Subscripts don't throw: outside of the decoding of a record, no function can report the error.
struct RecordSubscriptExitTests {
  private struct Book: Codable, FetchableRecord, Hashable {
    var title: String
  }

  @Test func `A record of a scope that is missing`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let row: Row = ["a": 1]
      let _: Book = row["book"]
    }
    #expect(errorText(of: result).contains(#"scope not found: "book""#))
  }

  @Test func `An optional record that can't be decoded`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try DatabaseQueue().read { db in
        let scopes = ScopeAdapter(["book": ColumnMapping(["title": "a"])])
        let row = try #require(
          try Row.fetchOne(db, sql: "SELECT x'FF' AS a", adapter: scopes))
        let _: Book? = row["book"]
      }
    }
    #expect(errorText(of: result).contains("could not decode String"))
  }

  @Test func `An array of records that were not prefetched`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let row: Row = ["a": 1]
      let _: [Book] = row["books"]
    }
    #expect(errorText(of: result).contains(#"key for prefetched rows not found: "books""#))
  }

  @Test func `A set of records that were not prefetched`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let row: Row = ["a": 1]
      let _: Set<Book> = row["books"]
    }
    #expect(errorText(of: result).contains(#"key for prefetched rows not found: "books""#))
  }
}
