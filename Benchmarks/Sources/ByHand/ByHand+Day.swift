import CSQLiteBench
import Harness

// What an application does all day. Statements are kept for the pass.

extension ByHand {
  func dayPass(for line: Line) -> Pass? {
    switch line {
    case .page: pages()
    case .screen: screens(inOneQuery: false)
    case .screenCounts: screens(inOneQuery: true)
    case .search: bookSearches()
    case .commits: commits()
    case .update, .updateRecord: updates()
    case .save: saves()
    case .values: records(Receipt.self, from: "receipt")
    case .dates: records(Dates.self, columns: "paidAt, refundedAt")
    case .uuids: records(Code.self, columns: "code")
    case .decimals: records(Price.self, columns: "price")
    case .valuesInsert:
      inserts(Receipt.self, into: "newReceipt") {
        try $0.insert(Dataset.receipts, into: "newReceipt")
      }
    case .json: records(Venue.self, from: "venue")
    case .jsonInsert:
      inserts(Venue.self, into: "newVenue") { try $0.insert(Dataset.venues, into: "newVenue") }
    case .open: openings()
    default: nil
    }
  }

  private func records<R: Record>(_ type: R.Type, columns: String) -> Pass {
    reading(
      { try $0.rows("SELECT \(columns) FROM receipt") { R($0, from: 0) } },
      checksum: { Checksum.of($0) })
  }

  private func pages() -> Pass {
    reading(
      { connection in
        let sql = "SELECT * FROM player ORDER BY score, id LIMIT \(Dataset.pageSize) OFFSET ?"
        return try connection.withStatement(sql) { statement in
          var pages: [[Player]] = []
          for number in 0..<Dataset.pageCount {
            sqlite3_bind_int64(statement, 1, Int64(Dataset.pageOffset(number)))
            pages.append(try connection.rest(of: statement))
          }
          return pages
        }
      },
      checksum: { Checksum.of($0.joined()) })
  }

  /// The counts by hand: subqueries, or queries of their own.
  private func screens(inOneQuery: Bool) -> Pass {
    reading(
      { connection in
        let counts = "SELECT COUNT(*) FROM book WHERE authorId = "
        let isRecent = " AND year >= \(Dataset.recentYear)"
        let author =
          inOneQuery
          ? "SELECT *, (\(counts) author.id), (\(counts) author.id\(isRecent)) FROM author WHERE id = ?"
          : "SELECT * FROM author WHERE id = ?"
        let authors = try connection.kept(author)
        let books = try connection.kept("SELECT * FROM book WHERE authorId = ?")
        let all = try connection.kept(counts + "?")
        let recent = try connection.kept(counts + "?" + isRecent)
        return try Dataset.screenKeys.compactMap { key -> Screen? in
          guard var screen = try connection.screen(key, authors, inOneQuery) else { return nil }
          sqlite3_bind_int64(books.pointer, 1, key)
          screen.books = try connection.rest(of: books.pointer)
          if !inOneQuery {
            screen.bookCount = try connection.count(all.pointer, key)
            screen.recentBookCount = try connection.count(recent.pointer, key)
          }
          return screen
        }
      },
      checksum: { Checksum.of($0) })
  }

  /// A statement for each combination of filters, prepared when it is needed first.
  private func bookSearches() -> Pass {
    reading(
      { connection in
        var statements: [KeptStatement?] = Array(repeating: nil, count: 8)
        return try Dataset.bookSearches.map { search in
          let index =
            (search.authorId == nil ? 0 : 1) + (search.publisherId == nil ? 0 : 2)
            + (search.year == nil ? 0 : 4)
          let kept = try statements[index] ?? connection.kept(Self.sql(of: search))
          statements[index] = kept
          let values = [search.authorId, search.publisherId, search.year.map(Int64.init)]
          for (place, value) in values.compactMap({ $0 }).enumerated() {
            sqlite3_bind_int64(kept.pointer, CInt(place + 1), value)
          }
          return try connection.rest(of: kept.pointer) as [Book]
        }
      },
      checksum: { Checksum.of($0.joined()) })
  }

  private static func sql(of search: BookSearch) -> String {
    var conditions: [String] = []
    if search.authorId != nil { conditions.append("authorId = ?") }
    if search.publisherId != nil { conditions.append("publisherId = ?") }
    if search.year != nil { conditions.append("year >= ?") }
    let condition = conditions.joined(separator: " AND ")
    return "SELECT * FROM book WHERE \(condition) ORDER BY id LIMIT \(Dataset.bookSearchLimit)"
  }

  /// Opens a connection, and closes it, for each query.
  private func openings() -> Pass {
    let path = Dataset.manyTablesPath(beside: path)
    return Pass {
      let rows = try (0..<Dataset.openingCount).flatMap { _ in
        try Connection(path: path).rows(
          "SELECT * FROM table\(AccessDataset.tableCount) WHERE id = 1"
        ) { Member($0, from: 0) }
      }
      return { Checksum.of(rows) }
    }
  }
}

/// An author with books and counts.
struct Screen: ScreenValues {
  var author: Author
  var books: [Book] = []
  var bookCount = 0
  var recentBookCount = 0
}

/// A prepared statement that lives as long as this object.
final class KeptStatement {
  let pointer: OpaquePointer

  init(_ pointer: OpaquePointer) {
    self.pointer = pointer
  }

  deinit {
    sqlite3_finalize(pointer)
  }
}

extension Connection {
  func kept(_ sql: String) throws -> KeptStatement {
    var statement: OpaquePointer?
    guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK, let statement else {
      throw failure()
    }
    return KeptStatement(statement)
  }

  /// The records of a statement whose parameters are bound.
  @inline(__always)
  func rest<R: Record>(of statement: OpaquePointer) throws -> [R] {
    var records: [R] = []
    while try step(statement) { records.append(R(statement, from: 0)) }
    sqlite3_reset(statement)
    return records
  }

  fileprivate func screen(
    _ key: Int64, _ statement: KeptStatement, _ hasCounts: Bool
  ) throws -> Screen? {
    sqlite3_bind_int64(statement.pointer, 1, key)
    defer { sqlite3_reset(statement.pointer) }
    guard try step(statement.pointer) else { return nil }
    var screen = Screen(author: Author(statement.pointer, from: 0))
    if hasCounts {
      screen.bookCount = Int(integer(statement.pointer, 4))
      screen.recentBookCount = Int(integer(statement.pointer, 5))
    }
    return screen
  }

  fileprivate func count(_ statement: OpaquePointer, _ key: Int64) throws -> Int {
    sqlite3_bind_int64(statement, 1, key)
    defer { sqlite3_reset(statement) }
    return try step(statement) ? Int(integer(statement, 0)) : 0
  }
}
