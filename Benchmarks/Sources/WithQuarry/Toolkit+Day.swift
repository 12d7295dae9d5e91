import Harness

#if PEER
  import GRDB
#else
  import Quarry
#endif

// What an application does all day.

extension Toolkit {
  func dayPass(for line: Line) -> Pass? {
    switch line {
    case .page: reading(pages)
    case .screen: reading(screens)
    case .screenCounts: reading(screensAsOneRequest)
    case .search: reading(bookSearches)
    case .commits: commits
    case .update:
      updating { db, loan in
        try CodableNewLoan.filter(key: loan.id)
          .updateAll(db, Column("days").set(to: loan.days))
      }
    case .updateRecord:
      updating { db, loan in
        try loan.update(db, columns: [Column("days")])
      }
    case .save: saves
    case .values: reading(all(Receipt.self))
    case .dates: reading(all(Dates.self))
    case .uuids: reading(all(Code.self))
    case .decimals: reading(all(Price.self))
    case .valuesInsert:
      writing("newReceipt", NewReceipt.self, insert(Dataset.receipts.map(NewReceipt.init)))
    case .json: reading(all(Venue.self))
    case .jsonInsert: writing("newVenue", NewVenue.self, insert(Dataset.venues.map(NewVenue.init)))
    case .open: openings
    default: macroPass(for: line)
    }
  }

  private var pages: Work<[[CodablePlayer]]> {
    Work(
      { db in
        try (0..<Dataset.pageCount).map { number in
          try CodablePlayer.order(Column("score"), Column("id"))
            .limit(Dataset.pageSize, offset: Dataset.pageOffset(number))
            .fetchAll(db)
        }
      },
      checksum: { Checksum.of($0.joined()) })
  }

  /// Four requests.
  private var screens: Work<[AuthorScreen]> {
    Work(
      { db in
        try Dataset.screenKeys.compactMap { key in
          guard let author = try Author.fetchOne(db, key: key) else { return nil }
          let books = author.request(for: Author.books)
          return AuthorScreen(
            author: author, books: try books.fetchAll(db), bookCount: try books.fetchCount(db),
            recentBookCount: try books.filter(Column("year") >= Dataset.recentYear).fetchCount(db))
        }
      },
      checksum: { Checksum.of($0) })
  }

  private var screensAsOneRequest: Work<[AuthorScreen]> {
    Work(
      { db in
        try Dataset.screenKeys.compactMap { key in
          let recent = Author.books.filter(Column("year") >= Dataset.recentYear)
          return try Author.filter(key: key)
            .annotated(
              with: Author.books.count,
              recent.forKey("recentBooks").count.forKey("recentBookCount")
            )
            .withAggregatesInSubqueries()
            .including(all: Author.books)
            .asRequest(of: AuthorScreen.self)
            .fetchOne(db)
        }
      },
      checksum: { Checksum.of($0) })
  }

  private var bookSearches: Work<[[Book]]> {
    Work(
      { db in
        try Dataset.bookSearches.map { search in
          var request = Book.order(Column("id")).limit(Dataset.bookSearchLimit)
          if let authorId = search.authorId {
            request = request.filter(Column("authorId") == authorId)
          }
          if let publisherId = search.publisherId {
            request = request.filter(Column("publisherId") == publisherId)
          }
          if let year = search.year { request = request.filter(Column("year") >= year) }
          return try request.fetchAll(db)
        }
      },
      checksum: { Checksum.of($0.joined()) })
  }

  private var commits: Pass {
    let loans = Dataset.newLoans.prefix(Dataset.transactionCount).map(CodableNewLoan.init)
    return Pass(
      prepare: { try queue.write { db in try db.execute(sql: "DELETE FROM newLoan") } },
      run: {
        for loan in loans {
          try queue.write { db in try loan.insert(db) }
        }
        return newLoans
      })
  }

  private func updating<Result>(
    _ update: @escaping (Database, CodableNewLoan) throws -> Result
  ) -> Pass {
    let loans = Dataset.updatedLoans.map(CodableNewLoan.init)
    return Pass(
      prepare: { try execute(Dataset.updatableLoans) },
      run: {
        try queue.write { db in
          for loan in loans { _ = try update(db, loan) }
        }
        return newLoans
      })
  }

  func newLoans() throws -> UInt64 {
    try queue.read { db in
      Checksum.of(try IndexedLoan.fetchAll(db, sql: "SELECT * FROM newLoan"))
    }
  }

  private var saves: Pass {
    let players = Dataset.savedPlayers.map(CodableNewcomer.init)
    return Pass(
      prepare: { try execute(Dataset.savedNewcomers) },
      run: {
        try queue.write { db in
          for player in players { try player.save(db) }
        }
        return {
          try queue.read { db in
            Checksum.of(try IndexedPlayer.fetchAll(db, sql: "SELECT * FROM newcomer"))
          }
        }
      })
  }

  /// Opens a connection, and closes it, for each query.
  private var openings: Pass {
    let path = Dataset.manyTablesPath(beside: path)
    return Pass {
      let entries = try (0..<Dataset.openingCount).compactMap { _ in
        try DatabaseQueue(path: path).read { db in try Entry.fetchOne(db, key: 1) }
      }
      return { Checksum.of(entries) }
    }
  }

  func execute(_ statements: [String]) throws {
    try queue.write { db in
      for sql in statements { try db.execute(sql: sql) }
    }
  }
}

#if PEER
  extension QueryInterfaceRequest {
    /// The peer has no such method.
    fileprivate func withAggregatesInSubqueries() -> Self { self }
  }
#endif
