import Quarry

// The records of the mistakes in the other files.

struct Author: Codable, FetchableRecord, PersistableRecord {
  enum Columns {
    static let name = Column("name")
  }

  static let books = hasMany(Book.self)

  var id: Int64
  var name: String
}

struct Book: Codable, FetchableRecord, MutablePersistableRecord {
  enum Columns {
    static let title = Column("title")
    static let year = Column("year")
  }

  static let author = belongsTo(Author.self)

  var id: Int64?
  var title: String
  var year: Int
}

struct Loan: Codable, Identifiable, FetchableRecord, MutablePersistableRecord {
  enum Columns {
    static let days = Column("days")
  }

  var id: Int64?
  var days: Int
}

/// It declares no columns.
struct Shelf: Codable, FetchableRecord, PersistableRecord {
  var id: Int64
}
