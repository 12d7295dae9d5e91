import QuarryMacros

@Record struct Author: Codable {
  @PrimaryKey var id: Int64?
  var name: String
  var countryCode: String
  var born: Int
  var died: Int?
}

@Record struct Work: Codable {
  @PrimaryKey var id: Int64?
  var authorId: Int64
  var title: String
  var year: Int
  var languageCode: String
}

@Record struct Language: Codable {
  @PrimaryKey var code: String
  var name: String
}

@Record struct Country: Codable {
  @PrimaryKey var code: String
  var name: String
}
