import QuarryTestSupport
import Testing

@testable import Quarry

// Records of a type may have different columns, from one to the next: what is made for their columns is kept.
@Suite(.onQueueAndPool)
struct ColumnStatementsTests {
  /// Leaves nil properties to the defaults of their columns.
  private struct Sparse: Codable, Equatable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "sparse"
    var id: Int64
    var a: String?
    var b: Int?

    func encode(to container: inout PersistenceContainer) {
      container["id"] = id
      if let a { container["a"] = a }
      if let b { container["b"] = b }
    }
  }

  private static let records: [Sparse] = (1...600).map { number in
    let a: String? = number % 2 == 0 ? "a\(number)" : nil
    let b: Int? = number % 3 == 0 ? number : nil
    return Sparse(id: Int64(number), a: a, b: b)
  }

  private func inTable(_ body: (Database) throws -> Void) throws {
    try inEmptyDatabase { db in
      try db.execute(sql: "CREATE TABLE sparse (id INTEGER PRIMARY KEY, a DEFAULT 'none', b)")
      try body(db)
    }
  }

  private var expected: [Sparse] {
    Self.records.map { Sparse(id: $0.id, a: $0.a ?? "none", b: $0.b) }
  }

  @Test func `Records with different columns are inserted one by one`() throws {
    try inTable { db throws in
      for record in Self.records { try record.insert(db) }
      #expect(try Sparse.fetchAll(db) == expected)
    }
  }

  @Test func `Records with different columns are inserted together`() throws {
    try inTable { db in
      try Sparse.insert(db, contentsOf: Self.records)
      #expect(try Sparse.fetchAll(db) == expected)
    }
  }

  @Test func `Records with different columns are updated`() throws {
    try inTable { db throws in
      for number in 1...600 { try Sparse(id: Int64(number), a: "old", b: 0).insert(db) }
      for record in Self.records { try record.update(db) }
      #expect(
        try Sparse.fetchAll(db)
          == Self.records.map { Sparse(id: $0.id, a: $0.a ?? "old", b: $0.b ?? 0) })
    }
  }

  @Test func `The insertions of some sets of columns are kept`() throws {
    try inTable { db in
      func insertion(_ record: Sparse, _ conflict: Database.ConflictResolution = .abort) throws
        -> InsertStatement
      {
        let cache = try db.recordTypeCache(for: record)
        return try cache.insertStatement(cache.encode(record), conflict, db)
      }
      let all = try insertion(Sparse(id: 1, a: "a", b: 1))
      let some = try insertion(Sparse(id: 1, a: "a"))
      let others = try insertion(Sparse(id: 1, b: 1))
      #expect(all !== some && all !== others && some !== others)
      #expect(try insertion(Sparse(id: 2, b: 2)) === others)
      #expect(try insertion(Sparse(id: 3, a: "b", b: 2)) === all)
      #expect(try insertion(Sparse(id: 4, a: "")) === some)
      #expect(try insertion(Sparse(id: 4, a: ""), .replace) !== some)
    }
  }

  @Test func `Any number of sets of columns is possible`() throws {
    struct Wide: PersistableRecord {
      var column: Int
      func encode(to container: inout PersistenceContainer) {
        container["c\(column % 40)"] = column
      }
    }
    try inEmptyDatabase { db in
      let columns = (0..<40).map { "c\($0)" }.joined(separator: ", ")
      try db.execute(sql: "CREATE TABLE wide (\(columns))")
      let records = (0..<200).map(Wide.init)
      for record in records { try record.insert(db) }
      try Wide.insert(db, contentsOf: records)
      for column in 0..<40 {
        let values = try Int.fetchAll(
          db, sql: "SELECT c\(column) FROM wide WHERE c\(column) IS NOT NULL ORDER BY rowid")
        let half = stride(from: column, to: 200, by: 40)
        #expect(values == Array(half) + Array(half))
      }
    }
  }
}
