import Quarry
import QuarryRecords
import QuarryTestSupport
import Testing

private typealias AuthorInfo = Shop.AuthorInfo

/// Books whose positions are unique in their author.
struct GraphOrderTests {
  private func info(_ titles: String...) -> AuthorInfo {
    AuthorInfo(
      author: ShopAuthor(name: "Eliot"),
      books: titles.enumerated().map { ShopBook(title: $1, position: $0) })
  }

  private func renumber(_ info: inout AuthorInfo) {
    for index in info.books.indices { info.books[index].position = index }
  }

  private func positions(_ db: Database) throws -> [String] {
    try db.texts("SELECT title FROM book WHERE authorId = 3 ORDER BY position")
  }

  @Test func `positions move by one place, in both directions`() throws {
    try withShop { db, _ throws in
      var info = info("A", "B", "C", "D")
      try info.save(db, AuthorInfo.graph(.delete))
      info.books.insert(ShopBook(title: "Z"), at: 0)
      renumber(&info)
      try info.save(db, AuthorInfo.graph(.delete))
      #expect(try positions(db) == ["Z", "A", "B", "C", "D"])

      info.books.remove(at: 1)
      renumber(&info)
      try info.save(db, AuthorInfo.graph(.delete))
      #expect(try positions(db) == ["Z", "B", "C", "D"])

      info.books.remove(at: 0)
      info.books.insert(ShopBook(title: "Y"), at: 2)
      renumber(&info)
      try info.save(db, AuthorInfo.graph(.delete))
      #expect(try positions(db) == ["B", "C", "Y", "D"])
    }
  }

  @Test func `a list that moves takes two rounds of updates`() throws {
    try withShop { db, recorder throws in
      var info = AuthorInfo(
        author: ShopAuthor(name: "Eliot"),
        books: (0..<20).map { (n: Int) in ShopBook(title: "\(n)", position: n) })
      try info.save(db, AuthorInfo.graph(.delete))
      info.books.insert(ShopBook(title: "first"), at: 0)
      renumber(&info)
      _ = recorder.take()
      try info.save(db, AuthorInfo.graph(.delete))
      #expect(recorder.takeWrites().count { $0.hasPrefix("UPDATE") } == 20 + 19)
      #expect(try positions(db).prefix(3) == ["first", "0", "1"])
    }
  }

  @Test func `a new record takes the unique columns of one that is removed`() throws {
    try withShop { db, _ throws in
      var info = info("A", "B")
      try info.save(db, AuthorInfo.graph(.delete))
      info.books[0] = ShopBook(title: "A", position: 0)
      try info.save(db, AuthorInfo.graph(.delete))
      #expect(try positions(db) == ["A", "B"])
    }
  }

  @Test func `records that exchange positions are not saved`() throws {
    try withShop { db, _ throws in
      var info = info("A", "B")
      try info.save(db, AuthorInfo.graph(.delete))
      (info.books[0].position, info.books[1].position) = (1, 0)
      let before = info
      let error = graphError { try info.save(db, AuthorInfo.graph(.delete)) }
      #expect(error?.path == "author.books[0]")
      let constraint = (error?.underlyingError as? DatabaseError)?.constraint
      #expect(constraint?.columns == ["authorId", "position"])
      #expect(info == before)
      #expect(try positions(db) == ["A", "B"])

      // The way out: positions that nobody has, and then the new ones.
      try db.inSavepoint {
        var free = info
        for index in free.books.indices { free.books[index].position = -1 - index }
        try free.save(db, AuthorInfo.graph(.delete))
        try info.save(db, AuthorInfo.graph(.delete))
        return .commit
      }
      #expect(try positions(db) == ["B", "A"])
    }
  }
}
