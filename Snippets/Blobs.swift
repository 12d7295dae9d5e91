// Blobs: data in records, and streams.

import Foundation
import Quarry
import QuarryBlobs

let archive = try DatabaseQueue()
try archive.write { db in db.trace { print($0) } }
let folder = FileManager.default.temporaryDirectory.appending(path: "blobs-\(UUID())")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
let scan = folder.appending(path: "scan.tiff")
try Data(repeating: 7, count: 1_000_000).write(to: scan)

// snippet.data
struct Book: Codable, FetchableRecord, MutablePersistableRecord {
  var id: Int64?
  var title: String
  var thumbnail: Data?

  enum Columns {
    static let title = Column(CodingKeys.title)
  }

  mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

try archive.write { db in
  try db.create(table: "book") { t in
    t.autoIncrementedPrimaryKey("id")
    t.column("title", .text).notNull()
    t.column("thumbnail", .blob)
  }
  var book = Book(title: "Maps", thumbnail: Data([0x89, 0x50, 0x4E, 0x47]))
  try book.insert(db)
}
// snippet.end

// snippet.table
try archive.write { db in
  try db.create(table: "scan") { t in
    t.primaryKey("bookId", .integer).references("book", onDelete: .cascade)
    t.column("content", .blob).notNull()
  }
}
// snippet.end

// snippet.write
func store(_ file: URL, ofBook id: Int64) throws {
  let source = try FileHandle(forReadingFrom: file)
  defer { try? source.close() }
  let size = try source.seekToEnd()
  try source.seek(toOffset: 0)
  try archive.write { db in
    // Room for the bytes: the size of a blob does not change while it is written.
    try db.execute(
      sql: "INSERT INTO scan (bookId, content) VALUES (?, zeroblob(?))", arguments: [id, size])
    try db.withBlob(table: "scan", column: "content", rowID: id, access: .readWrite) { blob in
      var offset = 0
      while let part = try source.read(upToCount: 65_536), !part.isEmpty {
        try blob.write(part, at: offset)
        offset += part.count
      }
    }
  }
}
// snippet.end
try store(scan, ofBook: 1)

// snippet.read
try archive.read { db in
  try db.withBlob(table: "scan", column: "content", rowID: 1) { blob in
    print(blob.count)  // 1000000
    let head = try blob.read(at: 0, count: 4)
    print(Array(head))  // [7, 7, 7, 7]

    var sum = 0
    let parts = blob.chunks(size: 65_536)
    while let part = try parts.next() { sum += part.reduce(0) { $0 + Int($1) } }
    print(sum)  // 7000000
  }
}
// snippet.end

// snippet.size
try archive.read { db in
  // SELECT "title" FROM "book"
  let titles = try Book.select { $0.title }.asRequest(of: String.self).fetchAll(db)
  // The size alone: SQLite does not read the content.
  let size = try Int.fetchOne(db, sql: "SELECT length(content) FROM scan WHERE bookId = 1")
  print(titles, size ?? 0)  // ["Maps"] 1000000
}
// snippet.end

// snippet.columns
extension Book {
  struct Entry: Codable, FetchableRecord, TableRecord {
    static let databaseTableName = "book"
    static var databaseSelection: [any SQLSelectable] { [Column("id"), Column("title")] }
    var id: Int64
    var title: String
  }
}
try archive.read { db in
  // SELECT "id", "title" FROM "book"
  print(try Book.Entry.fetchAll(db).map(\.title))  // ["Maps"]
}
// snippet.end
try FileManager.default.removeItem(at: folder)
