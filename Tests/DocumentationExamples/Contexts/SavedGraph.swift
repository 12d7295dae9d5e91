struct AuthorInfo: Decodable, FetchableRecord {
  static let graph = SavedGraph(\AuthorInfo.author)
  var author: Author
}
var info = AuthorInfo(author: Author(name: "Jane Austen"))
var infos = [info]
