struct Genre: Codable, FetchableRecord, PersistableRecord { var id: Int64 }
struct BookGenre: Codable, FetchableRecord, PersistableRecord {
  static let genre = belongsTo(Genre.self)
  var bookId: Int64
  var genreId: Int64
}
struct Country: Codable, FetchableRecord, PersistableRecord {
  static let profile = hasOne(Profile.self)
  var code: String
}
struct Profile: Codable, FetchableRecord, PersistableRecord { var countryCode: String? }
struct Author: Codable, FetchableRecord, MutablePersistableRecord {
  static let books = hasMany(Book.self)
  static let country = belongsTo(Country.self)
  var id: Int64?
  var name: String
  var countryCode: String?
}
struct Chapter: Codable, FetchableRecord, MutablePersistableRecord {
  var id: Int64?
  var bookId: Int64
}
struct Book: Codable, FetchableRecord, MutablePersistableRecord {
  static let author = belongsTo(Author.self)
  static let chapters = hasMany(Chapter.self)
  static let bookGenres = hasMany(BookGenre.self)
  static let genres = hasMany(Genre.self, through: bookGenres, using: BookGenre.genre)
  var id: Int64?
  var authorId: Int64?
  var title: String
}
