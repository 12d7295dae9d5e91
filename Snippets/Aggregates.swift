// Aggregates: of a table, of groups, of associations.

import Quarry
import QuarryFunctions

var traced = Configuration()
traced.prepareDatabase { db in db.trace { print($0.expandedDescription) } }
let shop = try DatabaseQueue(configuration: traced)

// snippet.records
struct Author: Codable, FetchableRecord, PersistableRecord {
  enum Columns {
    static let name = Column(CodingKeys.name)
    static let country = Column(CodingKeys.country)
  }

  static let books = hasMany(Book.self)
  static let prizes = hasMany(Prize.self)

  var id: Int64
  var name: String
  var country: String
}

struct Book: Codable, FetchableRecord, PersistableRecord {
  enum Columns {
    static let kind = Column(CodingKeys.kind)
    static let price = Column(CodingKeys.price)
  }

  var id: Int64
  var authorId: Int64
  var kind: String
  var price: Double
}

struct Prize: Codable, FetchableRecord, PersistableRecord {
  var id: Int64
  var authorId: Int64
}
// snippet.end

try shop.write { db in
  try db.create(table: "author") { t in
    t.primaryKey("id", .integer)
    t.column("name", .text).notNull()
    t.column("country", .text).notNull()
  }
  try db.create(table: "book") { t in
    t.primaryKey("id", .integer)
    t.belongsTo("author").notNull()
    t.column("kind", .text).notNull()
    t.column("price", .double).notNull()
  }
  try db.create(table: "prize") { t in
    t.primaryKey("id", .integer)
    t.belongsTo("author").notNull()
  }
  try db.execute(
    sql: """
      INSERT INTO author VALUES (1, 'Sachs', 'DE'), (2, 'Austen', 'GB'), (3, 'Woolf', 'GB');
      INSERT INTO book VALUES (1, 1, 'poems', 8), (2, 1, 'play', 10), (3, 3, 'novel', 12);
      INSERT INTO prize VALUES (1, 1), (2, 1), (3, 1);
      """)
}

try shop.read { db in
  // snippet.values
  // SELECT SUM("price") FROM "book"
  let sum = try Book.select({ Quarry.sum($0.price) }, as: Double.self).fetchOne(db)

  // SELECT COUNT(*), COUNT(*) FILTER (WHERE "kind" = 'novel'), MAX("price") FROM "book"
  let row = try Row.fetchOne(
    db, Book.select { [.countAll, count(filter: $0.kind == "novel"), max($0.price)] })
  // snippet.end
  print(sum ?? 0, row ?? [:])

  // snippet.groups
  // SELECT "country", COUNT(*) AS "authors" FROM "author" GROUP BY "country" HAVING COUNT(*) > 1
  struct Country: Decodable, FetchableRecord {
    var country: String
    var authors: Int
  }
  let countries =
    try Author
    .select { [$0.country, .countAll.forKey("authors")] }
    .group { $0.country }
    .having(.countAll > 1)
    .asRequest(of: Country.self)
    .fetchAll(db)
  print(countries.map(\.country))  // ["GB"]
  // snippet.end

  // snippet.detached
  // SELECT "country", COUNT(*) AS "authors" FROM "author" GROUP BY "country"
  // ORDER BY "authors" DESC
  let ranking = try Row.fetchAll(
    db,
    Author
      .select { [$0.country, .countAll.forKey("authors")] }
      .group { $0.country }
      .order(Column("authors").detached.desc))
  print(ranking)  // [[country:"GB" authors:2], [country:"DE" authors:1]]
  // snippet.end

  // snippet.associations
  struct AuthorInfo: Decodable, FetchableRecord {
    var author: Author
    var bookCount: Int
    var prizeCount: Int
    var bookPriceSum: Double?
  }
  let infos =
    try Author
    .annotated(with: Author.books.count, Author.prizes.count, Author.books.sum(\.price))
    .order { $0.name }
    .asRequest(of: AuthorInfo.self)
    .fetchAll(db)
  for info in infos {
    print(info.author.name, info.bookCount, info.prizeCount, info.bookPriceSum ?? 0)
  }
  // snippet.end

  // snippet.having
  // SELECT "author".* … GROUP BY "author"."id" HAVING COUNT(DISTINCT "book"."id") = 0
  let silent = try Author.having(Author.books.isEmpty).fetchAll(db)
  print(silent.map(\.name))  // ["Austen"]
  // snippet.end

  // snippet.keys
  struct Output: Decodable, FetchableRecord {
    var novelCount: Int
    var poemCount: Int
  }
  let outputs =
    try Author
    .annotated(
      with: Author.books.filter { $0.kind == "novel" }.forKey("novels").count,
      Author.books.filter { $0.kind == "poems" }.forKey("poems").count
    )
    .order(Column("poemCount").detached.desc)
    .asRequest(of: Output.self)
    .fetchAll(db)
  print(outputs.map(\.poemCount))  // [1, 0, 0]
  // snippet.end

  // snippet.subqueries
  // … (SELECT COUNT(*) FROM "book" WHERE "book"."authorId" = "author"."id") AS "bookCount" …
  let counted = Author.annotated(with: Author.books.count, Author.prizes.count)
    .withAggregatesInSubqueries()
  print(try counted.fetchAll(db).count)  // 3
  // snippet.end
}
