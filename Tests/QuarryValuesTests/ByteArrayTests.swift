import Foundation
import Quarry
import QuarryTestSupport
import QuarryValues
import Testing

/// Arrays of bytes have the conversions of `Data`, as methods.
struct ByteArrayTests {
  @Test func `stored arrays of bytes are read unchanged`() throws {
    var random = RandomRun("[UInt8]").generator
    try DatabaseQueue().inDatabase { db in
      let statement = try db.makeStatement(sql: "SELECT ? AS a, NULL AS n")
      for _ in 0..<150 {
        let bytes = random.bytes(random.below(40))
        #expect([UInt8].fromDatabaseValue(bytes.databaseValue) == bytes)
        let cursor = try Row.fetchCursor(statement, arguments: [bytes.databaseValue])
        let row = try #require(try cursor.next())
        #expect(try row.decode([UInt8].self, atIndex: 0) == bytes)
        #expect([UInt8](sqliteStatement: statement.sqliteStatement, index: 0) == bytes)
        let copy = row.copy()
        #expect(try copy.decode([UInt8].self, forColumn: "a") == bytes)
        #expect(try copy.decode([UInt8].self, forColumn: Column("a")) == bytes)
        #expect(try copy.decode([UInt8]?.self, atIndex: 0) == bytes)
        #expect(try copy.decode([UInt8]?.self, forColumn: "n") == nil)
        #expect(try copy.decode([UInt8]?.self, forColumn: Column("missing")) == nil)
      }
      #expect(throws: RowDecodingError.self) {
        try Row(["a": 1]).decode([UInt8].self, forColumn: "a")
      }
      let code = ([1, 2] as [UInt8]).bind(to: statement.sqliteStatement, at: 9)
      #expect(code == ResultCode.SQLITE_RANGE.rawValue)
    }
  }

  @Test func `arrays of bytes are lists as others, and blobs by their database value`() throws {
    let bytes: [UInt8] = [1, 2]
    try DatabaseQueue().inDatabase { db in
      let (sql, arguments) = try SQL("\(bytes) \(bytes.databaseValue)").build(db)
      #expect(sql == "(?,?) ?")
      #expect(arguments == [1, 2, Data([1, 2])])
    }
  }
}
