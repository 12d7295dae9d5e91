import Quarry

/// The bookshop in a database: reads run at the same time, writes one after the other.
struct Shop: Sendable {
  let pool: DatabasePool
  /// How long a query may take.
  var deadline = Duration.seconds(5)

  /// Opens the file, makes it if it is not there, and migrates it.
  init(path: String, readerCount: Int = 8) throws {
    var configuration = Configuration()
    configuration.maximumReaderCount = readerCount
    // Another process may write, too.
    configuration.busyMode = .timeout(2)
    pool = try DatabasePool(path: path, configuration: configuration)
    try DatabaseMigrator.shop.migrate(pool)
  }

  func books(titled text: String?, limit: Int) async throws -> [BookWithAuthor] {
    try await read { db in
      var request = Book.including(required: Book.author).order { $0.title }.limit(limit)
      if let text { request = request.filter { $0.title.like("%\(text)%") } }
      return try BookWithAuthor.fetchAll(db, request)
    }
  }

  func book(_ id: Int64) async throws -> BookWithAuthor? {
    try await read { db in
      try BookWithAuthor.fetchOne(
        db, Book.filter { $0.id == id }.including(required: Book.author))
    }
  }

  func shelves() async throws -> [Shelf] {
    try await read { db in try Shelf.order(Column("author")).fetchAll(db) }
  }

  func add(_ book: Book) async throws -> Book {
    try await pool.write { db in try book.inserted(db) }
  }

  func add(_ author: Author) async throws -> Author {
    try await pool.write { db in try author.inserted(db) }
  }

  /// - returns: whether there was such a book.
  func deleteBook(_ id: Int64) async throws -> Bool {
    try await pool.write { db in try Book.deleteOne(db, key: id) }
  }

  /// A query is interrupted when its task is cancelled: here, after the deadline.
  private func read<T: Sendable>(
    _ value: @escaping @Sendable (Database) throws -> T
  ) async throws -> T {
    try await withDeadline(deadline) { try await pool.read(value) }
  }
}
