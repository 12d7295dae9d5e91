import Foundation
import QuarryTestSupport
import Testing

@testable import Quarry

// The statements of requests and records, which a connection keeps.
struct InternalStatementTests {
  @Test func `a statement that is kept has forgotten its arguments`() throws {
    try DatabaseQueue().write { db throws in
      let statement = try db.internalStatement(sql: "SELECT length(?), ?")
      try statement.setArguments([Data(count: 3_000_000), "text"])
      let memory = statement.bindings.values.byteCapacity
      #expect(memory >= 3_000_000)

      statement.release()
      let (count, memoryAfterwards) = (
        statement.bindings.values.count, statement.bindings.values.byteCapacity
      )
      #expect(count == 0)
      #expect(memoryAfterwards < 1_000)
      try statement.setArguments(["é", nil])
      #expect(try Row.fetchOne(statement) == ["length(?)": 1, "?": nil])
      // The fetch has released it.
      let error = databaseError { try Row.fetchOne(statement) }
      #expect(error?.message == "wrong number of statement arguments: 0")
    }
  }
}
