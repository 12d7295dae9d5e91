import Foundation
import Quarry

struct Book: Codable, Equatable, FetchableRecord, PersistableRecord {
  var id: Int64
  var title: String
  var stock: Int

  enum Columns {
    static let title = Column(CodingKeys.title)
    static let stock = Column(CodingKeys.stock)
  }

  static let sales = hasMany(Sale.self)
}

struct Sale: Codable, FetchableRecord, PersistableRecord {
  var bookId: Int64
  var copies: Int
  var date: Date

  enum Columns {
    static let copies = Column(CodingKeys.copies)
    static let date = Column(CodingKeys.date)
  }
}

/// A line of the table: a book with its sales.
struct BookInfo: Decodable, Equatable, FetchableRecord {
  var book: Book
  var sold: Int
  var lastSale: Date?

  /// The books that sell best.
  static func bestSellers(_ count: Int) -> QueryInterfaceRequest<BookInfo> {
    Book
      .annotated(
        with: Book.sales.total(Sale.Columns.copies).forKey("sold"),
        Book.sales.max(Sale.Columns.date).forKey("lastSale")
      )
      .order(Column("sold").detached.desc, Book.Columns.title)
      .limit(count)
      .asRequest(of: BookInfo.self)
  }
}

extension DatabaseMigrator {
  static var shop: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("books and sales") { db in
      try db.create(table: "book") { t in
        t.primaryKey("id", .integer)
        t.column("title", .text).notNull()
        t.column("stock", .integer).notNull().check { $0 >= 0 }
      }
      try db.create(table: "sale") { t in
        t.belongsTo("book").notNull()
        t.column("copies", .integer).notNull()
        t.column("date", .datetime).notNull()
      }
      let titles = [
        "Dracula", "Dubliners", "Emma", "Frankenstein", "Hunger", "Middlemarch", "Orlando",
        "Persuasion", "The Castle", "The Trial", "Ulysses", "Walden",
      ]
      let books = zip(1..., titles).map { Book(id: $0, title: $1, stock: 1000) }
      try Book.insert(db, contentsOf: books)
    }
    return migrator
  }
}
