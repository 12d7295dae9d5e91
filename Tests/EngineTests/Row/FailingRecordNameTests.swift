import QuarryTestSupport
import Testing

@testable import Quarry

/// An author whose name is required, read without `try`.
private struct Writer: FetchableRecord, Hashable {
  var name: String
  init(row: Row) { name = row["country"] }
}

/// An author whose country is required, read with `try`.
private struct StrictWriter: FetchableRecord {
  var country: String
  init(row: Row) throws { country = try row.decode(forColumn: "country") }
}

private struct Pair: FetchableRecord {
  var author: Writer
  init(row: Row) { author = row["author"] }
}

private struct CodedPair: Decodable, FetchableRecord {
  var author: CodedWriter
}

/// Written by hand, and found by a parent that is not.
private struct CodedWriter: Decodable, FetchableRecord {
  var country: String
  init(row: Row) { country = row["country"] }
}

private struct Shelf: FetchableRecord {
  var subordinates: [Boss]
  init(row: Row) { subordinates = row["subordinates"] }
}

private struct CodedShelf: Decodable, FetchableRecord {
  var subordinates: [CodedBoss]
}

private struct Boss: FetchableRecord {
  var team: Int
  init(row: Row) { team = row["name"] }
}

private struct CodedBoss: Decodable, FetchableRecord {
  var name: Bool
  init(row: Row) throws { name = try row.decode(forColumn: "name") }
}

/// The errors of records that are written by hand name the record.
@Suite(.onQueueAndPool)
struct FailingRecordNameTests {
  private func expect(
    _ record: String, _ column: String, _ fetch: (Database) throws -> Any?,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try makeBookshopDatabase().write { db in
      try db.execute(
        sql: """
          UPDATE book SET authorId = 3 WHERE id = 2;
          UPDATE employee SET name = x'FF';
          """)
      let text = errorText { try fetch(db) }
      #expect(
        text?.contains(#"column: "\#(column)""#) == true, "\(text ?? "no error")",
        sourceLocation: sourceLocation)
      #expect(
        text?.hasSuffix("record: \(record)") == true, "\(text ?? "no error")",
        sourceLocation: sourceLocation)
    }
  }

  @Test func `A record of a statement`() throws {
    let sql = "SELECT * FROM author WHERE id = 3"
    try expect("Writer", "country") { try Writer.fetchAll($0, sql: sql) }
    try expect("Writer", "country") { try Writer.fetchOne($0, sql: sql) }
    try expect("Writer", "country") { try Writer.fetchSet($0, sql: sql) }
    try expect("Writer", "country") { try Writer.fetchCursor($0, sql: sql).next() }
    try expect("StrictWriter", "country") { try StrictWriter.fetchAll($0, sql: sql) }
    try expect("StrictWriter", "country") {
      try Author.all().asRequest(of: StrictWriter.self).fetchAll($0)
    }
  }

  @Test func `A record inside of another one`() throws {
    let request = Book.including(required: Book.author)
    try expect("Writer", "country") { try request.asRequest(of: Pair.self).fetchAll($0) }
    try expect("CodedWriter", "country") { try request.asRequest(of: CodedPair.self).fetchAll($0) }
  }

  @Test func `A record of prefetched rows, and one that has them`() throws {
    let request = Employee.including(all: Employee.subordinates)
    try expect("CodedBoss", "name") { try request.asRequest(of: CodedShelf.self).fetchAll($0) }
    try expect("StrictWriter", "country") {
      try Author.including(all: Author.books).asRequest(of: StrictWriter.self).fetchAll($0)
    }
    try expect("Writer", "country") {
      try Author.including(all: Author.books).asRequest(of: Writer.self).fetchSet($0)
    }
    try expect("Boss", "name") { try request.asRequest(of: Shelf.self).fetchAll($0) }
  }

  @Test func `A record that a write returns`() throws {
    try expect("Ranked", "birthYear") { db in
      try Author(id: 3).updateAndFetch(db, as: Ranked.self)
    }
    try expect("Ranked", "birthYear") { db in
      try Author(id: 3).upsertAndFetch(db, as: Ranked.self)
    }
    try expect("Ranked", "birthYear") { db in
      try Author(id: 9).insertAndFetch(db, as: Ranked.self)
    }
  }

  private struct Ranked: FetchableRecord, TableRecord {
    static let databaseTableName = "author"
    var birthYear: Int
    init(row: Row) { birthYear = row["birthYear"] }
  }
}
