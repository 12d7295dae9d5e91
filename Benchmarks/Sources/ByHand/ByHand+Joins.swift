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

  func booksWithAuthors() -> Pass {
    pairs(
      Book.self, Author.self, parentColumn: 5,
      "SELECT book.*, author.* FROM book JOIN author ON author.id = book.authorId")
  }

  func loansWithMembers() -> Pass {
    pairs(
      Loan.self, Member.self, parentColumn: 4,
      "SELECT recentLoan.*, member.* FROM recentLoan JOIN member ON member.id = recentLoan.memberId"
    )
  }

  private func pairs<Child: Record, Parent: Record>(
    _ child: Child.Type, _ parent: Parent.Type, parentColumn: CInt, _ sql: String
  ) -> Pass {
    reading(
      { connection in
        try connection.rows(sql) {
          Pair(child: Child($0, from: 0), parent: Parent($0, from: parentColumn))
        }
      },
      checksum: { Checksum.of($0) })
  }

  func authorsWithBooks() -> Pass {
    families(
      Author.self, from: "author", \.id, Book.self, from: "book", key: "authorId", \.authorId)
  }

  func membersWithLoans() -> Pass {
    families(
      Member.self, from: "member", \.id, Loan.self, from: "recentLoan", key: "memberId", \.memberId)
  }

  /// Two queries, and a dictionary that finds the parent of a child.
  @inline(__always)
  private func families<Parent: Record, Child: Record>(
    _ parent: Parent.Type, from parents: String, _ parentKey: @escaping (Parent) -> Int64,
    _ child: Child.Type, from children: String, key: String,
    _ childKey: @escaping (Child) -> Int64
  ) -> Pass {
    reading(
      { connection in
        var families = try connection.rows("SELECT * FROM \(parents)") {
          Family<Parent, Child>(parent: Parent($0, from: 0), children: [])
        }
        var indexes: [Int64: Int] = [:]
        indexes.reserveCapacity(families.count)
        for (index, family) in families.enumerated() {
          indexes[parentKey(family.parent)] = index
        }
        let keys = families.map { String(parentKey($0.parent)) }.joined(separator: ",")
        let sql = "SELECT * FROM \(children) WHERE \(key) IN (\(keys))"
        try connection.withStatement(sql) { statement in
          while try connection.step(statement) {
            let child = Child(statement, from: 0)
            if let index = indexes[childKey(child)] { families[index].children.append(child) }
          }
        }
        return families
      },
      checksum: { Checksum.of($0) })
  }
}
