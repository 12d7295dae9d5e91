import QuarryTestSupport
import Testing

@testable import Quarry

@Suite("Prefetched rows")
struct PrefetchedRowTests {
  private struct Book: FetchableRecord, Hashable {
    var title: String
    init(row: Row) { title = row["title"] }
  }

  /// Three authors with their country. The first one has two books, the second one none, the third
  /// one has one. The country of the second one has one prize.
  private func authors() throws -> [Row] {
    try DatabaseQueue().read { db in
      let tree = RowScopeTree(
        range: 0..<1,
        scopes: [RowScopeTree.Scope(name: "country", tree: RowScopeTree(range: 1..<2))])
      let rows = try Row.fetchAll(
        db, sql: "VALUES (1, 'FR'), (2, 'US'), (3, NULL)", adapter: tree)
      let batch = try #require(rows.first?.batch)
      batch.prefetched = [
        try association(
          db, "books", sql: "SELECT 'a' AS title UNION ALL VALUES ('b'), ('c')",
          starts: [0, 2, 2, 3], order: [2, 0, 1]),
        try association(
          db, "prizes", scope: ["country"], sql: "SELECT 'Nobel' AS title", starts: [0, 0, 1, 1],
          order: [0]),
      ]
      return rows
    }
  }

  private func association(
    _ db: Database, _ key: String, scope: [String] = [], sql: String, starts: [Int32],
    order: [Int32]
  ) throws -> PrefetchedAssociation {
    let children = try db.makeStatement(sql: sql).fetchBatch(adapter: nil)
    return PrefetchedAssociation(
      scopePath: scope, key: key, children: children, layout: children.layout, starts: starts,
      order: order)
  }

  @Test func `Each row has its own rows, in order, or none`() throws {
    let authors = try authors()
    #expect(authors[0].prefetchedRows["books"] == [["title": "c"], ["title": "a"]])
    #expect(authors[1].prefetchedRows["books"] == [])
    #expect(authors[2].prefetchedRows["books"] == [["title": "b"]])
    #expect(authors[0].prefetchedRows["missing"] == nil)
    #expect(authors[0].prefetchedRows.keys == ["books", "prizes"])
    #expect(!authors[1].prefetchedRows.isEmpty)
  }

  @Test func `Rows behind a scope are seen from the scope, and from the main row`() throws {
    let author = try authors()[1]
    #expect(author.prefetchedRows["prizes"] == [["title": "Nobel"]])
    let country = try #require(author.scopes["country"])
    #expect(country.prefetchedRows.keys == ["prizes"])
    #expect(country.prefetchedRows["prizes"] == [["title": "Nobel"]])
    #expect(country.prefetchedRows["books"] == nil)
  }

  @Test func `A copy has them, a row without scopes does not`() throws {
    let author = try authors()[0]
    #expect(author.copy() == author)
    #expect(author.copy().prefetchedRows["books"]?.count == 2)
    #expect(author.unscoped.prefetchedRows.isEmpty)
    #expect(author.unscoped.prefetchedRows.keys == [])
    #expect(author.unscoped != author)
    #expect(author.unscoped.hashValue == author.hashValue)
  }

  @Test func `They make a difference`() throws {
    #expect(try authors() == authors())
    let left = try authors()[0]
    let right = try authors()[0]
    right.batch?.prefetched.removeLast()
    #expect(left != right)
    #expect(left.prefetchedRows != right.prefetchedRows)
  }

  @Test func `They are counted in the debug description, by key`() throws {
    let authors = try authors()
    #expect(
      authors[0].debugDescription == """
        ▿ [column1:1]
          unadapted: [column1:1 column2:"FR"]
          - country: [column2:"FR"]
            + prizes: 0 row
          + books: 2 rows
          + prizes: 0 row
        """)
    #expect(
      authors[1].debugDescription == """
        ▿ [column1:2]
          unadapted: [column1:2 column2:"US"]
          - country: [column2:"US"]
            + prizes: 1 row
          + books: 0 row
          + prizes: 1 row
        """)
  }

  @Test func `A key of several scopes is shown once, with the nearest rows`() throws {
    let author = try authors()[0]
    let batch = try #require(author.batch)
    let countryBooks = try DatabaseQueue().read { db in
      try association(
        db, "books", scope: ["country"], sql: "SELECT 'd' AS title", starts: [0, 1, 1, 1],
        order: [0])
    }
    batch.prefetched.append(countryBooks)
    #expect(
      author.debugDescription == """
        ▿ [column1:1]
          unadapted: [column1:1 column2:"FR"]
          - country: [column2:"FR"]
            + books: 1 row
            + prizes: 0 row
          + books: 2 rows
          + prizes: 0 row
        """)
  }

  @Test func `They are decoded as arrays and sets of records`() throws {
    let authors = try authors()
    #expect((authors[0]["books"] as [Book]).map(\.title) == ["c", "a"])
    #expect((authors[0]["books"] as Set<Book>).map(\.title).sorted() == ["a", "c"])
    #expect(authors[1]["books"] as [Book] == [])
    #expect(try authors[2].decode([Book].self, forKey: "books").map(\.title) == ["b"])
    #expect(try authors[2].decode(Set<Book>.self, forKey: "books").map(\.title) == ["b"])
    #expect((authors[1]["prizes"] as ContiguousArray<Book>).map(\.title) == ["Nobel"])
  }

  @Test func `A missing key is an error, with those that exist`() throws {
    let author = try authors()[0]
    #expect(
      errorText { try author.decode([Book].self, forKey: "zork") } == """
        key for prefetched rows not found: "zork" - available keys: ["books", "prizes"]
        an association has the key of its table: `key: "zork"` in its definition, or \
        `forKey("zork")`, changes it; or else `including(all:)` is missing
        - row: [column1:1], sql: `VALUES (1, 'FR'), (2, 'US'), (3, NULL)`
        """)
  }

  @Test func `A record that can't be decoded is an error`() throws {
    struct Numbered: FetchableRecord, Hashable {
      var number: Int
      init(row: Row) { number = row["title"] }
    }
    let author = try authors()[0]
    let texts = [
      errorText { try author.decode([Numbered].self, forKey: "books") },
      errorText { try author.decode(Set<Numbered>.self, forKey: "books") },
    ]
    for text in texts {
      #expect(
        text?.hasPrefix(
          """
          could not decode Int from database value "c" - column: "title", column index: 0, \
          row: [title:"c"]
          """) == true)
    }
    #expect(author["books"] as [Book] != [])
  }

  @Test func `Rows that are kept while records are decoded keep their values`() throws {
    struct Keeper: FetchableRecord {
      var row: Row
    }
    let author = try authors()[0]
    let rows = (author["books"] as [Keeper]).map(\.row)
    #expect(rows == [["title": "c"], ["title": "a"]])
  }
}
