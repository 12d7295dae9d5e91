struct AuthorInfo: Decodable, FetchableRecord {
  static let graph = SavedGraph(\AuthorInfo.author)
    .having(many: \.books, Author.books, key: \.authorId, missing: .delete)
  var author: Author
  var books: [Book]
}
var info = AuthorInfo(author: Author(name: "Jane Austen"), books: [])
var infos = [info]
