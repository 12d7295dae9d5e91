import Quarry

func misspeltColumns() {
  _ = Book.order { $0.yaer }  // error: type 'Book.Columns' has no member 'yaer'
  _ = Book.all().order { $0.yaer.desc }  // error: type 'Book.Columns' has no member 'yaer'
  _ = Book.select { [$0.titel] }  // error: type 'Book.Columns' has no member 'titel'
}

func misspeltColumnsInConditions() {
  _ = Book.filter { $0.yaer == 2024 }  // error: no exact matches in call to static method 'filter'
}
