import Quarry
import QuarryRecords
import QuarryTestSupport
import Testing

/// A database of authors, books, chapters and links, in memory: what saves should make of it.
private struct Model: Equatable {
  struct Book: Equatable {
    var authorId: Int64?
    var title: String
    var note = "new"
  }
  struct Chapter: Equatable {
    var bookId: Int64
    var title: String
  }
  struct Link: Hashable {
    var bookId: Int64
    var genreId: Int64
  }

  var authors: [Int64: String] = [:]
  var books: [Int64: Book] = [:]
  var chapters: [Int64: Chapter] = [:]
  var genres: [Int64: String] = [:]
  var links: Set<Link> = []
}

private struct BookValue: Equatable {
  var book: ShopBook
  var chapters: [Shop.Chapter] = []
  var genres: [Shop.Genre] = []
}

private struct AuthorValue: Equatable {
  var author: ShopAuthor
  var books: [BookValue] = []
}

private struct Policies {
  var books: MissingRows
  var chapters: MissingRows
  var links: MissingLinks
  var moving: Bool

  init(_ generator: inout SplitMix64) {
    books = generator.pick([.delete, .delete, .detach, .keep, .refuse])
    chapters = generator.pick([.delete, .delete, .keep, .refuse])
    links = generator.pick([.unlink, .unlink, .keep, .refuse])
    moving = generator.chance(2)
  }

  var graph: SavedGraph<AuthorValue, ShopAuthor> {
    SavedGraph(\AuthorValue.author).having(
      many: \.books, ShopAuthor.books,
      as: SavedGraph(\BookValue.book)
        .having(
          many: \.chapters, ShopBook.chapters, key: \.bookId, missing: chapters, moving: moving
        )
        .linking(many: \.genres, ShopBook.genres, saving: .saved, missing: links),
      key: \.authorId, missing: books, moving: moving)
  }
}

private struct Refused: Error {}

// The naive save: of a value that has all its keys already, and the same value as it was before.
extension Model {
  func saving(_ values: [AuthorValue], _ policies: Policies) throws -> Model {
    var next = self
    let authorIds = values.compactMap(\.author.id)
    try requireDistinct(authorIds)
    for value in values { next.authors[value.author.id ?? 0] = value.author.name }
    try requireDistinct(Array(next.authors.values))
    try next.saveBooks(values, policies, before: self)
    let books = values.flatMap(\.books)
    try next.saveChapters(books, policies, before: self)
    try next.saveGenres(books, policies)
    return next
  }

  private mutating func saveBooks(
    _ values: [AuthorValue], _ policies: Policies, before: Model
  ) throws {
    let given = values.flatMap { value in value.books.map { ($0.book, value.author.id) } }
    try requireDistinct(given.map(\.0.id))
    for (book, author) in given {
      let owner = before.books[book.id ?? 0]?.authorId
      if let owner, owner != author, !policies.moving { throw Refused() }
    }
    let authors = Set(values.map(\.author.id))
    let missing = before.books.filter { id, book in
      book.authorId.map { authors.contains($0) } ?? false && !given.contains { $0.0.id == id }
    }
    for id in missing.keys { try treat(id, policies, values) }
    for (book, author) in given {
      let note = before.books[book.id ?? 0]?.note ?? "new"
      books[book.id ?? 0] = Book(authorId: author, title: book.title, note: note)
    }
    try requireDistinct(books.values.map(\.title))
  }

  private mutating func treat(
    _ id: Int64, _ policies: Policies, _ values: [AuthorValue]
  ) throws {
    switch policies.books {
    case .keep: return
    case .refuse: throw Refused()
    case .detach: books[id]?.authorId = nil
    case .delete:
      let lost = chapters.filter { $0.value.bookId == id }
      let lostLinks = links.filter { $0.bookId == id }
      if !lost.isEmpty, policies.chapters != .delete { throw Refused() }
      if !lostLinks.isEmpty, policies.links != .unlink { throw Refused() }
      let saved = values.flatMap(\.books).flatMap(\.chapters).map(\.id)
      // They would be removed, and inserted without what the value does not know.
      if lost.keys.contains(where: { saved.contains($0) }) { throw Refused() }
      for chapter in lost.keys { chapters[chapter] = nil }
      links.subtract(lostLinks)
      books[id] = nil
    }
  }

