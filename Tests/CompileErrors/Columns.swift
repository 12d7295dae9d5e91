import Quarry

func misspeltColumns() {
  _ = Book.order { $0.yaer }  // error: type 'Book.Columns' has no member 'yaer'
  _ = Book.all().order { $0.yaer.desc }  // error: type 'Book.Columns' has no member 'yaer'
  _ = Book.select { [$0.titel] }  // error: type 'Book.Columns' has no member 'titel'
}
