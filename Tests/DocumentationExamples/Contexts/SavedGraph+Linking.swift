struct Genre: Codable, FetchableRecord, PersistableRecord { var id: Int64 }
struct BookGenre: Codable, FetchableRecord, PersistableRecord {
  static let genre = belongsTo(Genre.self)
  var bookId: Int64
  var genreId: Int64
}
struct Book: Codable, FetchableRecord, MutablePersistableRecord {
  static let bookGenres = hasMany(BookGenre.self)
  static let genres = hasMany(Genre.self, through: bookGenres, using: BookGenre.genre)
  var id: Int64?
}
struct BookInfo {
  var book: Book
  var genres: [Genre]
}
