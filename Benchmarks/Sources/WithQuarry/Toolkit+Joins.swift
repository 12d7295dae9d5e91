import Harness

#if PEER
  import GRDB
#else
  import Quarry
#endif

extension Toolkit {
  /// The SQL of the prepared statements, and how many there were. Each is dropped before the next.
  var preparations: Work<(sql: String, count: Int)> {
    Work(
      { db in
        var sql = ""
        for number in 0..<Dataset.preparationCount {
          let request = booksSince(1850 + number % 100)
          sql = try request.makePreparedRequest(db, forSingleResult: false).statement.sql
        }
        return (sql, Dataset.preparationCount)
      },
      checksum: { sql, count in Checksum.of([sql, "\(count)"]) { $0.add($1) } })
  }

  private func booksSince(_ year: Int) -> QueryInterfaceRequest<Book> {
    Book
      .including(required: Book.author)
      .including(optional: Book.publisher)
      .filter(Column("year") >= year)
      .order(Column("title"))
  }
}
