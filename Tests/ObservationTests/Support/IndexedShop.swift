import Quarry

/// The modules whose tables can follow another one.
enum IndexModule: String, CaseIterable, Sendable {
  case fts4, fts5
}

extension Database {
  /// Creates the full-text table `ft` over the titles of books.
  func createTitleIndex(_ module: IndexModule) throws {
    switch module {
    case .fts4:
      try create(virtualTable: "ft", using: FTS4()) { t in
        t.synchronize(withTable: "book")
        t.column("title")
      }
    case .fts5:
      try create(virtualTable: "ft", using: FTS5()) { t in
        t.synchronize(withTable: "book")
        t.column("title")
      }
    }
  }
}

/// Calls `body` with a new shop whose titles are indexed.
func withIndexedShop<T>(_ module: IndexModule, _ body: (Database) throws -> T) throws -> T {
  try withShop { db in
    try db.createTitleIndex(module)
    return try body(db)
  }
}
