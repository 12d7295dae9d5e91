import Quarry
import Testing

@Suite struct RegionAlgebraTests {
  private func region(_ sql: String) throws -> DatabaseRegion {
    try withShop { db throws in try db.makeStatement(sql: sql).databaseRegion }
  }

  @Test func `the empty and the full region`() {
    #expect(DatabaseRegion().isEmpty)
    #expect(!DatabaseRegion().isFullDatabase)
    #expect(DatabaseRegion().description == "empty")
    #expect(DatabaseRegion.fullDatabase.isFullDatabase)
    #expect(!DatabaseRegion.fullDatabase.isEmpty)
    #expect(DatabaseRegion.fullDatabase.description == "full database")
  }

  @Test func `the full database wins in unions`() throws {
    let book = try region("SELECT title FROM book")
    #expect(book.union(.fullDatabase) == .fullDatabase)
    #expect(DatabaseRegion.fullDatabase.union(book) == .fullDatabase)
    #expect(DatabaseRegion().union(book) == book)
    #expect(book.union(DatabaseRegion()) == book)
  }

  @Test func `columns and rows are united each for themselves`() throws {
    try withShop { db throws in
      let (id, title, year) = (Column("id"), Column("title"), Column("year"))
      let one = try Book.select(title).filter(id == 1).databaseRegion(db)
      let two = try Book.select(year).filter(id == 2).databaseRegion(db)
      #expect(one.description == "book(id,title)[1]")
      #expect(one.union(two).description == "book(id,title,year)[1,2]")
      #expect(try one.union(Table("book").databaseRegion(db)).description == "book(*)")
      var region = one
      region.formUnion(two)
      #expect(region == two.union(one))
    }
  }

  @Test func `tables are sorted by name in descriptions, columns and rows too`() throws {
    try withShop { db throws in
      let (id, title, year) = (Column("id"), Column("title"), Column("year"))
      let books = try Book.select(year, title).filter([10, 9].contains(id)).databaseRegion(db)
      let region = try books.union(Table("author").databaseRegion(db))
      #expect(region.description == "author(*),book(id,title,year)[9,10]")
    }
  }

  @Test func `names compare regardless of case, and keep their first spelling`() throws {
    let first = try region("SELECT Count(*) FROM Book")
    let second = try region("SELECT COUNT(*) FROM BOOK")
    #expect(first == second)
    #expect(first.description == "Book(*)")
    #expect(first.union(second).description == "Book(*)")
  }

  @Test func `equality compares what regions name`() throws {
    try withShop { db throws in
      let whole = try Table("book").databaseRegion(db)
      #expect(try whole == Table("BOOK").databaseRegion(db))
      #expect(try whole != region("SELECT * FROM book"))
      #expect(whole != DatabaseRegion())
      #expect(whole != DatabaseRegion.fullDatabase)
    }
  }

  @Test func `a region is its own region, and hides in any other`() throws {
    try withShop { db throws in
      let region = DatabaseRegion.fullDatabase
      #expect(try region.databaseRegion(db) == region)
      #expect(try AnyDatabaseRegionConvertible(region).databaseRegion(db) == region)
      let any = AnyDatabaseRegionConvertible { db in try Table("note").databaseRegion(db) }
      #expect(try any.databaseRegion(db).description == "note(*)")
    }
  }
}
