import QuarryTestSupport
import Testing

@testable import Quarry

@Suite(.onQueueAndPool)
struct InsertionTests {
  @Test func `All encoded columns are inserted, nulls included`() throws {
    try inBookshop { db, recorder throws in
      try Author(id: 10, name: "New").insert(db)
      #expect(
        recorder.takeStatements() == [
          #"INSERT INTO "author" ("id", "name", "country", "birthYear") VALUES (?,?,?,?)"#
        ])
      #expect(
        try Row.only(db, "SELECT * FROM author WHERE id = 10")
          == ["id": 10, "name": "New", "country": nil, "birthYear": nil])
    }
  }

  @Test func `A function that a trigger calls inserts a record of the same type`() throws {
    struct Step: Encodable, PersistableRecord {
      static let databaseTableName = "step"
      var id: Int64
      var name: String
    }
    try DatabaseQueue().inDatabase { db throws in
      nonisolated(unsafe) let connection = db
      db.add(
        function: DatabaseFunction("follow", argumentCount: 1) { values in
          let id = try #require(Int64.fromDatabaseValue(values[0])) + 1
          try Step(id: id, name: "step \(id)").insert(connection)
          return nil
        })
      try db.execute(
        sql: """
          CREATE TABLE step (id INTEGER PRIMARY KEY, name TEXT);
          CREATE TRIGGER followed AFTER INSERT ON step WHEN NEW.id % 3 BEGIN
            SELECT follow(NEW.id);
          END;
          """)
      for id in [1, 4, 8] as [Int64] { try Step(id: id, name: "first \(id)").insert(db) }
      #expect(
        try String.fetchAll(db, sql: "SELECT id || ' ' || name FROM step ORDER BY id") == [
          "1 first 1", "2 step 2", "3 step 3", "4 first 4", "5 step 5", "6 step 6", "8 first 8",
          "9 step 9",
        ])
    }
  }

  @Test func `The identifier is set by the insertion`() throws {
    try inBookshop { db, _ throws in
      var draft = Draft(name: "New")
      try draft.insert(db)
      #expect(draft.id == 4)
      let inserted = try Draft(name: "Newer").inserted(db)
      #expect(inserted == Draft(id: 5, name: "Newer"))
    }
  }

  @Test func `Many records are inserted one after the other`() throws {
    try inBookshop { db, recorder throws in
      for number in 1...100 { try Country(code: "C\(number)", name: nil).insert(db) }
      for number in 1...3 { try HandWritten(id: nil, name: "Author \(number)").insert(db) }
      #expect(try Country.fetchCount(db) == 102)
      #expect(
        try Draft.fetchAll(db, keys: [4, 5, 6]).map(\.name) == [
          "Author 1", "Author 2", "Author 3",
        ])
    }
  }

  @Test func `Records of one type may set different columns`() throws {
    struct Sparse: PersistableRecord {
      static let databaseTableName = "author"
      var columns: [String: String]
      func encode(to container: inout PersistenceContainer) {
        for (column, value) in columns.sorted(by: { $0.key < $1.key }) { container[column] = value }
      }
    }
    try inBookshop { db, recorder throws in
      try Sparse(columns: ["name": "a"]).insert(db)
      try Sparse(columns: ["country": "c", "name": "a"]).insert(db)
      try Sparse(columns: ["country": "c"]).insert(db)
      try Sparse(columns: ["name": "b"]).insert(db)
      #expect(
        recorder.takeStatements() == [
          #"INSERT INTO "author" ("name") VALUES (?)"#,
          #"INSERT INTO "author" ("country", "name") VALUES (?,?)"#,
          #"INSERT INTO "author" ("country") VALUES (?)"#,
          #"INSERT INTO "author" ("name") VALUES (?)"#,
        ])
      let rows = try Row.fetchAll(db, sql: "SELECT name, country FROM author WHERE id > 3")
      #expect(
        rows == [
          ["name": "a", "country": nil], ["name": "a", "country": "c"],
          ["name": nil, "country": "c"], ["name": "b", "country": nil],
        ])
    }
  }

  @Test func `The conflict resolution is written, but for ABORT`() throws {
    struct Replacing: PersistableRecord, Encodable {
      static let databaseTableName = "country"
      static let persistenceConflictPolicy = PersistenceConflictPolicy(insert: .replace)
      var code: String
    }
    try inBookshop { db, recorder throws in
      try Country(code: "FR").insert(db, onConflict: .ignore)
      try Replacing(code: "FR").insert(db)
      try Replacing(code: "ES").insert(db, onConflict: .abort)
      #expect(
        recorder.takeStatements() == [
          #"INSERT OR IGNORE INTO "country" ("code", "name") VALUES (?,?)"#,
          #"INSERT OR REPLACE INTO "country" ("code") VALUES (?)"#,
          #"INSERT INTO "country" ("code") VALUES (?)"#,
        ])
      #expect(try Country.find(db, key: "FR") == Country(code: "FR", name: nil))
    }
  }

  @Test func `A failed insertion reports the SQL, and leaves the next ones alone`() throws {
    try inBookshop { db, _ throws in
      let error = databaseError { try Country(code: "FR").insert(db) }
      #expect(error?.extendedResultCode == .SQLITE_CONSTRAINT_PRIMARYKEY)
      #expect(error?.sql == #"INSERT INTO "country" ("code", "name") VALUES (?,?)"#)
      #expect(error?.arguments == ["FR", nil])
      try Country(code: "ES", name: "Spain").insert(db)
      #expect(databaseError { try Country(code: "ES").insert(db) } != nil)
      try Country(code: "PT", name: "Portugal").insert(db)
      #expect(
        try String.fetchAll(db, sql: "SELECT code FROM country ORDER BY code") == [
          "ES", "FR", "IT", "PT",
        ])
    }
  }

  @Test func `A record without table, and a record without column, throw`() throws {
    struct Homeless: Encodable, PersistableRecord {
      var id = 1
    }
    struct Empty: PersistableRecord {
      static let databaseTableName = "author"
      func encode(to container: inout PersistenceContainer) {}
    }
    struct Stranger: Encodable, PersistableRecord {
      static let databaseTableName = "author"
      var id = 10
      var planet = "Mars"
    }
    try inBookshop { db, _ throws in
      let homeless = errorText { try Homeless().insert(db) }
      #expect(homeless?.contains("no such table: homeless") == true)
      let empty = errorText { try Empty().insert(db) }
      #expect(empty?.contains("Empty: invalid empty persistence container") == true)
      let text = errorText { try Stranger().insert(db) }
      #expect(text?.contains("table author has no column named planet") == true)
    }
  }

  @Test func `A value that SQLite can't store throws, with its column`() throws {
    struct Large: Codable, FetchableRecord, PersistableRecord {
      static let databaseTableName = "author"
      var id = 1
      var birthYear = UInt64.max
    }
    try inBookshop { db, recorder throws in
      let large = Large()
      var changed = Large(birthYear: 1929)
      for text in [
        errorText({ try large.insert(db) }), errorText({ try large.insertAndFetch(db) }),
        errorText({ try large.update(db) }),
        errorText({ try large.update(db, columns: ["birthYear"]) }),
        errorText({ try large.updateAndFetch(db) }), errorText({ try large.save(db) }),
        errorText({ try changed.updateChanges(db) { $0.birthYear = .max } }),
        errorText({ try large.saveAndFetch(db) }), errorText({ try large.upsert(db) }),
        errorText({ try large.upsertAndFetch(db) }),
      ] {
        #expect(text?.contains("could not convert 18446744073709551615 to an Int64") == true)
        #expect(text?.contains(#"column: "birthYear", record: Large"#) == true)
      }
      #expect(recorder.takeStatements() == [])
    }
  }

  @Test func `Tables without primary key, and without rowid, take records`() throws {
    try inBookshop { db, _ throws in
      var note = IdentifiedNote(text: "a")
      try note.insert(db)
      #expect(note.rowid == 3)
      try Note(text: "b").insert(db)
      try Shelf(room: "hall", num: 1).insert(db)
      try TagName(name: "essay").insert(db)
      #expect(try Note.fetchCount(db) == 4)
      #expect(try Shelf.fetchCount(db) == 4)
      #expect(try TagName.fetchCount(db) == 3)
    }
  }

  @Test func `A view without key takes records through its triggers`() throws {
    struct Title: Encodable, PersistableRecord {
      static let databaseTableName = "bestseller"
      var title: String
    }
    try inBookshop { db, _ throws in
      try db.execute(
        sql: """
          CREATE TRIGGER sell INSTEAD OF INSERT ON bestseller
          BEGIN INSERT INTO book (title, year) VALUES (NEW.title, 2020); END
          """)
      try Title(title: "Sold").insert(db)
      #expect(try String.fetchAll(db, sql: "SELECT title FROM book WHERE year = 2020") == ["Sold"])
    }
  }

  @Test func `A schema change between two insertions is seen`() throws {
    try inBookshop { db, _ throws in
      try Note(text: "a").insert(db)
      try db.execute(sql: "DROP TABLE note")
      #expect(errorText { try Note(text: "b").insert(db) }?.contains("no such table: note") == true)
      try db.execute(sql: "CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT)")
      var note = IdentifiedNote(text: "c")
      #expect(errorText { try note.insert(db) } == nil)
      try Note(text: "d").insert(db)
      #expect(try Note.fetchAll(db) == [Note(text: "c"), Note(text: "d")])
    }
  }
}

