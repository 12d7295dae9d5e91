import Foundation
import QuarryMacros

// The records that the filters are about.

@Record struct Writer {
  static let novels = hasMany(Novel.self)

  @PrimaryKey var id: Int64
  var name: String
  var country: String?
  var bornAt: Date
  var diedAt: Date?
}

@Record struct Novel {
  static let writer = belongsTo(Writer.self)
  static let opinions = hasMany(Opinion.self)
  static let positions = hasMany(Position.self)

  @PrimaryKey var id: Int64
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

@Record struct Opinion {
  static let novel = belongsTo(Novel.self)
  static let reader = belongsTo(Reader.self)

  @PrimaryKey var id: Int64
  var novelId: Int64
  var readerId: Int64
  var stars: Int
  var text: String?
  var writtenAt: Date
}

@Record struct Reader {
  static let purchases = hasMany(Purchase.self)
  static let opinions = hasMany(Opinion.self)

  @PrimaryKey var id: Int64
  var firstName: String
  var lastName: String
  var email: String?
  var city: String
  var points: Int
  var isBlocked: Bool
  var joinedAt: Date
}

@Record struct Purchase {
  static let reader = belongsTo(Reader.self)
  static let positions = hasMany(Position.self)

  enum State: String, Codable, DatabaseValueConvertible {
    case open, paid, sent, returned
  }

  @PrimaryKey var id: Int64
  var code: UUID
  var readerId: Int64
  var state: State
  var shipping: Double
  var orderedAt: Date
  var paidAt: Date?
  var sentAt: Date?
}

@Record struct Position {
  static let purchase = belongsTo(Purchase.self)
  static let novel = belongsTo(Novel.self)

  @PrimaryKey var id: Int64
  var purchaseId: Int64
  var novelId: Int64
  var count: Int
  var unitPrice: Double
  var discount: Double?
}
