struct AuthorInfo {
  var author: Author
  var country: Country
}
struct BookInfo {
  var book: Book
  var author: AuthorInfo?
}
