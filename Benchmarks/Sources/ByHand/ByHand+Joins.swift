import CSQLiteBench
import Harness

extension ByHand {
  /// The SQL that the toolkits must come to, letter by letter.
  private static let joinedSQL = """
    SELECT "book".*, "author".*, "publisher".* FROM "book" \
    JOIN "author" ON "author"."id" = "book"."authorId" \
    LEFT JOIN "publisher" ON "publisher"."id" = "book"."publisherId" \
    WHERE "book"."year" >= ? ORDER BY "book"."title"
    """

  func preparations() -> Pass {
    reading(
      { connection in
        var bound = 0
        for number in 0..<Dataset.preparationCount {
          try connection.withStatement(Self.joinedSQL) { statement in
            let year = Int64(1850 + number % 100)
            if sqlite3_bind_int64(statement, 1, year) == SQLITE_OK { bound += 1 }
          }
        }
        return bound
      },
      checksum: { bound in Checksum.of([Self.joinedSQL, "\(bound)"]) { $0.add($1) } })
  }

  func pairs() -> Pass {
    let sql = """
      SELECT book.*, author.* FROM book JOIN author ON author.id = book.authorId
      """
    return reading(
      { connection in
        try connection.rows(sql) { BookInfo(book: Book($0), author: Author($0, from: 5)) }
      },
      checksum: {
        Checksum.of($0) { checksum, info in
          checksum.add(info.book)
          checksum.add(info.author)
        }
      })
  }

  /// Two queries, and a dictionary that finds the parent of a child.
  func authorsWithBooks() -> Pass {
    reading(
      { connection in
        var infos = try connection.rows("SELECT * FROM author") {
          AuthorInfo(author: Author($0), books: [])
        }
        var indexes: [Int64: Int] = [:]
        indexes.reserveCapacity(infos.count)
        for (index, info) in infos.enumerated() {
          indexes[info.author.id] = index
        }
        let keys = infos.map { String($0.author.id) }.joined(separator: ",")
        let sql = "SELECT * FROM book WHERE authorId IN (\(keys))"
        try connection.withStatement(sql) { statement in
          while try connection.step(statement) {
            let book = Book(statement)
            if let index = indexes[book.authorId] { infos[index].books.append(book) }
          }
        }
        return infos
      },
      checksum: {
        Checksum.of($0) { checksum, info in
          checksum.add(info.author)
          for book in info.books {
            checksum.add(book)
          }
        }
      })
  }
}
