import Foundation
import Quarry

/// A text that is coded as one value.
struct ISBN: Codable, Equatable {
  var text: String

  init(from decoder: any Decoder) throws {
    text = try decoder.singleValueContainer().decode(String.self)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}

/// A value that is stored in a way of its own.
struct Weight: DatabaseValueConvertible, Codable, Equatable {
  var grams: Int
  var databaseValue: DatabaseValue { grams.databaseValue }
  static func fromDatabaseValue(_ dbValue: DatabaseValue) -> Weight? {
    Int.fromDatabaseValue(dbValue).map { Weight(grams: $0) }
  }
}

struct Shelf: Codable, FetchableRecord, PersistableRecord {
  enum Kind: String, Codable { case fiction, history }
  struct Size: Codable { var width, height: Int }

  var id: Int64?
  var code: UUID
  var kind: Kind
  var otherKind: Kind?
  var label: String?
  var count: Int
  var bonus: Int?
  var ratio: Double
  var isOpen: Bool
  var isLocked: Bool?
  var made: Date
  var seen: Date?
  var image: Data
  var price: Decimal
  var link: URL?
  var isbn: ISBN
  var size: Size
  var tags: [String]
  var initial: String
}

struct Volume: Codable, FetchableRecord, MutablePersistableRecord {
  static let databaseTableName = "volume"
  var id: Int64?
  var title: String
  var pages: Int?
}
