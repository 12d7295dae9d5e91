import QuarryTestSupport
import Testing

@testable import Quarry

// Requests with `including(all:)` copy their rows. The row that moves over them stays with the
// statement for the next fetch, and so do the rows of scopes and of prefetched associations, and
// their decoders.
@Suite(.serialized) struct RowInMemoryTests {
  private struct Shelf: Codable, Equatable, FetchableRecord, TableRecord {
    var id: Int
    var label: String
  }

  private struct Book: Codable, Equatable, FetchableRecord, TableRecord {
    static let shelf = belongsTo(Shelf.self)
    static let notes = hasMany(Note.self)
    var id: Int
    var title: String
  }

  private struct Note: Codable, Equatable, FetchableRecord, TableRecord {
    var id: Int
    var text: String
  }

  private struct Author: Codable, Equatable, FetchableRecord, TableRecord {
    static let books = hasMany(Book.self)
    var id: Int
  }

  /// By hand, from rows, each of which may be kept.
  private struct ShownAuthor: FetchableRecord {
    nonisolated(unsafe) static var keptRows: [(row: Row, id: Int)] = []
    nonisolated(unsafe) static var random: SplitMix64?
    var id: Int
    var books: [ShownBook]

    init(row: Row) throws {
      id = row["id"]
      books = try row.decode([ShownBook].self, forKey: "books")
      Self.keep(row, id)
    }

    var info: AuthorInfo { AuthorInfo(id: id, books: books.map(\.info)) }

    static func keep(_ row: Row?, _ id: Int) {
      if let row, random?.chance(4) == true { keptRows.append((row, id)) }
    }
  }

  private struct ShownBook: FetchableRecord, Decodable {
    var id: Int
    var label: String?
    var notes: [Note]

    init(row: Row) throws {
      id = row["id"]
      label = row.scopes["shelf"]?["label"]
      notes = try row.decode([Note].self, forKey: "notes")
      ShownAuthor.keep(row, id)
      if label != nil { ShownAuthor.keep(row.scopes["shelf"], id % 3) }
    }

    var info: AuthorInfo.BookInfo {
      AuthorInfo.BookInfo(
        id: id, shelf: label.map(AuthorInfo.Label.init(label:)),
        notes: notes.map { AuthorInfo.Text(text: $0.text) })
    }
  }

  /// Decoded by the compiler's code.
  private struct AuthorInfo: Decodable, Equatable, FetchableRecord {
    struct BookInfo: Decodable, Hashable {
      var id: Int
      var shelf: Label?
      var notes: [Text]
    }
    struct Label: Decodable, Hashable { var label: String }
    struct Text: Decodable, Hashable { var text: String }
    var id: Int
    var books: [BookInfo]
  }

  private static let request = Author.including(
    all: Author.books.order(Column("id"))
      .including(optional: Book.shelf).including(all: Book.notes.order(Column("id"))))

  /// Author `a` has the books `10a`, `10a + 1`…, as many as `a`; a book stands on the shelf `id %
  /// 3`, if that isn't 0, and has `id % 2` notes.
  private func makeTables(_ db: Database) throws {
    try db.execute(
      sql: """
        CREATE TABLE shelf (id INTEGER PRIMARY KEY, label TEXT);
        CREATE TABLE author (id INTEGER PRIMARY KEY);
        CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT, authorId INTEGER REFERENCES author,
          shelfId INTEGER REFERENCES shelf);
        CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT, bookId INTEGER REFERENCES book);
        INSERT INTO shelf VALUES (1, 'shelf 1'), (2, 'shelf 2');
        """)
    for author in 1...6 {
      try db.execute(sql: "INSERT INTO author VALUES (?)", arguments: [author])
      for book in (author * 10)..<(author * 11) {
        try db.execute(
          sql: "INSERT INTO book VALUES (?, ?, ?, ?)",
          arguments: [book, "book \(book)", author, book % 3 == 0 ? nil : book % 3])
        if book % 2 == 1 {
          try db.execute(
            sql: "INSERT INTO note VALUES (?, ?, ?)", arguments: [book, "note \(book)", book])
        }
      }
    }
  }

  private func author(_ id: Int) -> AuthorInfo {
    AuthorInfo(id: id, books: ((id * 10)..<(id * 11)).map(book))
  }

  private func book(_ id: Int) -> AuthorInfo.BookInfo {
    AuthorInfo.BookInfo(
      id: id,
      shelf: id % 3 == 0 ? nil : AuthorInfo.Label(label: "shelf \(id % 3)"),
      notes: id % 2 == 1 ? [AuthorInfo.Text(text: "note \(id)")] : [])
  }

