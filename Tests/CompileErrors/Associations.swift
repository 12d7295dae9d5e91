import Quarry

func unknownAssociation() {
  _ = Author.including(all: Author.novels)  // error: type 'Author' has no member 'novels'
}

func associationOfAnotherRecord() {
  _ = Author.including(required: Book.author)  // error: requires the types 'Author' and
}

extension Book {
  static var reviews = hasMany(Book.self)  // error: is not concurrency-safe
}
