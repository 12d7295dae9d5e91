import Foundation
import Quarry
import QuarryTestSupport
import QuarryValues
import Testing

@Suite("Bytes")
struct BytesTests {
  private struct Image: Codable, Equatable, FetchableRecord, PersistableRecord {
    var id: Int64
    @Bytes var thumbnail: [UInt8]
    var preview: Bytes?
    /// An array, as that of other elements: JSON.
    var numbers: [UInt8]
  }

  private struct HandWritten: FetchableRecord, PersistableRecord {
    static let databaseTableName = "image"
    var id: Int64
    var thumbnail: Bytes

    init(row: Row) {
      id = row["id"]
      thumbnail = row["thumbnail"]
    }

    func encode(to container: inout PersistenceContainer) {
      container["id"] = id
      container["thumbnail"] = thumbnail
      container["numbers"] = "[]"
    }
  }

  private func makeDatabase(_ configuration: Configuration = Configuration()) throws
    -> DatabaseQueue
  {
    let queue = try DatabaseQueue(configuration: configuration)
    try queue.write { db in
      try db.execute(
        sql: "CREATE TABLE image (id INTEGER PRIMARY KEY, thumbnail, preview, numbers)")
    }
    return queue
  }

  @Test func `bytes of records are blobs, and arrays remain JSON`() throws {
    try makeDatabase().write { db in
      let image = Image(id: 1, thumbnail: [0x89, 0x50], preview: [0], numbers: [1, 255])
      try image.insert(db)
      let row = try Row.fetchOne(
        db,
        sql:
          "SELECT hex(thumbnail) AS a, typeof(thumbnail) AS b, hex(preview) AS c, numbers FROM image"
      )
      #expect(row == ["a": "8950", "b": "blob", "c": "00", "numbers": "[1,255]"])
      #expect(try Image.fetchOne(db) == image)
      let found = try Image.filter { _ in Column("thumbnail") == Bytes([0x89, 0x50]) }.fetchCount(
        db)
      #expect(found == 1)
      #expect(try HandWritten.fetchOne(db)?.thumbnail == [0x89, 0x50])
    }
  }

  @Test func `no byte is an empty blob`() throws {
    try makeDatabase().write { db in
      try Image(id: 1, thumbnail: [], preview: nil, numbers: []).insert(db)
      let row = try Row.fetchOne(
        db, sql: "SELECT typeof(thumbnail) AS a, length(thumbnail) AS b, preview FROM image")
      #expect(row == ["a": "blob", "b": 0, "preview": nil])
      #expect(try Image.fetchOne(db)?.thumbnail == [])
    }
  }

  @Test(arguments: ["'[137,80]'", "'abc'", "1", "1.5", "NULL"])
  func `what is no blob is refused`(sql: String) throws {
    try makeDatabase().write { db in
      try db.execute(sql: "INSERT INTO image VALUES (1, \(sql), NULL, '[]')")
      for text in [
        errorText { try Image.fetchOne(db) }, errorText { try HandWritten.fetchOne(db) },
        errorText { try Bytes.fetchAll(db, sql: "SELECT thumbnail FROM image") },
      ] {
        #expect(
          text?.contains("could not decode Bytes from database value") == true, "\(text ?? "")")
        #expect(text?.contains(#"column: "thumbnail""#) == true, "\(text ?? "")")
      }
    }
  }

  @Test func `bytes in JSON are Base64`() throws {
    let json = try JSONEncoder().encode([Bytes([1, 2, 3])])
    #expect(String(decoding: json, as: UTF8.self) == #"["AQID"]"#)
    #expect(try JSONDecoder().decode([Bytes].self, from: json) == [[1, 2, 3]])
  }

  @Test func `random bytes come back, and SQL compares them byte by byte`() throws {
    let run = RandomRun("bytes")
    var random = run.generator
    try makeDatabase().write { db in
      var all: [[UInt8]] = []
      for id in 0..<200 {
        let bytes = random.bytes(random.below(40))
        all.append(bytes)
        let image = Image(
          id: Int64(id), thumbnail: bytes, preview: random.chance(2) ? nil : Bytes(bytes),
          numbers: bytes)
        try image.insert(db)
        #expect(try Image.fetchOne(db, key: id) == image, "seed \(run.seed)")
      }
      let sorted = try Bytes.fetchAll(db, sql: "SELECT thumbnail FROM image ORDER BY thumbnail")
      #expect(
        sorted.map(\.array) == all.sorted { $0.lexicographicallyPrecedes($1) }, "seed \(run.seed)")
    }
  }
}

