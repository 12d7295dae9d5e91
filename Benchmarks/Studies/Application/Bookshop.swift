import Foundation

#if PEER
  import GRDB
#else
  import Quarry
#endif

// The records that the filters are about.

struct Writer: Codable, FetchableRecord, PersistableRecord {
  static let novels = hasMany(Novel.self)

  enum Columns {
    static let id = Column(CodingKeys.id)
    static let name = Column(CodingKeys.name)
    static let country = Column(CodingKeys.country)
    static let bornAt = Column(CodingKeys.bornAt)
    static let diedAt = Column(CodingKeys.diedAt)
  }

  var id: Int64
  var name: String
  var country: String?
  var bornAt: Date
  var diedAt: Date?
}

struct Novel: Codable, FetchableRecord, PersistableRecord {
  static let writer = belongsTo(Writer.self)
  static let opinions = hasMany(Opinion.self)
  static let positions = hasMany(Position.self)

  enum Columns {
    static let id = Column(CodingKeys.id)
    static let title = Column(CodingKeys.title)
    static let subtitle = Column(CodingKeys.subtitle)
    static let writerId = Column(CodingKeys.writerId)
    static let year = Column(CodingKeys.year)
    static let pages = Column(CodingKeys.pages)
    static let price = Column(CodingKeys.price)
    static let discount = Column(CodingKeys.discount)
    static let stock = Column(CodingKeys.stock)
    static let isOrdered = Column(CodingKeys.isOrdered)
    static let language = Column(CodingKeys.language)
    static let publishedAt = Column(CodingKeys.publishedAt)
  }

  var id: Int64
  var title: String
  var subtitle: String?
  var writerId: Int64
  var year: Int
  var pages: Int
  var price: Double
  var discount: Double?
  var stock: Int
  var isOrdered: Bool
  var language: Language
  var publishedAt: Date
}

enum Language: String, Codable, DatabaseValueConvertible {
  case english, french, german, spanish
}

struct Opinion: Codable, FetchableRecord, PersistableRecord {
  static let novel = belongsTo(Novel.self)
  static let reader = belongsTo(Reader.self)

  enum Columns {
    static let id = Column(CodingKeys.id)
    static let novelId = Column(CodingKeys.novelId)
    static let readerId = Column(CodingKeys.readerId)
    static let stars = Column(CodingKeys.stars)
    static let text = Column(CodingKeys.text)
    static let writtenAt = Column(CodingKeys.writtenAt)
  }

  var id: Int64
  var novelId: Int64
  var readerId: Int64
  var stars: Int
  var text: String?
  var writtenAt: Date
}

struct Reader: Codable, FetchableRecord, PersistableRecord {
  static let purchases = hasMany(Purchase.self)
  static let opinions = hasMany(Opinion.self)

  enum Columns {
    static let id = Column(CodingKeys.id)
    static let firstName = Column(CodingKeys.firstName)
    static let lastName = Column(CodingKeys.lastName)
    static let email = Column(CodingKeys.email)
    static let city = Column(CodingKeys.city)
    static let points = Column(CodingKeys.points)
    static let isBlocked = Column(CodingKeys.isBlocked)
    static let joinedAt = Column(CodingKeys.joinedAt)
  }

  var id: Int64
  var firstName: String
  var lastName: String
  var email: String?
  var city: String
  var points: Int
  var isBlocked: Bool
  var joinedAt: Date
}

struct Purchase: Codable, FetchableRecord, PersistableRecord {
  static let reader = belongsTo(Reader.self)
  static let positions = hasMany(Position.self)

  enum Columns {
    static let id = Column(CodingKeys.id)
    static let code = Column(CodingKeys.code)
    static let readerId = Column(CodingKeys.readerId)
    static let state = Column(CodingKeys.state)
    static let shipping = Column(CodingKeys.shipping)
    static let orderedAt = Column(CodingKeys.orderedAt)
    static let paidAt = Column(CodingKeys.paidAt)
    static let sentAt = Column(CodingKeys.sentAt)
  }

  enum State: String, Codable, DatabaseValueConvertible {
    case open, paid, sent, returned
  }

  var id: Int64
  var code: UUID
  var readerId: Int64
  var state: State
  var shipping: Double
  var orderedAt: Date
  var paidAt: Date?
  var sentAt: Date?
}

struct Position: Codable, FetchableRecord, PersistableRecord {
  static let purchase = belongsTo(Purchase.self)
  static let novel = belongsTo(Novel.self)

  enum Columns {
    static let id = Column(CodingKeys.id)
    static let purchaseId = Column(CodingKeys.purchaseId)
    static let novelId = Column(CodingKeys.novelId)
    static let count = Column(CodingKeys.count)
    static let unitPrice = Column(CodingKeys.unitPrice)
    static let discount = Column(CodingKeys.discount)
  }

  var id: Int64
  var purchaseId: Int64
  var novelId: Int64
  var count: Int
  var unitPrice: Double
  var discount: Double?
}
