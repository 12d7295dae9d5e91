import Foundation
import Quarry
import QuarryTestSupport
import Testing

/// Requests, records, transactions, and migrations do the same on all kinds of connections.
@Suite(.timeLimit(.minutes(10)))
struct ConnectionMatrixTests {
  private func withBookshop(
    _ kind: ConnectionKind, _ body: (any DatabaseWriter) throws -> Void
  ) throws {
    try kind.withDatabase { writer in
      try makeBookshopDatabase().backup(to: writer)
      try writer.write { db throws in _ = try Note.deleteAll(db) }
      try body(writer)
    }
  }

  @Test(arguments: ConnectionKind.allCases)
  func `requests are fetched`(kind: ConnectionKind) throws {
    try withBookshop(kind) { writer in
      for read in [SyncAccess.read, .unsafeRead, .unsafeReentrantRead] {
        try read.run(on: writer) { db in
          let titles = try Book.filter(Column("year") > 1970).order(Column("year"))
            .select(Column("title"), as: String.self).fetchAll(db)
          #expect(titles.prefix(1) == ["Dispossession"])
          #expect(try Book.fetchCount(db) == 4)
          #expect(try Author.filter(key: 2).fetchOne(db)?.name == "Italo Bassi")
          #expect(try Set(Author.fetchSet(db).map(\.id)) == [1, 2, 3])
          let cursor = try Author.order(Column("id")).fetchCursor(db)
          #expect(try cursor.next()?.id == 1)
        }
      }
    }
  }

  @Test(arguments: ConnectionKind.allCases)
  func `associations are joined, prefetched, and aggregated`(kind: ConnectionKind) throws {
    struct AuthorAndBooks: Decodable, FetchableRecord {
      var author: Author
      var books: [Book]
    }
    struct BookAndAuthor: Decodable, FetchableRecord {
      var book: Book
      var author: Author?
    }
    try withBookshop(kind) { writer in
      try writer.read { db throws in
        let authors = try AuthorAndBooks.fetchAll(
          db, Author.including(all: Author.books.order(Column("id"))).order(Column("id")))
        #expect(authors.map { $0.books.map(\.id) } == [[1, 2], [3], []])
        let books = try BookAndAuthor.fetchAll(
          db, Book.including(optional: Book.author).order(Column("id")))
        #expect(books.map { $0.author?.id } == [1, 1, 2, nil])
        let counts = try Author.annotated(with: Author.books.count).order(Column("id"))
          .asRequest(of: Row.self).fetchAll(db).map { $0["bookCount"] as Int }
        #expect(counts == [2, 1, 0])
      }
    }
  }

  @Test(arguments: ConnectionKind.allCases)
  func `records are inserted, updated, saved, and deleted`(kind: ConnectionKind) throws {
    try withBookshop(kind) { writer in
      try writer.write { db throws in
        var author = Author(id: 10, name: "Clara Moor")
        try author.insert(db)
        author.country = "NL"
        try author.update(db)
        try author.save(db)
        try author.upsert(db)
        try Note.insert(db, contentsOf: [Note(text: "one"), Note(text: "two")])
        _ = try Book.filter(key: 4).updateAll(db, Column("authorId").set(to: 10))
      }
      try writer.read { db throws in
        #expect(try Author.fetchOne(db, key: 10)?.country == "NL")
        #expect(try Note.fetchCount(db) == 2)
        #expect(try Book.fetchOne(db, key: 4)?.authorId == 10)
      }
      let error = databaseError {
        try writer.write { db throws in _ = try Author.deleteOne(db, key: 10) }
      }
      #expect(error?.resultCode == .SQLITE_CONSTRAINT)
      try writer.write { db throws in
        _ = try Book.deleteOne(db, key: 4)
        #expect(try Author.deleteOne(db, key: 10))
      }
      #expect(try writer.read { db throws in try Author.fetchCount(db) } == 3)
    }
  }

  @Test(arguments: ConnectionKind.allCases)
  func `transactions and savepoints are committed and rolled back`(kind: ConnectionKind) throws {
    try withBookshop(kind) { writer in
      func count() throws -> Int { try writer.read { db throws in try Note.fetchCount(db) } }
      let ends = Log<String>()
      #expect(throws: CocoaError.self) {
        try writer.write { db throws in
          db.afterNextTransaction(
            onCommit: { _ in ends.append("commit") }, onRollback: { _ in ends.append("rollback") })
          try Note(text: "lost").insert(db)
          throw CocoaError(.featureUnsupported)
        }
      }
      #expect(try count() == 0)
      try writer.write { db throws in
        db.afterNextTransaction { _ in ends.append("commit") }
        try Note(text: "kept").insert(db)
        try db.inSavepoint {
          try Note(text: "undone").insert(db)
          return .rollback
        }
        try db.inSavepoint {
          try Note(text: "kept, too").insert(db)
          return .commit
        }
      }
      #expect(try count() == 2)
      #expect(ends.elements == ["rollback", "commit"])
      try writer.writeWithoutTransaction { db throws in
        try db.inTransaction(.exclusive) {
          try Note(text: "exclusive").insert(db)
          return .commit
        }
        #expect(
          errorText { try db.execute(sql: "INSERT INTO author (id) VALUES (1)") }?
            .contains("UNIQUE constraint failed") == true)
      }
      #expect(try count() == 3)
    }
  }

  @Test(arguments: ConnectionKind.allCases)
  func `migrations grow a schema, and keep what a failing one found`(kind: ConnectionKind) throws {
    try kind.withDatabase { writer in
      var migrator = DatabaseMigrator()
      migrator.registerMigration("loans") { db in
        try db.create(table: "loan") { t in
          t.autoIncrementedPrimaryKey("id")
          t.column("title", .text).notNull()
        }
        try db.execute(sql: "INSERT INTO loan (title) VALUES ('The Trial')")
      }
      migrator.registerMigration("dates") { db in
        try db.alter(table: "loan") { t in t.add(column: "date", .date) }
      }
      try migrator.migrate(writer, upTo: "loans")
      #expect(try writer.read { db throws in try db.columns(in: "loan").count } == 2)
      try migrator.migrate(writer)
      #expect(try writer.read { db throws in try db.columns(in: "loan").count } == 3)
      #expect(try writer.read { db throws in try migrator.hasCompletedMigrations(db) })
      migrator.registerMigration("failure") { db in
        try db.drop(table: "loan")
        throw CocoaError(.featureUnsupported)
      }
      #expect(throws: (any Error).self) { try migrator.migrate(writer) }
      #expect(
        try writer.read { db throws in try String.fetchAll(db, sql: "SELECT title FROM loan") }
          == ["The Trial"])
    }
  }

  @Test(arguments: ConnectionKind.allCases)
  func `accesses of tasks read and write`(kind: ConnectionKind) async throws {
    try await kind.withDatabase { writer in
      try await writer.write { db in
        try db.execute(sql: "CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT)")
      }
      for access in AsyncAccess.allCases where !access.isRead {
        try await access.run(on: writer) { db in try db.insertNote() }
      }
      for access in AsyncAccess.allCases {
        #expect(try await access.run(on: writer) { db in try db.noteCount() } == 3)
      }
      try await writer.vacuum()
      try await writer.erase()
      let exists = try await writer.read { db in try db.tableExists("note") }
      #expect(!exists)
    }
  }
}