@Suite("Inline arrays of bytes")
struct InlineBytesTests {
  @available(macOS 26, iOS 26, tvOS 26, watchOS 26, *)
  private struct File: Codable, Equatable, FetchableRecord, PersistableRecord {
    var name: String
    @InlineBytes var digest: [4 of UInt8]
    var previous: InlineBytes<4>?
  }

  @available(macOS 26, iOS 26, tvOS 26, watchOS 26, *)
  private struct HandWritten: FetchableRecord, PersistableRecord {
    static let databaseTableName = "file"
    var digest: [4 of UInt8]

    init(row: Row) { digest = row["digest"] }

    func encode(to container: inout PersistenceContainer) { container["digest"] = digest }
  }

  private func makeDatabase() throws -> DatabaseQueue {
    let queue = try DatabaseQueue()
    try queue.write { db in try db.execute(sql: "CREATE TABLE file (name, digest, previous)") }
    return queue
  }

  @available(macOS 26, iOS 26, tvOS 26, watchOS 26, *)
  @Test func `an inline array is a blob`() throws {
    try makeDatabase().write { db in
      let digest: [4 of UInt8] = [0x9F, 0x86, 0, 0x81]
      let file = File(name: "a", digest: digest, previous: InlineBytes(wrappedValue: [1, 2, 3, 4]))
      try file.insert(db)
      try File(name: "b", digest: [0, 0, 0, 0], previous: nil).insert(db)
      let hex = try String.fetchAll(db, sql: "SELECT hex(digest) || '-' || hex(previous) FROM file")
      #expect(hex == ["9F860081-01020304", "00000000-"])
      #expect(
        try File.fetchOne(db, sql: "SELECT * FROM file WHERE digest = ?", arguments: [digest])
          == file)
      let name = File.filter { _ in Column("digest") == digest }
        .select(Column("name"), as: String.self)
      #expect(try name.fetchAll(db) == ["a"])
      let hand = try #require(try HandWritten.fetchOne(db))
      #expect(hand.digest[0] == 0x9F && hand.digest[3] == 0x81)
    }
  }

  @available(macOS 26, iOS 26, tvOS 26, watchOS 26, *)
  @Test(arguments: ["x'000102'", "x'0001020304'", "x''", "'abcd'", "1", "NULL"])
  func `other values are refused`(sql: String) throws {
    try makeDatabase().write { db in
      try db.execute(sql: "INSERT INTO file VALUES ('a', \(sql), NULL)")
      for text in [
        errorText { try File.fetchOne(db) }, errorText { try HandWritten.fetchOne(db) },
        errorText { try [4 of UInt8].fetchAll(db, sql: "SELECT digest FROM file") },
      ] {
        #expect(text?.contains("from database value") == true, "\(text ?? "")")
        #expect(text?.contains(#"column: "digest""#) == true, "\(text ?? "")")
      }
    }
  }

  @available(macOS 26, iOS 26, tvOS 26, watchOS 26, *)
  @Test func `inline bytes in JSON are Base64 of their length`() throws {
    let bytes = InlineBytes<3>(wrappedValue: [1, 2, 3])
    let json = try JSONEncoder().encode([bytes])
    #expect(String(decoding: json, as: UTF8.self) == #"["AQID"]"#)
    #expect(try JSONDecoder().decode([InlineBytes<3>].self, from: json) == [bytes])
    let text = errorText { try JSONDecoder().decode([InlineBytes<4>].self, from: json) }
    #expect(text?.contains("3 bytes instead of 4") == true)
  }

  @available(macOS 26, iOS 26, tvOS 26, watchOS 26, *)
  @Test func `random bytes come back`() throws {
    let run = RandomRun("inline bytes")
    var random = run.generator
    try makeDatabase().write { db in
      for _ in 0..<200 {
        let bytes = random.bytes(4)
        let file = File(
          name: "a", digest: [4 of UInt8] { bytes[$0] },
          previous: random.chance(2)
            ? nil : InlineBytes(wrappedValue: [4 of UInt8] { bytes[3 - $0] }))
        try file.insert(db)
        #expect(try File.fetchAll(db) == [file], "seed \(run.seed)")
        try File.deleteAll(db)
      }
    }
  }
}
