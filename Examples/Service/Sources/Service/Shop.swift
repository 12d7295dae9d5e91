import Quarry

/// The bookshop in a database. Reads run at the same time, beside the one write.
struct Shop: Sendable {
  let pool: DatabasePool
  /// The time that an access may take. Then it is interrupted, and undone.
  var deadline = Duration.seconds(5)

  /// Opens the file, makes it if it is not there, and migrates it.
  init(path: String) throws {
    var configuration = Configuration()
    configuration.maximumReaderCount = 8
    configuration.busyMode = .timeout(2)  // another process may write, too
    pool = try DatabasePool(path: path, configuration: configuration)
    try DatabaseMigrator.shop.migrate(pool)
  }

  func authors() async throws -> [AuthorInfo] {
    try await read { db in
      let request = Author.annotated(with: Author.books.count).order { $0.name }
      return try AuthorInfo.fetchAll(db, request)
    }
  }

  func author(_ id: Int64) async throws -> AuthorWithBooks {
    try await read { db in
      let request = Author.filter(key: id).including(all: Author.books.order { $0.title })
      return try AuthorWithBooks.fetchOne(db, request)
        .orThrow(Author.recordNotFound(db, key: id))
    }
  }

  func add(_ author: Author) async throws -> Author {
    try await write { db in try author.inserted(db) }
  }

  /// The books whose title has a text, in the order of their titles.
  func books(titled text: String?, limit: Int) async throws -> [BookWithAuthor] {
    try await read { db in
      var request = Book.including(required: Book.author).order { $0.title }.limit(limit)
      if let text { request = request.filter { $0.title.like("%\(text)%") } }
      return try BookWithAuthor.fetchAll(db, request)
    }
  }

  func book(_ id: Int64) async throws -> BookWithAuthor {
    try await read { db in
      let request = Book.filter(key: id).including(required: Book.author)
      return try BookWithAuthor.fetchOne(db, request).orThrow(Book.recordNotFound(db, key: id))
    }
  }

  func add(_ book: Book) async throws -> Book {
    try await write { db in try book.inserted(db) }
  }

  /// Throws `RecordError` if there is no such book.
  func update(_ book: Book) async throws {
    try await write { db in try book.update(db) }
  }

  func deleteBook(_ id: Int64) async throws {
    try await write { db in
      guard try Book.deleteOne(db, key: id) else { throw Book.recordNotFound(db, key: id) }
    }
  }

  /// Takes copies from the stock. The schema refuses more than there are: no need to look before.
  func sell(_ copies: Int, of id: Int64) async throws -> Book {
    try await write { db in
      try Book.filter(key: id).updateAll(db) { $0.stock -= copies }
      return try Book.find(db, key: id)
    }
  }
}

// A task that is cancelled interrupts its access, and what was written is undone: so a deadline is
// the cancellation of a task.
extension Shop {
  struct DeadlineError: Error {}

  func read<T: Sendable>(_ value: @escaping @Sendable (Database) throws -> T) async throws -> T {
    try await withDeadline { try await pool.read(value) }
  }

  func write<T: Sendable>(_ updates: @escaping @Sendable (Database) throws -> T) async throws -> T {
    try await withDeadline { try await pool.write(updates) }
  }

  private func withDeadline<T: Sendable>(
    _ access: @escaping @Sendable () async throws -> T
  ) async throws -> T {
    try await withThrowingTaskGroup(of: T.self) { group in
      defer { group.cancelAll() }
      group.addTask(operation: access)
      group.addTask {
        try await Task.sleep(for: deadline)
        throw DeadlineError()
      }
      return try await group.next().orThrow(DeadlineError())
    }
  }
}

extension Optional {
  func orThrow(_ error: @autoclosure () -> any Error) throws -> Wrapped {
    guard let self else { throw error() }
    return self
  }
}
