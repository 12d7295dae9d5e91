import Foundation
import Quarry
import QuarryBlobs
import QuarryMigrations
import QuarryTestSupport
import Testing

/// Random and damaged database files: whatever they contain, uses of them succeed or throw.
@Suite("Random database files", .serialized)
struct FileFuzzTests {
  private struct Book: Codable, FetchableRecord, PersistableRecord {
    var id: Int
    var title: String
    var authorId: Int?
    var cover: Data?
  }

  private static let schema = """
    CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL COLLATE NOCASE);
    CREATE TABLE book (
      id INTEGER PRIMARY KEY, title TEXT NOT NULL, authorId REFERENCES author(id), cover BLOB);
    CREATE TABLE link (a, b, PRIMARY KEY (a, b)) WITHOUT ROWID;
    CREATE UNIQUE INDEX byTitle ON book(title);
    CREATE VIEW writers AS SELECT author.*, COUNT(*) AS n FROM author
      JOIN book ON authorId = author.id GROUP BY author.id;
    CREATE TRIGGER afterBook AFTER INSERT ON book BEGIN INSERT INTO link VALUES (new.id, 1); END;
    INSERT INTO author VALUES (1, 'Ursula'), (2, 'Emily');
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 60)
    INSERT INTO book SELECT i, 'Title ' || i, 1 + i % 2, zeroblob(i * 20 % 700) FROM n;
    """

  private final class Sink: TextOutputStream {
    func write(_ string: String) {}
  }

  private func makeDatabase(at path: String, pageSize: Int, mode: String) throws -> Data {
    let queue = try DatabaseQueue(path: path)
    try queue.inDatabase { db in
      try db.execute(sql: "PRAGMA page_size = \(pageSize); PRAGMA journal_mode = \(mode)")
      try db.execute(sql: Self.schema)
    }
    try queue.close()
    let data = try Data(contentsOf: URL(filePath: path))
    try FileManager.default.removeItem(atPath: path)
    return data
  }

  private static let uses: [@Sendable (Database) throws -> Any] = [
    { try Book.fetchAll($0) },
    { try Book.order(Column("title")).fetchCursor($0).reduce(0) { count, _ in count + 1 } },
    { try Row.fetchAll($0, sql: "SELECT * FROM book JOIN author ON authorId = author.id") },
    { try Row.fetchOne($0, sql: "SELECT * FROM writers") as Any },
    { try Book.filter(key: 7).fetchOne($0) as Any },
    { try $0.columns(in: "book") },
    { try ($0.primaryKey("link"), $0.indexes(on: "book"), $0.foreignKeys(on: "book")) },
    { try $0.checkForeignKeys() },
    { try Array(Row.fetchCursor($0, sql: "SELECT * FROM sqlite_master")) },
    { try String.fetchAll($0, sql: "PRAGMA integrity_check(5)") },
    { try Book(id: 1000, title: "New", authorId: 1, cover: nil).insert($0) },
    { try Book.deleteOne($0, key: 12) },
    { try $0.execute(sql: "UPDATE book SET title = title || 'x', cover = zeroblob(2000)") },
    { try $0.execute(sql: "CREATE INDEX other ON book(cover); DROP INDEX byTitle; VACUUM") },
    { try $0.withBlob(table: "book", column: "cover", rowID: 33) { blob in try blob.read() } },
    { db in
      try db.withBlob(table: "book", column: "cover", rowID: 34, access: .readWrite) { blob in
        try blob.write(Data([1, 2, 3]), at: blob.count / 2)
      }
    },
    { try $0.dumpContent(to: Sink()) },
    { try $0.schemaDescription() },
    { try $0.serialize() },
    { try $0.checkpoint(.truncate) },
    { db in try DatabaseQueue().inDatabase { try db.backup(to: $0, pagesPerStep: 3) } },
    { db in
      try db.inTransaction {
        try db.execute(sql: "DELETE FROM book")
        return .rollback
      }
    },
  ]

