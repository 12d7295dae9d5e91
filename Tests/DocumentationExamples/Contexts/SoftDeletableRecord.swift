struct Book: Codable, FetchableRecord, PersistableRecord, SoftDeletableRecord {
  var id: Int64
  var title: String
}
struct Author: TableRecord { static let books = hasMany(Book.self) }
let book = Book(id: 1, title: "Emma")
let lastYear = Date()
