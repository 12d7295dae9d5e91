import CSQLiteBench
import Harness

/// The version of the SQLite library that runs.
public var sqliteVersion: String {
  String(cString: sqlite3_libversion())
}

/// Makes the database that all contenders share.
public func makeDatabase(path: String) throws {
  let connection = try Connection(path: path)
  let schema = Dataset.schema + Dataset.daySchema + Dataset.articleTables("article")
  for sql in Dataset.pragmas + schema { try connection.execute(sql) }
  try connection.inTransaction {
    try connection.insert(Dataset.players(), into: "player")
    try connection.insertPublishers()
    try connection.insertAuthors()
    try connection.insertBooks()
    try connection.insert(Dataset.members(), into: "member")
    try connection.insert(Dataset.loans(count: Dataset.loanCount), into: "loan")
    try connection.insert(Dataset.loans(count: Dataset.recentLoanCount), into: "recentLoan")
    try connection.insert(Dataset.articles, into: "article")
    try connection.insert(Dataset.receipts, into: "receipt")
    try connection.insert(Dataset.venues, into: "venue")
  }
  try makeAccessFile(
    path: Dataset.manyTablesPath(beside: path),
    AccessDataset.manyTables + [
      "INSERT INTO table\(AccessDataset.tableCount) VALUES (1, 'one', NULL)"
    ])
}

extension Connection {
  fileprivate func insertPublishers() throws {
    try withStatement("INSERT INTO publisher(name) VALUES (?)") { statement in
      for name in Dataset.publishers() {
        try withBound(name, to: statement, at: 1) { try finish(statement) }
      }
    }
  }

  fileprivate func insertAuthors() throws {
    try withStatement("INSERT INTO author VALUES (?, ?, ?, ?)") { statement in
      for author in Dataset.authors() {
        sqlite3_bind_int64(statement, 1, author.id)
        sqlite3_bind_int64(statement, 4, Int64(author.birthYear))
        try withBound(author.name, to: statement, at: 2) {
          try withBound(author.country, to: statement, at: 3) { try finish(statement) }
        }
      }
    }
  }

  fileprivate func insertBooks() throws {
    try withStatement("INSERT INTO book VALUES (?, ?, ?, ?, ?)") { statement in
      for book in Dataset.books() {
        sqlite3_bind_int64(statement, 1, book.id)
        sqlite3_bind_int64(statement, 3, book.authorId)
        sqlite3_bind_int64(statement, 5, Int64(book.year))
        if let publisherId = book.publisherId {
          sqlite3_bind_int64(statement, 4, publisherId)
        } else {
          sqlite3_bind_null(statement, 4)
        }
        try withBound(book.title, to: statement, at: 2) { try finish(statement) }
      }
    }
  }

  private func finish(_ statement: OpaquePointer) throws {
    _ = try step(statement)
    sqlite3_reset(statement)
  }
}