  private mutating func saveChapters(
    _ values: [BookValue], _ policies: Policies, before: Model
  ) throws {
    let given = values.flatMap { value in value.chapters.map { ($0, value.book.id ?? 0) } }
    try requireDistinct(given.map(\.0.id))
    for (chapter, book) in given {
      let owner = before.chapters[chapter.id ?? 0]?.bookId
      if let owner, owner != book, !policies.moving { throw Refused() }
    }
    let books = Set(values.map { $0.book.id ?? 0 })
    let missing = chapters.filter { id, chapter in
      books.contains(chapter.bookId) && !given.contains { $0.0.id == id }
    }
    if policies.chapters == .refuse, !missing.isEmpty { throw Refused() }
    if policies.chapters == .delete { for id in missing.keys { chapters[id] = nil } }
    for (chapter, book) in given {
      chapters[chapter.id ?? 0] = Chapter(bookId: book, title: chapter.title)
    }
  }

  private mutating func saveGenres(_ values: [BookValue], _ policies: Policies) throws {
    var saved: [Int64: String] = [:]
    for genre in values.flatMap(\.genres) {
      if let name = saved[genre.id ?? 0], name != genre.name { throw Refused() }
      saved[genre.id ?? 0] = genre.name
    }
    genres.merge(saved) { $1 }
    try requireDistinct(Array(genres.values))
    for value in values {
      let book = value.book.id ?? 0
      try requireDistinct(value.genres.map(\.id))
      let given = Set(value.genres.map { Link(bookId: book, genreId: $0.id ?? 0) })
      let missing = links.filter { $0.bookId == book && !given.contains($0) }
      if policies.links == .refuse, !missing.isEmpty { throw Refused() }
      if policies.links == .unlink { links.subtract(missing) }
      links.formUnion(given)
    }
  }

  private func requireDistinct<T: Hashable>(_ elements: [T]) throws {
    if Set(elements).count < elements.count { throw Refused() }
  }
}

// The database as a model.
extension Model {
  init(_ db: Database) throws {
    for row in try Row.fetchAll(db, sql: "SELECT id, name FROM author") {
      authors[row[0]] = row[1] as String
    }
    for row in try Row.fetchAll(db, sql: "SELECT id, authorId, title, note FROM book") {
      books[row[0]] = Book(authorId: row[1], title: row[2], note: row[3])
    }
    for row in try Row.fetchAll(db, sql: "SELECT id, bookId, title FROM chapter") {
      chapters[row[0]] = Chapter(bookId: row[1], title: row[2])
    }
    for row in try Row.fetchAll(db, sql: "SELECT id, name FROM genre") {
      genres[row[0]] = row[1] as String
    }
    for row in try Row.fetchAll(db, sql: "SELECT bookId, genreId FROM bookGenre") {
      links.insert(Link(bookId: row[0], genreId: row[1]))
    }
  }

  func value(of id: Int64) -> AuthorValue {
    let books = books.filter { $0.value.authorId == id }.sorted { $0.key < $1.key }
    return AuthorValue(
      author: ShopAuthor(id: id, name: authors[id] ?? ""),
      books: books.map { id, book in
        let chapters = chapters.filter { $0.value.bookId == id }.sorted { $0.key < $1.key }
        let linked = links.filter { $0.bookId == id }.map(\.genreId).sorted()
        return BookValue(
          book: ShopBook(id: id, authorId: book.authorId, title: book.title),
          chapters: chapters.map {
            Shop.Chapter(id: $0.key, bookId: $0.value.bookId, title: $0.value.title)
          },
          genres: linked.map { Shop.Genre(id: $0, name: genres[$0] ?? "") })
      })
  }
}

/// Changes of values, by chance.
private struct Editor {
  var generator: SplitMix64
  private var count = 0
  /// Two books that exchange titles can't be saved: one takes that of another one at most.
  private var hasTakenTitle = false

