import Quarry

struct Author: Codable, FetchableRecord, MutablePersistableRecord {
  var id: Int64?
  var name: String
  var countryCode: String
  var born: Int
  var died: Int?

  enum Columns {
    static let name = Column(CodingKeys.name)
    static let countryCode = Column(CodingKeys.countryCode)
    static let born = Column(CodingKeys.born)
    static let died = Column(CodingKeys.died)
  }

  mutating func didInsert(_ inserted: InsertionSuccess) {
    id = inserted.rowID
  }
}

struct Work: Codable, FetchableRecord, MutablePersistableRecord {
  var id: Int64?
  var authorId: Int64
  var title: String
  var year: Int
  var languageCode: String

  enum Columns {
    static let authorId = Column(CodingKeys.authorId)
    static let title = Column(CodingKeys.title)
    static let year = Column(CodingKeys.year)
    static let languageCode = Column(CodingKeys.languageCode)
  }

  mutating func didInsert(_ inserted: InsertionSuccess) {
    id = inserted.rowID
  }
}

struct Language: Codable, FetchableRecord, PersistableRecord {
  var code: String
  var name: String

  enum Columns {
    static let name = Column(CodingKeys.name)
  }
}

/// Written by hand, to show what `Codable` does for the other records.
struct Country {
  var code: String
  var name: String
}

extension Country: FetchableRecord, PersistableRecord {
  enum Columns {
    static let code = Column("code")
    static let name = Column("name")
  }

  init(row: Row) {
    code = row[Columns.code]
    name = row[Columns.name]
  }

  func encode(to container: inout PersistenceContainer) {
    container[Columns.code] = code
    container[Columns.name] = name
  }
}