@Suite(.onQueueAndPool)
struct InsertAndFetchTests {
  @Test func `The inserted row is fetched`() throws {
    try inBookshop { db, recorder throws in
      let inserted = try Draft(name: "New").insertAndFetch(db)
      #expect(inserted == Draft(id: 4, name: "New"))
      #expect(
        recorder.takeStatements() == [
          #"INSERT INTO "author" ("id", "name", "country") VALUES (?,?,?) RETURNING *"#
        ])
    }
  }

  @Test func `The inserted row is fetched as another type, and the record changes`() throws {
    try inBookshop { db, recorder throws in
      var draft = Draft(name: "New")
      let author = try draft.insertAndFetch(db, as: Author.self)
      #expect(author == Author(id: 4, name: "New"))
      #expect(draft.id == 4)
      let other = try HandWritten(id: nil, name: "x").insertAndFetch(db, as: IdentifiedAuthor.self)
      #expect(other.id == 5)
      #expect(
        recorder.takeStatements().last
          == #"INSERT INTO "author" ("id", "name") VALUES (?,?) RETURNING "id""#)
    }
  }

  private struct IdentifiedAuthor: Decodable, FetchableRecord, TableRecord {
    static let databaseTableName = "author"
    static var databaseSelection: [any SQLSelectable] { [Column("id")] }
    var id: Int64
  }

  @Test func `A selection is fetched, with its arguments after the values`() throws {
    try inBookshop { db, recorder throws in
      var draft = Draft(name: "New")
      let next = try draft.insertAndFetch(
        db, selection: [Column("name"), (Column("id") + 10).forKey("i2")]
      ) { statement in
        try Row.fetchOne(statement)
      }
      #expect(next == ["name": "New", "i2": 14])
      #expect(draft.id == 4)
      #expect(
        recorder.takeStatements() == [
          #"INSERT INTO "author" ("id", "name", "country") VALUES (?,?,?) "#
            + #"RETURNING "name", "id" + ? AS "i2""#
        ])
      let name = try Author(id: 12, name: "x").insertAndFetch(db) { statement in
        try String.fetchOne(statement)
      } select: {
        [$0.name]
      }
      #expect(name == "x")
    }
  }

  @Test func `An ignored insertion has no row to fetch`() throws {
    try inBookshop { db, _ throws in
      #expect(
        errorText { try Country(code: "FR").insertAndFetch(db, onConflict: .ignore) }
          == #"Key not found in table country: [code:"FR"]"#)
    }
  }

  @Test func `An empty selection throws`() throws {
    try inBookshop { db, _ throws in
      #expect(
        errorText {
          try Country(code: "X").insertAndFetch(db, selection: []) { try Row.fetchOne($0) }
        }?.contains("Invalid empty selection") == true)
    }
  }
}