  init(_ generator: SplitMix64) { self.generator = generator }

  private mutating func name() -> String {
    count += 1
    return "n\(count)"
  }

  mutating func values(_ model: Model) -> [AuthorValue] {
    hasTakenTitle = false
    var ids = model.authors.keys.sorted()
    ids.shuffle(using: &generator)
    var values = ids.prefix(generator.below(3)).map(model.value)
    if values.isEmpty || generator.chance(4) {
      values.append(AuthorValue(author: ShopAuthor(name: name())))
    }
    for _ in 0..<generator.below(6) { edit(&values, model) }
    return values
  }

  private mutating func edit(_ values: inout [AuthorValue], _ model: Model) {
    let author = generator.below(values.count)
    let hasBook = !values[author].books.isEmpty
    let book = hasBook ? generator.below(values[author].books.count) : 0
    switch generator.below(hasBook ? 12 : 2) {
    case 0: values[author].books.append(newBook(model))
    case 1: values[author].author.name = name()
    case 2: values[author].books.remove(at: book)
    case 3: values[author].books[book].book.title = name()
    case 4: values[author].books.shuffle(using: &generator)
    case 5:
      values[author].books[book].chapters.append(Shop.Chapter(title: name()))
    case 6:
      if !values[author].books[book].chapters.isEmpty {
        values[author].books[book].chapters.removeLast()
      }
    case 7:
      if !values[author].books[book].chapters.isEmpty {
        values[author].books[book].chapters[0].title = name()
      }
    case 8: values[author].books[book].genres.append(genre(model))
    case 9:
      if !values[author].books[book].genres.isEmpty {
        values[author].books[book].genres.removeFirst()
      }
    case 10:
      // To another author, or another book.
      let moved = values[author].books.remove(at: book)
      values[generator.below(values.count)].books.append(moved)
    default: misuse(&values, author, book, model)
    }
  }

  private mutating func newBook(_ model: Model) -> BookValue {
    var value = BookValue(book: ShopBook(title: name()))
    // A book of somebody else, of nobody, or with a key that nobody has.
    if generator.chance(4), let known = model.books.keys.sorted().randomElement(using: &generator) {
      value.book.id = known
    } else if generator.chance(6) {
      value.book.id = 1000 + Int64(count)
    }
    for _ in 0..<generator.below(3) { value.chapters.append(Shop.Chapter(title: name())) }
    if generator.chance(3) { value.genres.append(genre(model)) }
    return value
  }

  private mutating func genre(_ model: Model) -> Shop.Genre {
    guard let id = model.genres.keys.sorted().randomElement(using: &generator),
      !generator.chance(3)
    else { return Shop.Genre(name: name()) }
    return Shop.Genre(id: id, name: model.genres[id] ?? "")
  }

  private mutating func misuse(
    _ values: inout [AuthorValue], _ author: Int, _ book: Int, _ model: Model
  ) {
    switch generator.below(4) {
    case 0: values[author].books.append(values[author].books[book])
    case 1:
      guard !hasTakenTitle,
        let title = model.books.values.map(\.title).sorted().randomElement(using: &generator)
      else { return }
      values[author].books[book].book.title = title
      hasTakenTitle = true
    case 2:
      guard let id = model.chapters.keys.sorted().randomElement(using: &generator) else { return }
      values[author].books[book].chapters.append(Shop.Chapter(id: id, title: name()))
    default:
      guard let id = model.genres.keys.sorted().randomElement(using: &generator) else { return }
      values[author].books[book].genres.append(Shop.Genre(id: id, name: name()))
    }
  }
}

// The keys that the model does not know yet: those that the save has made.
extension [AuthorValue] {
  fileprivate func withoutKeys() -> Self {
    map { value in
      var value = value
      for index in value.books.indices {
        value.books[index].book.authorId = nil
        for chapter in value.books[index].chapters.indices {
          value.books[index].chapters[chapter].bookId = 0
        }
      }
      return value
    }
  }

