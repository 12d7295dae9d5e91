struct BookInfo {
  var book: Book
  var chapters: [Chapter]
}
struct AuthorInfo {
  var author: Author
  var books: [BookInfo]
}
struct CountryInfo {
  var country: Country
  var profile: Profile?
}
