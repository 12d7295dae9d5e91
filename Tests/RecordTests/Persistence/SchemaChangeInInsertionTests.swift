import QuarryTestSupport
import Testing

@testable import Quarry

// Callbacks and encodings that change the table of the record that is being inserted.
@Suite(.onQueueAndPool)
struct SchemaChangeInInsertionTests {
  enum Place: CaseIterable, Sendable { case willInsert, encode }

  /// A copy of a book, and the result of its insertion.
  private final class Copy: PersistableRecord {
    static let databaseTableName = "copy"
    let number: Int64?
    var change: (Place, (Database) throws -> Void)?
    let db: Database
    var inserted: InsertionSuccess?

    init(_ db: Database, number: Int64? = nil, _ change: (Place, (Database) throws -> Void)? = nil)
    {
      self.db = db
      self.number = number
      self.change = change
    }

    private func changeSchema(in place: Place) throws {
      guard let change, change.0 == place else { return }
      self.change = nil
      try change.1(db)
    }

    func willInsert(_ db: Database) throws { try changeSchema(in: .willInsert) }

    func encode(to container: inout PersistenceContainer) throws {
      try changeSchema(in: .encode)
      container["number"] = number
      container["title"] = "x"
    }

    func didInsert(_ inserted: InsertionSuccess) { self.inserted = inserted }
  }

  private static func makeTable(_ db: Database) throws {
    try db.execute(sql: "CREATE TABLE copy (number INTEGER PRIMARY KEY, title TEXT)")
    try Copy(db, number: 7).insert(db)
    try Copy.insert(db, contentsOf: [Copy(db)])
  }

  private static let otherTable: @Sendable (Database) throws -> Void = { db in
    try db.execute(
      sql: """
        DROP TABLE copy;
        CREATE TABLE copy (title TEXT, number TEXT);
        INSERT INTO copy VALUES ('a', 'b'), ('c', 'd'), ('e', 'f')
        """)
  }

  @Test(arguments: Place.allCases)
  func `A table that is made anew has the keys that it has`(_ place: Place) throws {
    for isBatch in [false, true] {
      try inEmptyDatabase { db in
        try Self.makeTable(db)
        let copy = Copy(db, (place, Self.otherTable))
        if isBatch {
          try Copy.insert(db, contentsOf: [copy])
        } else {
          try copy.insert(db)
        }
        let inserted = try #require(copy.inserted)
        #expect(inserted.rowID == 4)
        #expect(inserted.rowIDColumn == nil)
        #expect(inserted.persistenceContainer["number"] == DatabaseValue.null)
        let row = try Row.fetchOne(db, sql: "SELECT * FROM copy WHERE rowid = 4")
        #expect(row == ["title": "x", "number": nil])
      }
    }
  }

  @Test(arguments: Place.allCases)
  func `A table that becomes a view`(_ place: Place) throws {
    let makeView: (Database) throws -> Void = { db in
      try db.execute(
        sql: """
          ALTER TABLE copy RENAME TO stored;
          CREATE VIEW copy AS SELECT * FROM stored;
          CREATE TRIGGER t INSTEAD OF INSERT ON copy BEGIN
            INSERT INTO stored VALUES (NEW.number, 'by trigger');
          END
          """)
    }
    try inEmptyDatabase { db in
      try Self.makeTable(db)
      let error = databaseError {
        try Copy.insert(db, contentsOf: [Copy(db), Copy(db, (place, makeView))])
      }
      #expect(error?.message == "database view copy has no primary key")
      #expect(try Table("copy").fetchCount(db) == 2)
      try Copy(db, (place, makeView)).insert(db)
      #expect(
        try String.fetchAll(db, sql: "SELECT title FROM copy ORDER BY number")
          == ["x", "x", "by trigger"])
    }
  }

  @Test(arguments: Place.allCases)
  func `Columns are added, and caches emptied`(_ place: Place) throws {
    try inEmptyDatabase { db in
      try Self.makeTable(db)
      let copies = (1...300).map { index in
        Copy(
          db,
          (
            place,
            { db in
              if index % 60 == 0 {
                try db.execute(sql: "ALTER TABLE copy ADD COLUMN c\(index) DEFAULT \(index)")
              }
              if index % 50 == 0 { db.releaseMemory() }
            }
          ))
      }
      try Copy.insert(db, contentsOf: copies)
      #expect(copies.map { $0.inserted?.rowID } == (9...308).map { Int64($0) })
      #expect(copies.allSatisfy { $0.inserted?.rowIDColumn == "number" })
      #expect(try Table("copy").fetchCount(db) == 302)
      #expect(try db.columns(in: "copy").count == 7)
    }
  }

  @Test func `A callback that rolls back ends the insertion with an error`() throws {
    try DatabaseQueue().inDatabase { db in
      try Self.makeTable(db)
      for isBatch in [false, true] {
        let copies = [Copy(db), Copy(db, (.willInsert, { try $0.rollback() }))]
        try db.beginTransaction()
        let error = errorText {
          if isBatch {
            try Copy.insert(db, contentsOf: copies)
          } else {
            for copy in copies { try copy.insert(db) }
            try db.commit()
          }
        }
        #expect(error != nil)
        #expect(!db.isInsideTransaction)
        try db.execute(sql: "DELETE FROM copy WHERE number > 8")
        #expect(try Table("copy").fetchCount(db) == 2)
      }
    }
  }
}
