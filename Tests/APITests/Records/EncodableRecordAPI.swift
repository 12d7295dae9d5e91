import Foundation
import Quarry

/// A record with its own strategies.
struct Photo: Codable, FetchableRecord, PersistableRecord {
  static let databaseEncodingUserInfo: [CodingUserInfoKey: any Sendable] = [:]

  var id: UUID
  var takenAt: Date
  var data: Data

  static func databaseJSONEncoder(for column: String) -> JSONEncoder { JSONEncoder() }

  static func databaseDataEncodingStrategy(for column: String) -> DatabaseDataEncodingStrategy {
    column == "data" ? .deferredToData : .text
  }

  static func databaseDateEncodingStrategy(for column: String) -> DatabaseDateEncodingStrategy {
    .timeIntervalSince1970
  }

  static func databaseUUIDEncodingStrategy(for column: String) -> DatabaseUUIDEncodingStrategy {
    .lowercaseString
  }

  static var databaseColumnEncodingStrategy: DatabaseColumnEncodingStrategy { .convertToSnakeCase }

  static var databaseDecodingUserInfo: [CodingUserInfoKey: Any] { [:] }

  static func databaseJSONDecoder(for column: String) -> JSONDecoder { JSONDecoder() }

  static func databaseDataDecodingStrategy(for column: String) -> DatabaseDataDecodingStrategy {
    .custom { value in Data.fromDatabaseValue(value) }
  }

  static func databaseDateDecodingStrategy(for column: String) -> DatabaseDateDecodingStrategy {
    .timeIntervalSince1970
  }

  static var databaseColumnDecodingStrategy: DatabaseColumnDecodingStrategy {
    .convertFromSnakeCase
  }
}

func encodableRecord<Record: EncodableRecord>(_ record: Record, _ other: some EncodableRecord)
  throws
{
  let _: [CodingUserInfoKey: Any] = Record.databaseEncodingUserInfo
  let _: JSONEncoder = Record.databaseJSONEncoder(for: "data")
  let _: DatabaseDataEncodingStrategy = Record.databaseDataEncodingStrategy(for: "data")
  let _: DatabaseDateEncodingStrategy = Record.databaseDateEncodingStrategy(for: "date")
  let _: DatabaseUUIDEncodingStrategy = Record.databaseUUIDEncodingStrategy(for: "id")
  let _: DatabaseColumnEncodingStrategy = Record.databaseColumnEncodingStrategy
  let _: [String: DatabaseValue] = try record.databaseDictionary
  let _: Bool = record.databaseEquals(record)
  let _: [String: DatabaseValue] = try record.databaseChanges(from: other)
  var record = record
  let _: [String: DatabaseValue] = try record.databaseChanges { _ in }
  let _: [String: DatabaseValue] = try record.databaseChanges(modify: { _ in
    throw CancellationError()
  })
}

/// Encodes more than its properties.
struct Wrapper: EncodableRecord {
  var player: Player

  func encode(to container: inout PersistenceContainer) throws {
    try player.encode(to: &container)
    container["copy"] = 1
    container["nothing"] = nil
    container[Column("name")] = "Ann"
    container[Columns.score] = nil
    let _: (any DatabaseValueConvertible)? = container["copy"]
    let _: (any DatabaseValueConvertible)? = container[Column("copy")]
    let first: Int = container.startIndex
    let _: Bool = first == container.endIndex
    let (column, value) = container[first]
    let _: (String, DatabaseValue) = (column, value)
    for (column, value) in container {
      let _: (String, DatabaseValue) = (column, value)
    }
  }
}

func encodingStrategies(_ formatter: DateFormatter) {
  let _: [DatabaseDataEncodingStrategy] = [
    .deferredToData, .text, .custom { data in data.base64EncodedString() }, .custom { _ in nil },
  ]
  let _: [DatabaseDateEncodingStrategy] = [
    .deferredToDate, .timeIntervalSinceReferenceDate, .timeIntervalSince1970, .secondsSince1970,
    .millisecondsSince1970, .iso8601, .formatted(formatter),
    .custom { date in date.timeIntervalSince1970 },
  ]
  let _: [DatabaseUUIDEncodingStrategy] = [.deferredToUUID, .uppercaseString, .lowercaseString]
  let _: Set<DatabaseUUIDEncodingStrategy> = [.deferredToUUID]
  let _: [DatabaseColumnEncodingStrategy] = [
    .useDefaultKeys, .convertToSnakeCase, .custom { key in key.stringValue },
  ]
}

func decodingStrategies(_ formatter: DateFormatter) {
  let _: [DatabaseDataDecodingStrategy] = [
    .deferredToData, .custom { value in Data.fromDatabaseValue(value) },
  ]
  let _: [DatabaseDateDecodingStrategy] = [
    .deferredToDate, .timeIntervalSinceReferenceDate, .timeIntervalSince1970,
    .millisecondsSince1970, .iso8601, .formatted(formatter),
    .custom { value in Date.fromDatabaseValue(value) },
  ]
  let _: [DatabaseColumnDecodingStrategy] = [
    .useDefaultKeys, .convertFromSnakeCase,
    .custom { name in PlayerKeys(stringValue: name) ?? .id },
  ]
}
