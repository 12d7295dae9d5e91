import Quarry
import Testing

/// Counts at the edges of `Int`: nothing is allocated for elements that never come.
struct CursorCountTests {
  private func numbers(_ db: Database) throws -> DatabaseValueCursor<Int> {
    try Int.fetchCursor(db, sql: "SELECT value FROM json_each('[1, 2, 3]')")
  }

  @Test
  func `the largest counts keep all elements or none`() throws {
    try DatabaseQueue().read { db throws in
      let prefix = try Array(numbers(db).prefix(.max))
      #expect(prefix == [1, 2, 3])
      let suffix = try numbers(db).suffix(.max)
      #expect(suffix == [1, 2, 3])
      let rest = try Array(numbers(db).dropFirst(.max))
      #expect(rest.isEmpty)
      let beginning = try numbers(db).dropLast(.max)
      #expect(beginning.isEmpty)
    }
  }

  @Test
  func `counts of zero keep all elements or none`() throws {
    try DatabaseQueue().read { db throws in
      let prefix = try Array(numbers(db).prefix(0))
      #expect(prefix.isEmpty)
      let suffix = try numbers(db).suffix(0)
      #expect(suffix.isEmpty)
      let rest = try Array(numbers(db).dropFirst(0))
      #expect(rest == [1, 2, 3])
      let beginning = try numbers(db).dropLast(0)
      #expect(beginning == [1, 2, 3])
    }
  }

  @Test
  func `counts that follow each other do not overflow`() throws {
    try DatabaseQueue().read { db throws in
      let twice = try Array(numbers(db).dropFirst(.max).dropFirst(.max))
      #expect(twice.isEmpty)
      let inner = try Array(numbers(db).dropFirst(1).prefix(.max).prefix(1))
      #expect(inner == [2])
    }
  }

  @Test
  func `fetches with the largest capacities read all rows`() throws {
    try DatabaseQueue().read { db throws in
      let array = try Array(numbers(db), minimumCapacity: 0)
      #expect(array == [1, 2, 3])
      let set = try Set(numbers(db), minimumCapacity: 0)
      #expect(set == [1, 2, 3])
    }
  }
}
