// Records of several tables in one request.

import Quarry

// snippet.records
struct Publisher: Codable, FetchableRecord, PersistableRecord {
  var id: Int64
  var name: String

  enum Columns {
    static let name = Column(CodingKeys.name)
  }
  static let books = hasMany(Book.self)
}

struct Book: Codable, FetchableRecord, PersistableRecord {
  var id: Int64
  var publisherId: Int64?
  var title: String
  var copies: Int

  enum Columns {
    static let title = Column(CodingKeys.title)
    static let copies = Column(CodingKeys.copies)
  }
  static let publisher = belongsTo(Publisher.self)
}
// snippet.end

let queue = try DatabaseQueue()
try queue.write { db in db.trace { print($0, $0.expandedDescription, separator: "\n") } }

try queue.write { db in
  try db.create(table: "publisher") { t in
    t.primaryKey("id", .integer)
    t.column("name", .text).notNull()
  }
  try db.create(table: "book") { t in
    t.primaryKey("id", .integer)
    t.belongsTo("publisher")
    t.column("title", .text).notNull()
    t.column("copies", .integer).notNull()
  }
  try Publisher(id: 1, name: "Meridian").insert(db)
  try Publisher(id: 2, name: "Quayside").insert(db)
  try Book(id: 1, publisherId: 1, title: "Dispossession", copies: 100).insert(db)
  try Book(id: 2, publisherId: 1, title: "Left Hand", copies: 1000).insert(db)
  try Book(id: 3, publisherId: nil, title: "Anonymous", copies: 200).insert(db)
}

// snippet.results
struct BookWithPublisher: Decodable, FetchableRecord {
  var book: Book
  var publisher: Publisher?
}

struct PublisherWithBooks: Decodable, FetchableRecord {
  var publisher: Publisher
  var books: [Book]
}

struct PublisherSize: Decodable, FetchableRecord {
  var bookCount: Int
  var publisher: Publisher
}
// snippet.end

// snippet.requests
try queue.read { db in
  // One query: SELECT "book".*, "publisher".* FROM "book" LEFT JOIN "publisher" ON ...
  let books = try BookWithPublisher.fetchAll(
    db, Book.including(optional: Book.publisher).order { $0.title })
  print(books.map { "\($0.book.title): \($0.publisher?.name ?? "no publisher")" })

  // Two queries, however many publishers there are.
  let publishers = try PublisherWithBooks.fetchAll(
    db, Publisher.including(all: Publisher.books.order { $0.copies.desc }))
  print(publishers.map { "\($0.publisher.name): \($0.books.map(\.title))" })

  // A condition on the other table, through an alias of it.
  let publisher = TableAlias<Publisher>()
  let popular = Book.joining(required: Book.publisher.aliased(publisher))
    .filter { $0.copies > 500 && publisher.name == "Meridian" }
  print(try popular.fetchAll(db).map(\.title))

  // SELECT "publisher".*, COUNT(DISTINCT "book"."id") AS "bookCount" ... GROUP BY "publisher"."id"
  let sizes = try PublisherSize.fetchAll(db, Publisher.annotated(with: Publisher.books.count))
  print(sizes.map { "\($0.publisher.name): \($0.bookCount)" })

  // The children of one record: SELECT COUNT(*) FROM "book" WHERE "publisherId" = 1
  let first = try Publisher.find(db, key: 1)
  print(try first.request(for: Publisher.books).fetchCount(db))
}
// snippet.end

// snippet.first
extension Publisher {
  static let best = books.order { $0.copies.desc }.first().forKey("best")
}

try queue.read { db in
  // ... LEFT JOIN "book" ON "book"."id" = (SELECT "id" FROM "book"
  // WHERE "publisherId" = "publisher"."id" ORDER BY "copies" DESC LIMIT 1)
  struct PublisherWithBest: Decodable, FetchableRecord {
    var publisher: Publisher
    var best: Book?
  }
  let request = Publisher.including(optional: Publisher.best)
  print(try PublisherWithBest.fetchAll(db, request).map { $0.best?.title ?? "none" })

  // The two books of each publisher with most copies.
  let best = Publisher.books.order { $0.copies.desc }.limit(2)
  let publishers = try PublisherWithBooks.fetchAll(db, Publisher.including(all: best))
  print(publishers.map { "\($0.publisher.name): \($0.books.map(\.title))" })
}
// snippet.end

// snippet.trees
struct Section: Codable, FetchableRecord, PersistableRecord {
  var id: Int64
  var parentId: Int64?
  var name: String

  enum Columns {
    static let id = Column(CodingKeys.id)
    static let parentId = Column(CodingKeys.parentId)
    static let name = Column(CodingKeys.name)
  }
  static let parent = belongsTo(Section.self, key: "parent")
  static let children = hasMany(Section.self, key: "children")
}

struct SectionInfo: Decodable, FetchableRecord {
  var section: Section
  var parent: Section?
  var children: [Section]
}
// snippet.end

// snippet.treeRequests
try queue.write { db in
  try db.create(table: "section") { t in
    t.primaryKey("id", .integer)
    t.belongsTo("parent", inTable: "section")
    t.column("name", .text).notNull()
  }
  try Section(id: 1, name: "Fiction").insert(db)
  try Section(id: 2, parentId: 1, name: "Crime").insert(db)
  try Section(id: 3, parentId: 2, name: "Classics").insert(db)
  try Section(id: 4, parentId: 1, name: "Poetry").insert(db)

  // SELECT "section1".*, "section2".* FROM "section" "section1"
  // LEFT JOIN "section" "section2" ON "section2"."id" = "section1"."parentId" ...
  let request = Section.including(optional: Section.parent)
    .including(all: Section.children.order { $0.name })
  for info in try SectionInfo.fetchAll(db, request.order { $0.id }) {
    print(info.section.name, info.parent?.name ?? "-", info.children.map(\.name))
  }
  // Fiction - ["Crime", "Poetry"]
  // Crime Fiction ["Classics"]
  // Classics Crime []
  // Poetry Fiction []

  // The section 3, and all those above it:
  // WITH RECURSIVE "ancestor" AS (SELECT * FROM "section" WHERE "id" = 3
  // UNION SELECT "section".* FROM "section" JOIN "ancestor"
  // ON "section"."id" = "ancestor"."parentId")
  // SELECT * FROM "ancestor"
  let ancestors = CommonTableExpression<Section>(named: "ancestor") { ancestor in
    let below = Section.association(to: ancestor) { section, below in
      section.id == below.parentId
    }
    return Section.filter(key: 3).union(Section.joining(required: below))
  }
  let sections = try ancestors.all().with(ancestors).fetchAll(db)
  print(sections.map(\.name))  // ["Classics", "Crime", "Fiction"]
}
// snippet.end
