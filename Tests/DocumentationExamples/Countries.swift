// Countries, their citizens, and chats.

import Foundation
import Quarry

struct Country: Codable, FetchableRecord, PersistableRecord {
  var code: String
  var name: String
}

struct Profile: Codable, FetchableRecord, PersistableRecord {
  var countryCode: String
}

struct Citizen: Codable, FetchableRecord, PersistableRecord {
  var id: Int64
}

struct Passport: Codable, FetchableRecord, PersistableRecord {
  static let citizen = belongsTo(Citizen.self)
  var citizenId: Int64
  var countryCode: String
}

struct Citizenship: Codable, FetchableRecord, PersistableRecord {
  var citizenId: Int64
  var countryCode: String
}

struct Chat: Codable, FetchableRecord, PersistableRecord {
  var id: Int64
}

struct Message: Codable, FetchableRecord, PersistableRecord {
  var chatId: Int64
  var date: Date
}

let france = Country(code: "FR", name: "France")
let italy = Country(code: "IT", name: "Italy")
