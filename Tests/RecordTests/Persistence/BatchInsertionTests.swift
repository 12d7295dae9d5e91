import QuarryTestSupport
import Testing

@testable import Quarry

@Suite(.onQueueAndPool)
struct BatchInsertionTests {
  @Test func `Records share statements, and get their identifiers in order`() throws {
    try inBookshop { db, recorder throws in
      var drafts = ["a", "b", "c"].map { Draft(name: $0) }
      try Draft.insert(db, contentsOf: &drafts)
      #expect(
        recorder.takeStatements() == [
          "SAVEPOINT grdb",
          #"INSERT INTO "author" ("id", "name", "country") VALUES (?,?,?),(?,?,?) RETURNING "id""#,
          #"INSERT INTO "author" ("id", "name", "country") VALUES (?,?,?) RETURNING "id""#,
          "RELEASE SAVEPOINT grdb",
        ])
      #expect(drafts.map(\.id) == [4, 5, 6])
      #expect(try Draft.fetchAll(db, keys: [4, 5, 6]) == drafts)
    }
  }

  @Test func `Records with identifiers need nothing back`() throws {
    try inBookshop { db, recorder throws in
      try HandWritten.insert(
        db, contentsOf: [HandWritten(id: 7, name: "a"), HandWritten(id: 5, name: nil)])
      #expect(
        recorder.takeStatements()[1] == #"INSERT INTO "author" ("id", "name") VALUES (?,?),(?,?)"#)
      let rows = try Row.fetchAll(db, sql: "SELECT id, name FROM author WHERE id > 3 ORDER BY id")
      #expect(rows == [["id": 5, "name": nil], ["id": 7, "name": "a"]])
    }
  }

  @Test func `Identifiers may be given in part`() throws {
    try inBookshop { db, _ throws in
      var drafts = [Draft(name: "a"), Draft(id: 50, name: "b"), Draft(name: "c"), Draft(id: 9)]
      try Draft.insert(db, contentsOf: &drafts)
      #expect(drafts.map(\.id) == [4, 50, 51, 9])
      #expect(try Draft.fetchAll(db, keys: [4, 50, 51, 9]).count == 4)
    }
  }

  @Test func `Many records take a statement per number of rows`() throws {
    try inBookshop { db, recorder throws in
      var drafts = (1...523).map { Draft(name: "Author \($0)") }
      try Draft.insert(db, contentsOf: &drafts)
      // Twice 256 rows, then 11: 8, 2, and 1.
      let rowCounts = recorder.takeStatements().map { sql in
        sql.split(separator: "(?,?,?)", omittingEmptySubsequences: false).count - 1
      }
      #expect(rowCounts == [0, 256, 256, 8, 2, 1, 0])
      #expect(drafts.map(\.id) == (4...526).map { Int64($0) })
      #expect(try Draft.fetchAll(db).dropFirst(3).map(\.name) == drafts.map(\.name))
    }
  }

  @Test func `The number of rows fits the number of arguments`() {
    #expect(BatchInsert.size(rows: 1000, columns: 6, arguments: 32766) == 256)
    #expect(BatchInsert.size(rows: 63, columns: 6, arguments: 32766) == 32)
    #expect(BatchInsert.size(rows: 64, columns: 1000, arguments: 32766) == 32)
    #expect(BatchInsert.size(rows: 64, columns: 2000, arguments: 2000) == 1)
    #expect(BatchInsert.size(rows: 64, columns: 2000, arguments: 999) == 1)
    #expect(BatchInsert.size(rows: 1, columns: 0, arguments: 999) == 1)
  }

  @Test func `No record is no statement`() throws {
    try inBookshop { db, recorder throws in
      var drafts: [Draft] = []
      try Draft.insert(db, contentsOf: &drafts)
      try Country.insert(db, contentsOf: [])
      #expect(recorder.takeStatements() == [])
    }
  }

  @Test func `Records that set other columns get another statement`() throws {
    struct Sparse: PersistableRecord {
      static let databaseTableName = "author"
      var columns: [String: String]
      func encode(to container: inout PersistenceContainer) {
        for (column, value) in columns.sorted(by: { $0.key < $1.key }) { container[column] = value }
      }
    }
    try inBookshop { db, recorder throws in
      try Sparse.insert(
        db,
        contentsOf: [
          Sparse(columns: ["name": "a"]), Sparse(columns: ["name": "b"]),
          Sparse(columns: ["country": "c"]), Sparse(columns: ["name": "d"]),
        ])
      #expect(
        recorder.takeStatements().filter { $0.hasPrefix("INSERT") } == [
          #"INSERT INTO "author" ("name") VALUES (?),(?) RETURNING "id""#,
          #"INSERT INTO "author" ("country") VALUES (?) RETURNING "id""#,
          #"INSERT INTO "author" ("name") VALUES (?) RETURNING "id""#,
        ])
      let names = try String?.fetchAll(db, sql: "SELECT name FROM author WHERE id > 3 ORDER BY id")
      #expect(names == ["a", "b", nil, "d"])
    }
  }

  @Test func `Tables without integer key report their rowids`() throws {
    try inBookshop { db, recorder throws in
      let notes = try IdentifiedNote.inserted(
        db, contentsOf: [IdentifiedNote(text: "a"), IdentifiedNote(text: "b")])
      #expect(notes.map(\.rowid) == [3, 4])
      try Shelf.insert(db, contentsOf: [Shelf(room: "hall", num: 1), Shelf(room: "hall", num: 2)])
      try TagName.insert(db, contentsOf: [TagName(name: "essay"), TagName(name: "play")])
      #expect(
        recorder.takeStatements().filter { $0.hasPrefix("INSERT") } == [
          #"INSERT INTO "note" ("rowid", "text") VALUES (?,?),(?,?) RETURNING "rowid""#,
          #"INSERT INTO "shelf" ("room", "num", "label") VALUES (?,?,?),(?,?,?)"#,
          #"INSERT INTO "tagName" ("name") VALUES (?),(?)"#,
        ])
    }
  }

  @Test func `All records are inserted, or none`() throws {
    try inBookshop { db, _ throws in
      var drafts = (1...100).map { Draft(name: "\($0)") }
      drafts[90].id = 1
      let before = drafts
      let error = databaseError { try Draft.insert(db, contentsOf: &drafts) }
      #expect(error?.extendedResultCode == .SQLITE_CONSTRAINT_PRIMARYKEY)
      #expect(error?.sql?.hasPrefix(#"INSERT INTO "author""#) == true)
      #expect(error?.arguments?.description.contains("\"91\"") == true)
      #expect(drafts == before)
      #expect(try Draft.fetchCount(db) == 3)
      // The statements are as good as new.
      drafts[90].id = nil
      try Draft.insert(db, contentsOf: &drafts)
      #expect(try Draft.fetchCount(db) == 103)
    }
  }

  @Test func `Outside of a transaction, they make one`() throws {
    let queue = try makeBookshopDatabase()
    try queue.writeWithoutTransaction { db throws in
      let codes = ["ES", "PT", "FR"].map { Country(code: $0) }
      #expect(databaseError { try Country.insert(db, contentsOf: codes) } != nil)
      #expect(try Country.fetchCount(db) == 2)
      #expect(!db.isInsideTransaction)
      try Country.insert(db, contentsOf: codes.prefix(2))
      #expect(try Country.fetchCount(db) == 4)
    }
  }

  @Test func `Conflicts are resolved row by row`() throws {
    try inBookshop { db, recorder throws in
      let countries = [Country(code: "ES"), Country(code: "FR"), Country(code: "PT")]
      try Country.insert(db, contentsOf: countries, onConflict: .ignore)
      #expect(
        recorder.takeStatements()
          == ["SAVEPOINT grdb"]
          + Array(
            repeating: #"INSERT OR IGNORE INTO "country" ("code", "name") VALUES (?,?)"#, count: 3)
          + ["RELEASE SAVEPOINT grdb"])
      #expect(try Country.find(db, key: "FR").name == "France")
      try Country.insert(db, contentsOf: countries, onConflict: .replace)
      #expect(
        recorder.takeStatements().contains(
          #"INSERT OR REPLACE INTO "country" ("code", "name") VALUES (?,?),(?,?)"#
            + #" RETURNING "rowid""#))
      #expect(try Country.find(db, key: "FR").name == nil)
      #expect(try Country.fetchCount(db) == 4)
    }
  }

  @Test func `A view gets a statement per record`() throws {
    struct Title: Encodable, PersistableRecord {
      static let databaseTableName = "bestseller"
      var title: String
    }
    try inBookshop { db, recorder throws in
      try db.execute(
        sql: """
          CREATE TRIGGER sell INSTEAD OF INSERT ON bestseller
          BEGIN INSERT INTO book (title, year) VALUES (NEW.title, 2020); END
          """)
      _ = recorder.take()
      try Title.insert(db, contentsOf: [Title(title: "a"), Title(title: "b")])
      let sql = #"INSERT INTO "bestseller" ("title") VALUES (?)"#
      #expect(
        recorder.takeStatements().filter { $0.hasPrefix("INSERT INTO \"best") } == [sql, sql])
      #expect(
        try String.fetchAll(db, sql: "SELECT title FROM book WHERE year = 2020 ORDER BY id")
          == ["a", "b"])
    }
  }

  @Test func `A record without table, without column, or with a wrong value throws`() throws {
    struct Homeless: Encodable, PersistableRecord {
      var id = 1
    }
    struct Empty: PersistableRecord {
      static let databaseTableName = "author"
      func encode(to container: inout PersistenceContainer) {}
    }
    struct Large: Encodable, PersistableRecord {
      static let databaseTableName = "author"
      var id = 1
      var birthYear: UInt64
    }
    try inBookshop { db, _ throws in
      let homeless = errorText { try Homeless.insert(db, contentsOf: [Homeless()]) }
      #expect(homeless?.contains("no such table: homeless") == true)
      let empty = errorText { try Empty.insert(db, contentsOf: [Empty()]) }
      #expect(empty?.contains("Empty: invalid empty persistence container") == true)
      let large = errorText {
        try Large.insert(db, contentsOf: [Large(id: 8, birthYear: 1), Large(birthYear: .max)])
      }
      #expect(large?.contains(#"column: "birthYear", record: Large"#) == true)
      #expect(try Draft.fetchCount(db) == 3)
    }
  }

  @Test func `A class hierarchy goes into its tables`() throws {
    class Named: Encodable, PersistableRecord {
      class var databaseTableName: String { "tagName" }
      var name: String
      init(_ name: String) { self.name = name }
    }
    final class Author: Named {
      override class var databaseTableName: String { "author" }
    }
    try inBookshop { db, _ throws in
      try Named.insert(db, contentsOf: [Named("x"), Author("y"), Named("z")])
      #expect(try TagName.fetchCount(db) == 4)
      #expect(try String.fetchOne(db, sql: "SELECT name FROM author WHERE id = 4") == "y")
    }
  }
}