  /// The same values with keys that nobody has.
  fileprivate func withFreshKeys() -> Self {
    var next: Int64 = 1_000_000
    func fill(_ id: inout Int64?) {
      if id == nil {
        next += 1
        id = next
      }
    }
    return map { value in
      var value = value
      fill(&value.author.id)
      for index in value.books.indices {
        fill(&value.books[index].book.id)
        for chapter in value.books[index].chapters.indices {
          fill(&value.books[index].chapters[chapter].id)
        }
        for genre in value.books[index].genres.indices {
          fill(&value.books[index].genres[genre].id)
        }
      }
      return value
    }
  }

  /// Whether another value has the keys of this one, and new ones where this one has none.
  fileprivate func isCompleted(by saved: Self, in model: Model) -> Bool {
    func completed(_ old: Int64?, _ new: Int64?, _ isKnown: (Int64) -> Bool) -> Bool {
      old == nil ? new.map { !isKnown($0) } ?? false : old == new
    }
    return zip(self, saved).allSatisfy { old, new in
      completed(old.author.id, new.author.id) { model.authors[$0] != nil }
        && zip(old.books, new.books).allSatisfy { old, new in
          completed(old.book.id, new.book.id) { model.books[$0] != nil }
            && new.chapters.allSatisfy { $0.bookId == new.book.id }
            && zip(old.chapters, new.chapters).allSatisfy {
              completed($0.id, $1.id) { model.chapters[$0] != nil }
            }
        }
        && new.books.allSatisfy { $0.book.authorId == new.author.id }
    }
  }
}

struct RandomGraphTests {
  @Test func `random graphs leave what a naive model has`() throws {
    var counts = (saved: 0, refused: 0)
    let run = RandomRun("graphs")
    try run.repeated(seconds: 1) { generator throws in
      let queue = try DatabaseQueue()
      try queue.write { db in
        // A key that is used again would look like that of the removed row.
        let key = "INTEGER PRIMARY KEY,"
        try db.execute(
          sql: Shop.schema.replacing(key, with: "INTEGER PRIMARY KEY AUTOINCREMENT,"))
        var editor = Editor(generator)
        for _ in 0..<20 {
          if try step(&editor, db) { counts.saved += 1 } else { counts.refused += 1 }
        }
      }
    }
    print("graphs: \(counts.saved) saved, \(counts.refused) refused")
    #expect(counts.saved > 0)
    #expect(counts.refused > 0)
  }

  /// Saves random values. Returns false if they are refused, by the model and by the library.
  private func step(_ editor: inout Editor, _ db: Database) throws -> Bool {
    let model = try Model(db)
    let values = editor.values(model)
    let policies = Policies(&editor.generator)
    var saved = values
    var failure: (any Error)?
    do {
      try policies.graph.save(db, &saved)
    } catch {
      failure = error
    }
    let after = try Model(db)
    if let failure {
      #expect(failure is GraphSaveError, "\(failure)")
      #expect(after == model)
      #expect(saved == values)
      let expected = try? model.saving(values.withFreshKeys(), policies)
      #expect(expected == nil, "\(failure)\n\(values)\n\(policies)\n\(model)")
      return false
    }
    #expect(values.isCompleted(by: saved, in: model))
    #expect(saved.withoutKeys() == saved.withKeys(of: values).withoutKeys())
    let expected = try? model.saving(saved, policies)
    #expect(after == expected, "\(values)\n\(policies)\n\(model)")
    return true
  }
}

extension [AuthorValue] {
  /// Other values with the keys of these ones.
  fileprivate func withKeys(of values: Self) -> Self {
    zip(self, values).map { saved, value in
      var value = value
      value.author.id = saved.author.id
      for index in value.books.indices {
        let book = saved.books[index]
        value.books[index].book.id = book.book.id
        for chapter in value.books[index].chapters.indices {
          value.books[index].chapters[chapter].id = book.chapters[chapter].id
        }
        for genre in value.books[index].genres.indices {
          value.books[index].genres[genre].id = book.genres[genre].id
        }
      }
      return value
    }
  }
}
