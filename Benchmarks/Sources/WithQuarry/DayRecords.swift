import Foundation
import Harness

#if PEER
  import GRDB
#else
  import Quarry
#endif

// Records whose columns have no storage class of their own.

struct Receipt: Codable, FetchableRecord, PersistableRecord, ReceiptValues {
  var id: Int64
  var code: UUID
  var paidAt: Date
  var refundedAt: Date?
  var price: Decimal
}

struct NewReceipt: Codable, FetchableRecord, PersistableRecord, ReceiptValues {
  var id: Int64
  var code: UUID
  var paidAt: Date
  var refundedAt: Date?
  var price: Decimal

  init(_ facts: ReceiptFacts) {
    id = facts.id
    code = facts.code
    paidAt = facts.paidAt
    refundedAt = facts.refundedAt
    price = facts.price
  }
}

// One kind of these values each.

struct Dates: Codable, FetchableRecord, TableRecord, DatesValues {
  static let databaseTableName = "receipt"
  static var databaseSelection: [any SQLSelectable] {
    [Column("paidAt"), Column("refundedAt")]
  }

  var paidAt: Date
  var refundedAt: Date?
}

struct Code: Codable, FetchableRecord, TableRecord, CodeValues {
  static let databaseTableName = "receipt"
  static var databaseSelection: [any SQLSelectable] { [Column("code")] }

  var code: UUID
}

struct Price: Codable, FetchableRecord, TableRecord, PriceValues {
  static let databaseTableName = "receipt"
  static var databaseSelection: [any SQLSelectable] { [Column("price")] }

  var price: Decimal
}

/// With a JSON column.
struct Venue: Codable, FetchableRecord, PersistableRecord, VenueValues {
  var id: Int64
  var address: Address
}

struct NewVenue: Codable, FetchableRecord, PersistableRecord, VenueValues {
  var id: Int64
  var address: Address

  init(_ facts: VenueFacts) {
    id = facts.id
    address = facts.address
  }
}

/// An author with books and counts.
struct AuthorScreen: Decodable, FetchableRecord, ScreenValues {
  var author: Author
  var books: [Book]
  var bookCount: Int
  var recentBookCount: Int
}

/// A row of one of many tables.
struct Entry: Codable, FetchableRecord, TableRecord, MemberValues {
  static let databaseTableName = "table\(AccessDataset.tableCount)"

  var id: Int64
  var name: String
}
