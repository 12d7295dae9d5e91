import QuarryTestSupport
import Testing

@testable import Quarry

// Records of a type may have different columns, from one to the next: what is made for their
// columns is kept.
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
        return try cache.insertStatement(
          cache.encode(record, db.persistenceCache).columnSet, conflict, db)
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

  private struct Wide: Codable, Equatable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "wide"
    var id = 1
    var a: Int
    var b: Int
    var c: Int
    var d: Int
    var e: Int
  }

  @Test func `Some columns are updated, one set after the other`() throws {
    let names = ["a", "b", "c", "d", "e"]
    try inEmptyDatabase { db throws in
      try db.execute(sql: "CREATE TABLE wide (id INTEGER PRIMARY KEY, a, b, c, d, e)")
      try Wide(a: 0, b: 0, c: 0, d: 0, e: 0).insert(db)
      var values = [0, 0, 0, 0, 0]
      // More sets than are kept, each of them twice.
      for value in 1...62 {
        let columns = names.indices.filter { value & (1 << $0) != 0 }
        let record = Wide(a: value, b: value, c: value, d: value, e: value)
        try record.update(db, columns: columns.map { names[$0] })
        for column in columns { values[column] = value }
        let row = try Row.fetchOne(db, sql: "SELECT a, b, c, d, e FROM wide")
        #expect(row?.map { Int.fromDatabaseValue($1) } == values)
      }
    }
  }

  @Test func `Updates of the same columns have their own conflict resolutions`() throws {
    try inEmptyDatabase { db throws in
      try db.execute(sql: "CREATE TABLE wide (id INTEGER PRIMARY KEY, a UNIQUE, b, c, d, e)")
      try Wide(id: 1, a: 1, b: 0, c: 0, d: 0, e: 0).insert(db)
      try Wide(id: 2, a: 2, b: 0, c: 0, d: 0, e: 0).insert(db)
      let record = Wide(id: 2, a: 1, b: 7, c: 0, d: 0, e: 0)
      for _ in 1...2 {
        let error = #expect(throws: DatabaseError.self) {
          try record.update(db, columns: ["a", "b"])
        }
        #expect(error?.arguments == [1, 7, 2])
        #expect(throws: RecordError.self) {
          try record.update(db, onConflict: .ignore, columns: ["a", "b"])
        }
      }
      try record.update(db, onConflict: .replace, columns: ["a", "b"])
      #expect(try Wide.fetchAll(db) == [record])
    }
  }
}
