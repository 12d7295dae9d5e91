import QuarryMacros

/// A row of the table `author`.
@Record
struct Author: Codable, Hashable, Sendable {
  @PrimaryKey var id: Int64?
  var name: String
  var country: String?

  static let books = hasMany(Book.self)
}

/// A row of the table `book`.
@Record
struct Book: Codable, Hashable, Sendable {
  @PrimaryKey var id: Int64?
  var authorId: Int64
  var title: String
  var year: Int?
  var price: Double?

  static let author = belongsTo(Author.self)
}

/// A row of the view `cheap`.
@Record(readOnly: true)
struct Cheap: Codable, Hashable, Sendable {
  var title: String?
  var price: Double?
}
