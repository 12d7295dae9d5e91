import Quarry

struct Plain: FetchableRecord {  // error: does not conform to protocol 'FetchableRecord'
  var title: String
}

func insertOfAConstant(_ db: Database) throws {
  let book = Book(id: nil, title: "Maps", year: 2024)
  try book.insert(db)  // error: 'book' is a 'let' constant
}
