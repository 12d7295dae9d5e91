import Quarry

struct Plain: FetchableRecord {  // error: does not conform to protocol 'FetchableRecord'
  var title: String
}

struct Leaflet: Codable, TableRecord {
  var title: String
}

// The page "Debugging" of the manual explains these messages.
func messagesAboutFetching(_ db: Database) throws {
  _ = try Leaflet.fetchAll(db)  // error: type 'Leaflet' has no member 'fetchAll'
  _ = try Row.fetchAll(db, literal: "SELECT 1")  // error: cannot convert value of type 'Database'
}

func insertOfAConstant(_ db: Database) throws {
  let book = Book(id: nil, title: "Maps", year: 2024)
  try book.insert(db)  // error: 'book' is a 'let' constant
}