  /// Opens a file, and uses it in all ways. Returns how many uses succeeded.
  private func use(_ path: String, _ random: inout SplitMix64) -> Int {
    var configuration = Configuration()
    configuration.readonly = random.chance(5)
    if random.chance(4) { configuration.journalMode = .wal }
    guard let queue = try? DatabaseQueue(path: path, configuration: configuration) else {
      return 0
    }
    var count = 0
    for use in Self.uses.shuffled(using: &random) {
      if (try? queue.writeWithoutTransaction(use)) != nil { count += 1 }
      if random.chance(3), (try? queue.read(use)) != nil { count += 1 }
    }
    _ = try? DatabaseQueue.inMemoryCopy(fromPath: path).read { try Book.fetchAll($0) }
    try? queue.close()
    return count
  }

  /// Puts the bytes of a file in the place of a database, and uses it.
  private func useSerialized(_ data: Data, _ random: inout SplitMix64) {
    guard let queue = try? DatabaseQueue() else { return }
    let isReadonly = random.chance(3)
    let uses = Self.uses.shuffled(using: &random)
    _ = try? queue.inDatabase { db in
      try db.deserialize(data, readonly: isReadonly)
      for use in uses { _ = try? use(db) }
    }
    _ = try? queue.erase()
    try? queue.close()
  }

  /// A copy with wrong bytes, missing or repeated parts.
  private func damaged(_ data: Data, _ random: inout SplitMix64) -> Data {
    var bytes = [UInt8](data)
    for _ in 0...random.below(4) where bytes.count > 200 {
      let start = random.chance(3) ? random.below(100) : random.below(bytes.count)
      let length = min(1 + random.below(random.chance(2) ? 4 : 300), bytes.count - start)
      switch random.below(5) {
      case 0: bytes.replaceSubrange(start..<(start + length), with: random.bytes(length))
      case 1: bytes[start] ^= 1 << UInt8(random.below(8))
      case 2:
        bytes.replaceSubrange(
          start..<(start + length), with: Array(repeating: random.pick([0, 255]), count: length))
      case 3:
        let source = random.below(bytes.count - length + 1)
        bytes.replaceSubrange(
          start..<(start + length), with: Array(bytes[source..<(source + length)]))
      default: bytes.removeLast(random.below(bytes.count / 2))
      }
    }
    return Data(bytes)
  }

  @Test func `Damaged copies of a good file`() throws {
    let run = RandomRun("damaged files")
    try withTemporaryDirectory { directory in
      let good = [
        try makeDatabase(at: directory + "/a", pageSize: 512, mode: "DELETE"),
        try makeDatabase(at: directory + "/b", pageSize: 4096, mode: "WAL"),
      ]
      var random = run.generator
      let path = directory + "/good"
      try good[0].write(to: URL(filePath: path))
      #expect(use(path, &random) > 0, "seed \(run.seed)")
      var number = 0
      try run.repeated(seconds: 0.5) { random in
        number += 1
        let path = directory + "/\(number).sqlite"
        let data = damaged(random.pick(good), &random)
        useSerialized(data, &random)
        try data.write(to: URL(filePath: path))
        _ = use(path, &random)
        for suffix in ["", "-wal", "-shm", "-journal"] {
          try? FileManager.default.removeItem(atPath: path + suffix)
        }
      }
    }
  }

  @Test func `Random bytes, with and without the header of a database`() throws {
    let run = RandomRun("random files")
    try withTemporaryDirectory { directory in
      var number = 0
      try run.repeated(seconds: 0.2) { random in
        number += 1
        let path = directory + "/\(number).sqlite"
        var bytes = random.bytes(random.below(3000))
        if random.chance(2) { bytes = Array("SQLite format 3\0".utf8) + bytes }
        try Data(bytes).write(to: URL(filePath: path))
        if random.chance(3) {
          try Data(random.bytes(random.below(3000))).write(to: URL(filePath: path + "-wal"))
          try Data(random.bytes(random.below(3000))).write(to: URL(filePath: path + "-journal"))
        }
        _ = use(path, &random)
        for suffix in ["", "-wal", "-shm", "-journal"] {
          try? FileManager.default.removeItem(atPath: path + suffix)
        }
      }
    }
  }
}
