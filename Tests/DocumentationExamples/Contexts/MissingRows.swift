struct AuthorInfo {
  var author: Author
  var books: [Book]
}
