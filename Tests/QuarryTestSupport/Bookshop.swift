public import Quarry

// The record types of the examples, over the tables of `LiteralSchemaReader.bookshop`.

public struct Author: Codable, Hashable, Identifiable, Sendable, FetchableRecord, PersistableRecord
{
  public enum Columns {
    public static let id = Column("id")
    public static let name = Column("name")
    public static let country = Column("country")
    public static let birthYear = Column("birthYear")
  }

  public static let books = hasMany(Book.self)
  public static let oneBook = hasOne(Book.self)
  public static let reviews = hasMany(Review.self, through: books, using: Book.reviews)
  public static let publishers = hasMany(Publisher.self, through: books, using: Book.publisher)

  public var id: Int64
  public var name: String?
  public var country: String?
  public var birthYear: Int?

  public init(id: Int64, name: String? = nil, country: String? = nil, birthYear: Int? = nil) {
    self.id = id
    self.name = name
    self.country = country
    self.birthYear = birthYear
  }
}

public struct Publisher: Codable, Hashable, Identifiable, Sendable, FetchableRecord,
  PersistableRecord
{
  public static let books = hasMany(Book.self)

  public var id: Int64
  public var name: String?
  public var city: String?

  public init(id: Int64, name: String? = nil, city: String? = nil) {
    self.id = id
    self.name = name
    self.city = city
  }
}

public struct Book: Codable, Hashable, Identifiable, Sendable, FetchableRecord, PersistableRecord {
  public enum Columns {
    public static let id = Column("id")
    public static let title = Column("title")
    public static let year = Column("year")
    public static let price = Column("price")
    public static let authorId = Column("authorId")
    public static let publisherId = Column("publisherId")
  }

  public static let author = belongsTo(Author.self)
  public static let publisher = belongsTo(Publisher.self)
  public static let reviews = hasMany(Review.self)

  public var id: Int64
  public var title: String?
  public var year: Int?
  public var price: Double?
  public var authorId: Int64?
  public var publisherId: Int64?

  public init(
    id: Int64, title: String? = nil, year: Int? = nil, price: Double? = nil,
    authorId: Int64? = nil, publisherId: Int64? = nil
  ) {
    self.id = id
    self.title = title
    self.year = year
    self.price = price
    self.authorId = authorId
    self.publisherId = publisherId
  }
}

public struct Review: Codable, Hashable, Identifiable, Sendable, FetchableRecord,
  PersistableRecord
{
  public static let book = belongsTo(Book.self)
  public static let author = hasOne(Author.self, through: book, using: Book.author)

  public var id: Int64
  public var bookId: Int64?
  public var score: Int?
  public var body: String?

  public init(id: Int64, bookId: Int64? = nil, score: Int? = nil, body: String? = nil) {
    self.id = id
    self.bookId = bookId
    self.score = score
    self.body = body
  }
}

public struct Country: Codable, Hashable, Sendable, FetchableRecord, PersistableRecord {
  public var code: String
  public var name: String?

  public init(code: String, name: String? = nil) {
    self.code = code
    self.name = name
  }
}

public struct Stock: Codable, Hashable, Sendable, FetchableRecord, PersistableRecord {
  public static let moves = hasMany(StockMove.self)

  public var shop: String
  public var isbn: String
  public var qty: Int?

  public init(shop: String, isbn: String, qty: Int? = nil) {
    self.shop = shop
    self.isbn = isbn
    self.qty = qty
  }
}

public struct StockMove: Codable, Hashable, Identifiable, Sendable, FetchableRecord,
  PersistableRecord
{
  public static let stock = belongsTo(Stock.self)

  public var id: Int64
  public var shop: String?
  public var isbn: String?
  public var delta: Int?

  public init(id: Int64, shop: String? = nil, isbn: String? = nil, delta: Int? = nil) {
    self.id = id
    self.shop = shop
    self.isbn = isbn
    self.delta = delta
  }
}

public struct Shelf: Codable, Hashable, Sendable, FetchableRecord, PersistableRecord {
  public var room: String
  public var num: Int
  public var label: String?

  public init(room: String, num: Int, label: String? = nil) {
    self.room = room
    self.num = num
    self.label = label
  }
}

public struct TagName: Codable, Hashable, Sendable, FetchableRecord, PersistableRecord {
  public var name: String

  public init(name: String) {
    self.name = name
  }
}

public struct Note: Codable, Hashable, Sendable, FetchableRecord, PersistableRecord {
  public var text: String?

  public init(text: String? = nil) {
    self.text = text
  }
}

public struct Member: Codable, Hashable, Sendable, FetchableRecord, PersistableRecord {
  public var email: String?
  public var nick: String?

  public init(email: String? = nil, nick: String? = nil) {
    self.email = email
    self.nick = nick
  }
}

public struct Employee: Codable, Hashable, Identifiable, Sendable, FetchableRecord,
  PersistableRecord
{
  public static let manager = belongsTo(Employee.self, key: "manager")
  public static let subordinates = hasMany(Employee.self, key: "subordinates")

  public var id: Int64
  public var name: String?
  public var managerId: Int64?

  public init(id: Int64, name: String? = nil, managerId: Int64? = nil) {
    self.id = id
    self.name = name
    self.managerId = managerId
  }
}

/// A record on a view without key.
public struct Bestseller: Codable, Hashable, Identifiable, Sendable, FetchableRecord, TableRecord {
  public var id: Int64
  public var title: String?
  public var year: Int?
}
