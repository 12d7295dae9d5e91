struct BookInfo {
  var book: Book
  var genres: [Genre]
}
