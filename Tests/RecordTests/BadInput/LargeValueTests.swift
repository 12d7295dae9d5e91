import Foundation
import Quarry
import QuarryTestSupport
import Testing

private struct Scan: Codable, FetchableRecord, PersistableRecord {
  var id: Int64
  var image: Data
}

/// Values beyond SQLite's limit of 1,000,000,000 bytes, and beyond the 32 bits that many of its
/// functions count with. Their zeros take hardly any memory.
struct LargeValueTests {
  /// Sizes that SQLite's functions can't count are refused before anything is copied: they have
  /// another result code.
  private static let sizes: [(Int, ResultCode)] = [
    (1_000_000_001, .SQLITE_TOOBIG), (1 << 31, .SQLITE_MISMATCH), ((1 << 32) + 5, .SQLITE_MISMATCH),
  ]

  private func inDatabase(_ body: (Database) throws -> Void) throws {
    try DatabaseQueue().inDatabase { db in
      try db.execute(sql: "CREATE TABLE scan (id INTEGER PRIMARY KEY, image)")
      try body(db)
    }
  }

  @Test(arguments: sizes)
  func `an argument that is too large is an error`(size: Int, code: ResultCode) throws {
    try inDatabase { db in
      let data = Data(count: size)
      let error = databaseError {
        try db.execute(sql: "INSERT INTO scan VALUES (1, ?)", arguments: [data])
      }
      #expect(error?.resultCode == code)
      #expect(
        error?.message?.hasPrefix("argument 1 can't be bound: string or blob too big") == true)
      let count = try Table("scan").fetchCount(db)
      #expect(count == 0)
    }
  }

  @Test(arguments: sizes)
  func `a record that is too large is not written, alone or among others`(
    size: Int, code: ResultCode
  ) throws {
    try inDatabase { db in
      let scan = Scan(id: 2, image: Data(count: size))
      let batch = databaseError {
        try Scan.insert(db, contentsOf: [Scan(id: 1, image: Data([1])), scan])
      }
      #expect(batch?.resultCode == code)
      let single = databaseError { try scan.insert(db) }
      #expect(single?.resultCode == code)
      // The descriptions of such errors do not print the value.
      #expect((single?.description.count ?? .max) < 1_000)
      #expect((batch?.description.count ?? .max) < 1_000)
      let count = try Scan.fetchCount(db)
      #expect(count == 0)
    }
  }

  @Test
  func `results that are too large are errors of SQLite`() throws {
    try inDatabase { db throws in
      let value = databaseError { try Data.fetchOne(db, sql: "SELECT zeroblob(1000000001)") }
      #expect(value?.resultCode == .SQLITE_TOOBIG)
      let text = databaseError {
        try String.fetchOne(db, sql: "SELECT replace(hex(zeroblob(100000)), '0', zeroblob(10000))")
      }
      #expect(text?.resultCode == .SQLITE_TOOBIG)
    }
  }

  @Test
  func `a function that returns too large a value fails`() throws {
    try inDatabase { db throws in
      db.add(function: DatabaseFunction("zeros") { _ in Data(count: (1 << 32) + 5) })
      let error = databaseError { try Int.fetchOne(db, sql: "SELECT length(zeros())") }
      #expect(error?.resultCode == .SQLITE_TOOBIG)
    }
  }
}
