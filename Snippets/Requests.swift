// Requests: filters, orders, selections, subqueries, changes of many rows.

import Quarry
import QuarryFunctions
import QuarryPages

var traced = Configuration()
traced.prepareDatabase { db in db.trace { print($0.expandedDescription) } }
let shop = try DatabaseQueue(configuration: traced)

struct Author: Codable, FetchableRecord, PersistableRecord {
  enum Columns {
    static let id = Column(CodingKeys.id)
    static let firstName = Column(CodingKeys.firstName)
    static let lastName = Column(CodingKeys.lastName)
  }

  var id: Int64
  var firstName: String
  var lastName: String
}

struct Book: Codable, FetchableRecord, PersistableRecord {
  enum Columns {
    static let id = Column(CodingKeys.id)
    static let authorId = Column(CodingKeys.authorId)
    static let title = Column(CodingKeys.title)
    static let price = Column(CodingKeys.price)
    static let year = Column(CodingKeys.year)
  }

  var id: Int64
  var authorId: Int64
  var title: String
  var price: Double
  var year: Int?
}

try shop.write { db in
  try db.create(table: "author") { t in
    t.primaryKey("id", .integer)
    t.column("firstName", .text).notNull()
    t.column("lastName", .text).notNull()
  }
  try db.create(table: "book") { t in
    t.primaryKey("id", .integer)
    t.belongsTo("author").notNull()
    t.column("title", .text).notNull()
    t.column("price", .double).notNull()
    t.column("year", .integer)
  }
  try Author.insert(
    db,
    contentsOf: [
      Author(id: 1, firstName: "Franz", lastName: "Kafka"),
      Author(id: 2, firstName: "Jane", lastName: "Austen"),
      Author(id: 3, firstName: "Nelly", lastName: "Sachs"),
    ])
  try Book.insert(
    db,
    contentsOf: [
      Book(id: 1, authorId: 1, title: "The Trial", price: 12, year: 1925),
      Book(id: 2, authorId: 2, title: "Emma", price: 9, year: 1815),
      Book(id: 3, authorId: 2, title: "Persuasion", price: 11, year: 1817),
      Book(id: 4, authorId: 1, title: "Letters", price: 30, year: nil),
    ])
}

try shop.write { db in
  // snippet.build
  // SELECT * FROM "book" WHERE ("price" < 20) AND ("year" IS NOT NULL) ORDER BY "price" DESC
  // LIMIT 2
  let request =
    Book
    .filter { $0.price < 20 && $0.year != nil }
    .order { $0.price.desc }
    .limit(2)
  print(try request.fetchAll(db).map(\.title))  // ["The Trial", "Persuasion"]
  // snippet.end

  // snippet.conditional
  func books(by author: Int64?, titled text: String?) -> QueryInterfaceRequest<Book> {
    var request = Book.order { $0.title }
    if let author { request = request.filter { $0.authorId == author } }
    if let text { request = request.filter { $0.title.like("%\(text)%") } }
    return request
  }
  // SELECT * FROM "book" WHERE ("authorId" = 2) AND ("title" LIKE '%mm%') ORDER BY "title"
  print(try books(by: 2, titled: "mm").fetchAll(db).map(\.title))  // ["Emma"]
  // snippet.end

  // snippet.select
  // SELECT "title" FROM "book" ORDER BY "id"
  let titles = try Book.order { $0.id }.select(\.title, as: String.self).fetchAll(db)

  // SELECT "title", ROUND("price" * 1.07, 2) AS "gross", 'EUR' AS "currency" FROM "book"
  struct Price: Decodable, FetchableRecord {
    var title: String
    var gross: Double
    var currency: String
  }
  let prices = try Book.select {
    [$0.title, round($0.price * 1.07, 2).forKey("gross"), "EUR".databaseValue.forKey("currency")]
  }.asRequest(of: Price.self).fetchAll(db)
  // snippet.end
  print(titles, prices[0])

  // snippet.text
  // SELECT "firstName" || ' ' || "lastName" FROM "author" ORDER BY "id"
  let names =
    try Author
    .order { $0.id }
    .select(
      { [$0.firstName, " ".databaseValue, $0.lastName].joined(operator: .concat) },
      as: String.self
    )
    .fetchAll(db)
  print(names)  // ["Franz Kafka", "Jane Austen", "Nelly Sachs"]
  // snippet.end

  // snippet.subquery
  // SELECT * FROM "book" WHERE "price" = (SELECT MAX("price") FROM "book")
  let dearest = try Book.filter { $0.price == Book.select { max($0.price) } }.fetchAll(db)

  // SELECT * FROM "book" WHERE "authorId" IN (SELECT "id" FROM "author"
  // WHERE "lastName" = 'Austen')
  let austen = Author.filter { $0.lastName == "Austen" }.select(\.id)
  let novels = try Book.filter { austen.contains($0.authorId) }.fetchAll(db)
  // snippet.end
  print(dearest.map(\.title), novels.map(\.title))

  // snippet.exists
  // SELECT * FROM "author" WHERE NOT EXISTS (SELECT * FROM "book" WHERE "authorId" = "author"."id")
  let author = TableAlias<Author>()
  let books = Book.filter { $0.authorId == author.id }
  let silent = try Author.aliased(author).filter(!books.exists()).fetchAll(db)
  print(silent.map(\.lastName))  // ["Sachs"]
  // snippet.end

  // snippet.scalar
  // SELECT "lastName", (SELECT MAX("price") FROM "book"
  // WHERE "authorId" = "author"."id") AS "highest"
  // FROM "author" ORDER BY "id"
  let highest = try Row.fetchAll(
    db,
    Author.aliased(author)
      .select { [$0.lastName, books.select { max($0.price) }.forKey("highest")] }
      .order { $0.id })
  // snippet.end
  print(highest)

  // snippet.page
  let byPrice = Book.order { $0.price }
  let first = try byPrice.page(limit: 2).fetch(db)
  print(first.records.map(\.title))  // ["Emma", "Persuasion"]

  // SELECT *, … FROM "book" WHERE ("price", "id") > (11.0, 3) ORDER BY "price", "id" LIMIT 3
  let second = try byPrice.page(after: first.next, limit: 2).fetch(db)
  print(second.records.map(\.title))  // ["The Trial", "Letters"]
  print(second.next == nil)  // true

  // SELECT *, … WHERE ("price", "id") < (12.0, 1) ORDER BY "price" DESC, "id" DESC LIMIT 3
  let back = try byPrice.page(before: second.previous, limit: 2).fetch(db)
  print(back.records.map(\.title))  // ["Emma", "Persuasion"]
  // snippet.end

  // snippet.cursor
  // A link to the next page, and the page that it leads to
  if let text = first.next?.text {
    let page = try byPrice.page(after: PageCursor(text), limit: 2).fetch(db)
    print(page.records.map(\.title))  // ["The Trial", "Letters"]
  }
  // snippet.end

  // snippet.update
  // UPDATE "book" SET "price" = "price" * 0.9 WHERE "year" < 1900
  let reduced = try Book.filter { $0.year < 1900 }.updateAll(db) { [$0.price *= 0.9] }
  print(reduced)  // 2

  // DELETE FROM "book" WHERE "year" IS NULL
  try Book.filter { $0.year == nil }.deleteAll(db)
  // snippet.end
}
