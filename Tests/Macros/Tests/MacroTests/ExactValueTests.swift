import Foundation
import QuarryMacros
import QuarryValues
import Testing

@available(macOS 26, iOS 26, tvOS 26, watchOS 26, *)
@Record struct Recording {
  @PrimaryKey var id: Int64
  var length: Duration
  var pause: Duration?
  var plays: Int128
  var bytes: Bytes
  var digest: InlineArray<4, UInt8>
}

/// Values of the library `QuarryValues`, and exact conversions, in records by macro.
@Suite("Exact values of records by macro")
struct ExactValueTests {
  @available(macOS 26, iOS 26, tvOS 26, watchOS 26, *)
  private func withRecordings<T>(_ body: (Database) throws -> T) throws -> T {
    var configuration = Configuration()
    configuration.conversions = .exact
    return try DatabaseQueue(configuration: configuration).inDatabase { db in
      try Recording.createTable(db)
      try Recording(
        id: 1, length: .seconds(180), pause: nil, plays: -1, bytes: [1, 2], digest: [1, 2, 3, 4]
      ).insert(db)
      return try body(db)
    }
  }

  @available(macOS 26, iOS 26, tvOS 26, watchOS 26, *)
  @Test func `values come back, and are compared by typed filters`() throws {
    try withRecordings { db in
      let type = try String.fetchOne(
        db, sql: "SELECT type FROM pragma_table_info('recording') WHERE name = 'plays'")
      #expect(type == "BLOB")
      let recording = try #require(try Recording.fetchOne(db, key: 1))
      #expect(recording.length == .seconds(180) && recording.pause == nil)
      #expect(recording.plays == -1 && recording.bytes == [1, 2] && recording.digest[3] == 4)
      let long = Recording.filter { $0.length > Duration.seconds(60) }
      #expect(try long.fetchCount(db) == 1)
      #expect(try Recording.filter { $0.plays < Int128(-1) }.fetchCount(db) == 0)
      #expect(try Recording.filter { $0.plays <= Int128(-1) }.fetchCount(db) == 1)
      #expect(try Recording.filter { $0.bytes == Bytes([1, 2]) }.fetchCount(db) == 1)
    }
  }

  @available(macOS 26, iOS 26, tvOS 26, watchOS 26, *)
  @Test(arguments: [
    "length = '7'", "pause = 1.0", "plays = 7", "bytes = 'a'", "digest = x'00'",
    "id = 1, length = NULL",
  ])
  func `other forms are refused, by position and by name`(assignment: String) throws {
    try withRecordings { db in
      try db.execute(sql: "CREATE TABLE other AS SELECT * FROM recording")
      try db.execute(sql: "UPDATE other SET \(assignment)")
      for columns in ["*", "digest, bytes, plays, pause, length, id"] {
        #expect(throws: RowDecodingError.self) {
          try Recording.fetchAll(db, sql: "SELECT \(columns) FROM other")
        }
        #expect(throws: RowDecodingError.self) {
          try Row.fetchAll(db, sql: "SELECT \(columns) FROM other").map { try Recording(row: $0) }
        }
      }
    }
  }
}
