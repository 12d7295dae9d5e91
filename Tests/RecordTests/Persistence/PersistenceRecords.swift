@testable import Quarry

/// An author whose identifier is made by the database.
struct Draft: Codable, Hashable, FetchableRecord, MutablePersistableRecord {
  static let databaseTableName = "author"

  var id: Int64?
  var name: String?
  var country: String?

  mutating func didInsert(_ inserted: InsertionSuccess) {
    id = inserted.rowID
  }
}

/// An author encoded by hand.
struct HandWritten: FetchableRecord, PersistableRecord {
  static let databaseTableName = "author"

  var id: Int64?
  var name: String?

  init(id: Int64?, name: String?) {
    self.id = id
    self.name = name
  }

  init(row: Row) {
    id = row["id"]
    name = row["name"]
  }

  func encode(to container: inout PersistenceContainer) {
    container["id"] = id
    container["name"] = name
  }
}

/// A row of a table without primary key, which knows its rowid.
struct IdentifiedNote: Codable, Hashable, FetchableRecord, MutablePersistableRecord {
  static let databaseTableName = "note"
  static var databaseSelection: [any SQLSelectable] { [.allColumns, .rowID] }

  var rowid: Int64?
  var text: String?

  mutating func didInsert(_ inserted: InsertionSuccess) {
    rowid = inserted.rowID
  }
}
