import Harness

struct Player: PlayerValues {
  var id: Int64
  var name: String
  var team: String
  var score: Int
  var rating: Double
  var email: String?

  @inline(__always)
  init(_ statement: OpaquePointer) {
    id = integer(statement, 0)
    name = text(statement, 1)
    team = text(statement, 2)
    score = Int(integer(statement, 3))
    rating = double(statement, 4)
    email = optionalText(statement, 5)
  }
}

struct Book: BookValues {
  var id: Int64
  var title: String
  var authorId: Int64
  var publisherId: Int64?
  var year: Int

  @inline(__always)
  init(_ statement: OpaquePointer) {
    id = integer(statement, 0)
    title = text(statement, 1)
    authorId = integer(statement, 2)
    publisherId = optionalInteger(statement, 3)
    year = Int(integer(statement, 4))
  }
}

struct Author: AuthorValues {
  var id: Int64
  var name: String
  var country: String
  var birthYear: Int

  @inline(__always)
  init(_ statement: OpaquePointer, from start: CInt = 0) {
    id = integer(statement, start)
    name = text(statement, start + 1)
    country = text(statement, start + 2)
    birthYear = Int(integer(statement, start + 3))
  }
}

struct BookInfo {
  var book: Book
  var author: Author
}

struct AuthorInfo {
  var author: Author
  var books: [Book]
}