  private func keys(_ random: inout SplitMix64) -> [Int] {
    (1...7).filter { _ in random.chance(2) }
  }

  @Test func `fetches one after the other show their own rows, and kept rows stay as they are`()
    throws
  {
    let run = RandomRun("rows in memory")
    try DatabaseQueue().inDatabase { db in
      try makeTables(db)
      _ = try run.repeated(seconds: 2, atMost: 60) { random in
        let keys = keys(&random)
        let expected: [AuthorInfo] = keys.filter { $0 <= 6 }.map(author)
        let request = Self.request.filter(keys: keys).order(Column("id"))
        let decoded = request.asRequest(of: AuthorInfo.self)
        try #expect(decoded.fetchAll(db) == expected, "seed \(run.seed)")
        try #expect(decoded.fetchOne(db) == expected.first, "seed \(run.seed)")

        ShownAuthor.random = random
        let shown = try request.asRequest(of: ShownAuthor.self).fetchAll(db)
        ShownAuthor.random = nil
        #expect(shown.map(\.info) == expected, "seed \(run.seed)")
        let kept = ShownAuthor.keptRows
        #expect(kept.allSatisfy { $0.row["id"] == $0.id }, "seed \(run.seed)")
        if kept.count > 60 { ShownAuthor.keptRows.removeAll { _ in random.chance(2) } }
      }
      ShownAuthor.keptRows = []
    }
  }

  /// A record that keeps its container.
  private struct KeepingNote: Decodable, Hashable {
    nonisolated(unsafe) static var readings: [() throws -> String] = []
    var text: String

    enum CodingKeys: CodingKey { case text }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      text = try container.decode(String.self, forKey: .text)
      Self.readings += [
        { try container.decode(String.self, forKey: .text) },
        { try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .text) },
      ]
    }
  }

  private struct BookWithNotes: Decodable, FetchableRecord {
    var id: Int
    var notes: [KeepingNote]
  }

  @Test func `what a prefetched record keeps of its decoding throws once the fetch is over`() throws
  {
    try DatabaseQueue().inDatabase { db in
      try makeTables(db)
      KeepingNote.readings = []
      for _ in 0..<3 {
        let request = Book.including(all: Book.notes).filter(keys: [31, 51, 53])
        let books = try request.asRequest(of: BookWithNotes.self).fetchAll(db)
        #expect(books.map { $0.notes.map(\.text) } == [["note 31"], ["note 51"], ["note 53"]])
        #expect(KeepingNote.readings.compactMap { try? $0() } == [])
      }
      #expect(KeepingNote.readings.count == 18)
    }
  }

  /// Keeps its row, against the advice of the documentation.
  private struct LazyAuthor: FetchableRecord {
    let row: Row
  }

  private struct LazyBook: FetchableRecord {
    let row: Row
    let shelf: Row?

    init(row: Row) {
      self.row = row
      shelf = row.scopes["shelf"]
    }
  }

  @Test func `a row that a record keeps is no longer that of a record`() throws {
    try DatabaseQueue().inDatabase { db in
      try makeTables(db)
      for _ in 1...2 {
        let authors = try Self.request.filter(keys: [1, 2]).order(Column("id"))
          .asRequest(of: LazyAuthor.self).fetchAll(db)
        #expect(authors.map { $0.row["id"] as Int } == [1, 2])
        #expect(!authors.contains { $0.row.isDecodingRecord })
        // The books 20 and 21, of which the first is on a shelf.
        let books = try #require(authors.last).row.decode([LazyBook].self, forKey: "books")
        #expect(books.map { $0.row["id"] as Int } == [20, 21])
        #expect(
          books.map { $0.shelf?.description }
            == [#"[id:2 label:"shelf 2"]"#, "[id:NULL label:NULL]"])
        #expect(!books.contains { $0.row.isDecodingRecord || $0.shelf?.isDecodingRecord == true })
        let one = try Self.request.asRequest(of: LazyAuthor.self).fetchOne(db)
        #expect(one?.row.isDecodingRecord == false)
      }
    }
  }

  @Test func `a fetch that fails leaves nothing behind`() throws {
    try DatabaseQueue().inDatabase { db in
      try makeTables(db)
      let request = Self.request.order(Column("id")).asRequest(of: AuthorInfo.self)
      try db.execute(sql: "UPDATE note SET text = NULL WHERE id = 31")
      for _ in 0..<3 {
        #expect(throws: RowDecodingError.self) { try request.fetchAll(db) }
      }
      try db.execute(sql: "UPDATE note SET text = 'note 31' WHERE id = 31")
      for _ in 0..<3 {
        #expect(try request.fetchAll(db) == (1...6).map(author))
      }
    }
  }
}
