import Foundation
import QuarryTestSupport
import Testing

@testable import Quarry

private let id = Column("id")
private let y = Column("year")
private let score = Column("score")

private let old = Author.books.filter(y < 1970)
private let new = Author.books.filter(y > 1970)

/// Aggregates that share an association key, but not the conditions of their associations.
@Suite(.onQueueAndPool)
struct AggregateConflictTests {
  private func database(
    _ mode: Configuration.ConflictingAggregates
  ) throws -> AnyDatabaseWriter {
    var configuration = Configuration()
    configuration.conflictingAggregates = mode
    return try makeBookshopDatabase(configuration: configuration)
  }

  private static let message = """
    Aggregates share the association key "book", with different conditions: they are computed on \
    the records that fulfil all of them. To fix this error, use the Association.forKey(_:) method \
    to give their associations different keys.
    """

  static let conflicts: [QueryInterfaceRequest<Author>] = [
    Author.annotated(with: old.count.forKey("old"), new.count.forKey("new")),
    Author.annotated(with: old.count.forKey("old")).annotated(with: new.max(y)),
    Author.having(old.isEmpty && !new.isEmpty),
    Author.annotated(with: Author.books.count).having(new.count > 1),
    Author.annotated(with: (old.count + new.count).forKey("n")),
    Author.annotated(
      with: Author.books.count,
      Author.books.joining(required: Book.publisher).max(y)),
    Author.annotated(
      with: Author.books.count,
      Author.hasMany(Review.self, through: new, using: Book.reviews).count),
  ]

  @Test(arguments: conflicts.indices)
  func `conflicts are refused`(_ index: Int) throws {
    let request = Self.conflicts[index].asRequest(of: Row.self)
    try database(.refused).read { db throws in
      let error = #expect(throws: InvalidRequest.self) { try request.fetchAll(db) }
      #expect(error?.message == Self.message)
      #expect(error?.description.hasSuffix(#"in request SELECT … FROM "author" …"#) == true)
    }
  }

  @Test func `conflicts are reported`() throws {
    let log = Log<String>()
    try database(.reported { log.append($0) }).read { db throws in
      let rows = try Self.conflicts[0].asRequest(of: Row.self).fetchAll(db)
      #expect(rows.map { $0["new"] as Int } == [0, 0, 0])
    }
    #expect(log.elements == [Self.message + #" - in request SELECT … FROM "author" …"#])
  }

  @Test func `conflicts are allowed on demand`() throws {
    try database(.allowed).read { db throws in
      let rows = try Self.conflicts[0].asRequest(of: Row.self).fetchAll(db)
      #expect(rows.map { $0["old"] as Int } == [0, 0, 0])
    }
  }

  #if DEBUG
    @Test func `debug builds report conflicts by default`() async {
      // The function is that of the process.
      await #expect(processExitsWith: .success) {
        let log = Log<String>()
        Database.logError = { code, message in log.append("\(code.rawValue) \(message)") }
        _ = try makeBookshopDatabase().read { db in
          try conflictsOfBooks().fetchAll(db)
        }
        let reports = log.elements.filter {
          $0.hasPrefix("28 Aggregates share the association key")
        }
        #expect(reports.count == 1)
      }
    }

    @Test func `without an error log, the report goes to the standard error`() async {
      let result = await #expect(
        processExitsWith: .success, observing: [\.standardErrorContent]
      ) {
        _ = try makeBookshopDatabase().read { db in try conflictsOfBooks().fetchAll(db) }
      }
      let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(text.contains("Quarry: Aggregates share the association key \"book\""))
    }
  #endif

  @Test(arguments: [
    Author.annotated(with: Author.books.count, Author.books.max(y)),
    Author.annotated(with: new.count, new.max(y)).having(new.min(y) > 3),
    Author.annotated(
      with: old.forKey("oldBooks").count, new.forKey("newBooks").count, Author.books.count),
    Author.annotated(with: Author.books.count, Author.reviews.count),
    Author.annotated(
      with: Author.reviews.filter(score > 1).count, Author.publishers.count, Author.books.max(y)),
    Author.joining(required: new).annotated(with: Author.books.count),
  ])
  func `what has one meaning is fine`(_ request: QueryInterfaceRequest<Author>) throws {
    try database(.refused).read { db throws in
      #expect(try request.asRequest(of: Row.self).fetchAll(db).isEmpty == false)
    }
  }

  @Test func `keys isolate aggregates`() throws {
    try database(.refused).read { db throws in
      let request = Author.order(id).annotated(
        with: old.forKey("oldBooks").count, new.forKey("newBooks").count)
      let rows = try request.asRequest(of: Row.self).fetchAll(db)
      #expect(rows.map { $0["oldBookCount"] as Int } == [1, 0, 0])
      #expect(rows.map { $0["newBookCount"] as Int } == [1, 1, 0])
    }
  }
}

private func conflictsOfBooks() -> QueryInterfaceRequest<Row> {
  Author.annotated(with: old.count.forKey("old"), new.count.forKey("new")).asRequest(of: Row.self)
}
