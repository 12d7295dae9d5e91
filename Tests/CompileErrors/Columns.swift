import Quarry

func misspeltColumns() {
  _ = Book.order { $0.yaer }  // error: type 'Book.Columns' has no member 'yaer'
  _ = Book.all().order { $0.yaer.desc }  // error: type 'Book.Columns' has no member 'yaer'
  _ = Book.filter { $0.yaer == 2024 }  // error: type 'Book.Columns' has no member 'yaer'
  _ = Book.filter { $0.year > 1900 && $0.titel == "A" }  // error: has no member 'titel'
  _ = Book.filter { [1, 2].contains($0.yaer) }  // error: type 'Book.Columns' has no member 'yaer'
  _ = Book.all().filter { $0.yaer == 2024 }  // error: type 'Book.Columns' has no member 'yaer'
  _ = Book.all().having { $0.yaer > 1 }  // error: type 'Book.Columns' has no member 'yaer'
  // A closure is no collection of identifiers.
  _ = Loan.filter { $0.day > 7 }  // error: type 'Loan.Columns' has no member 'day'
  _ = Loan.all().filter { $0.day > 7 }  // error: type 'Loan.Columns' has no member 'day'
  _ = Book.select { [$0.titel] }  // error: type 'Book.Columns' has no member 'titel'
}

// The page "Debugging" of the manual explains these messages.
func messagesAboutOverloads(_ db: Database) throws {
  _ = Book.order("title")  // error: missing argument label 'literal:' in call
  try Book.updateAll(db) { $0.year = 3 }  // error: cannot assign to property: 'year'
  _ = Book.select { $0.title + " " + $0.title }  // error: '+' is deprecated: + adds numbers
  _ = Book.select(\.titel, as: String.self)  // error: no exact matches in call to static method
  _ = Book.select(Column("id"), 3)  // error: argument type 'Int' does not conform to
  let shelf = TableAlias<Shelf>()
  _ = Shelf.all().aliased(shelf).filter(shelf.id == 1)  // error: cannot be used on type 'Never'
  _ = Table<Book>("old").order { $0.title }  // error: no exact matches in call to instance method
}

// A protocol of an application makes the coding keys of its records their columns: no mistake.
protocol KeyedRecord: Codable, FetchableRecord, PersistableRecord {
  associatedtype CodingKeys: CodingKey
  typealias Columns = CodingKeys
}

struct Coach: KeyedRecord {
  enum CodingKeys: String, CodingKey, ColumnExpression {
    case id, name
  }

  var id: Int64
  var name: String
}

func inheritedColumns() {
  _ = Coach.filter { $0.name == "Ann" }.order { $0.nam }  // error: has no member 'nam'
}
