import QuarryTestSupport
import Testing

@testable import Quarry

/// What stays of an insertion of many records when one of them fails.
struct BatchFailureTests {
  private struct Person: Codable, Equatable, FetchableRecord, MutablePersistableRecord {
    var id: Int64?
    var name: String?
    mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
  }

  private static let schema = """
    CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT UNIQUE CHECK (name <> ''));
    INSERT INTO person VALUES (1, 'Ann');
    """

  private func names(_ db: Database) throws -> [String] {
    try String.fetchAll(db, sql: "SELECT name FROM person ORDER BY id")
  }

  @Test(arguments: [Database.ConflictResolution.abort, .fail, .ignore, .replace])
  func `Nothing stays, whatever resolves conflicts`(_ conflict: Database.ConflictResolution)
    throws
  {
    struct Refusal: Error {}
    struct Refusing: Encodable, PersistableRecord {
      static let databaseTableName = "person"
      var name: String
      func willInsert(_ db: Database) throws { if name == "Zed" { throw Refusal() } }
    }
    try makeDatabase(sql: Self.schema).inDatabase { db in
      for isInsideTransaction in [false, true] {
        if isInsideTransaction {
          try db.beginTransaction()
          try db.execute(sql: "INSERT INTO person VALUES (2, 'Bob')")
        }
        let before = try names(db)
        #expect(throws: Refusal.self) {
          try Refusing.insert(
            db, contentsOf: ["Cid", "Dan", "Zed"].map { Refusing(name: $0) }, onConflict: conflict)
        }
        #expect(try names(db) == before)
        #expect(db.isInsideTransaction == isInsideTransaction)
      }
      try db.commit()
      #expect(try names(db) == ["Ann", "Bob"])
    }
  }

  @Test(arguments: [Database.ConflictResolution.abort, .fail])
  func `A violated constraint leaves nothing`(_ conflict: Database.ConflictResolution) throws {
    try makeDatabase(sql: Self.schema).write { db throws in
      var people = [Person(name: "Bob"), Person(name: "Ann"), Person(name: "Cid")]
      let error = databaseError {
        try Person.insert(db, contentsOf: &people, onConflict: conflict)
      }
      #expect(error?.message == "UNIQUE constraint failed: person.name")
      #expect(people.map(\.id) == [nil, nil, nil])
      #expect(try names(db) == ["Ann"])
    }
  }

  @Test func `ROLLBACK ends the transaction around it`() throws {
    try makeDatabase(sql: Self.schema).inDatabase { db throws in
      let people = [Person(name: "Bob"), Person(name: "Ann")]
      for isInsideTransaction in [false, true] {
        if isInsideTransaction {
          try db.beginTransaction()
          try db.execute(sql: "INSERT INTO person VALUES (2, 'Cid')")
        }
        let error = databaseError {
          try Person.inserted(db, contentsOf: people, onConflict: .rollback)
        }
        #expect(error?.message == "UNIQUE constraint failed: person.name")
        #expect(!db.isInsideTransaction)
        #expect(try names(db) == ["Ann"])
      }
    }
  }

  @Test func `Records that are ignored are no failure`() throws {
    try makeDatabase(sql: Self.schema).write { db in
      let people = ["Bob", "Ann", "Cid"].map { Person(name: $0) }
      let inserted = try Person.inserted(db, contentsOf: people, onConflict: .ignore)
      #expect(inserted.map(\.id) == [2, 2, 3])
      #expect(try names(db) == ["Ann", "Bob", "Cid"])
    }
  }

  @Test func `A view whose trigger fails has nothing of the records before`() throws {
    struct Shown: Encodable, PersistableRecord {
      var name: String
    }
    let sql =
      Self.schema + """
        CREATE VIEW shown AS SELECT name FROM person;
        CREATE TRIGGER i INSTEAD OF INSERT ON shown BEGIN
          INSERT INTO person (name) VALUES (NEW.name);
        END;
        """
    try makeDatabase(sql: sql).inDatabase { db in
      let error = databaseError {
        try Shown.insert(db, contentsOf: ["Bob", "Ann"].map { Shown(name: $0) })
      }
      #expect(error?.message == "UNIQUE constraint failed: person.name")
      #expect(try names(db) == ["Ann"])
      try Shown.insert(db, contentsOf: ["Bob", "Cid"].map { Shown(name: $0) })
      #expect(try names(db) == ["Ann", "Bob", "Cid"])
      #expect(!db.isInsideTransaction)
    }
  }

  @Test func `Subclasses keep their conflict policies, and their views`() throws {
    class Named: Encodable, PersistableRecord {
      class var databaseTableName: String { "person" }
      class var persistenceConflictPolicy: PersistenceConflictPolicy {
        PersistenceConflictPolicy()
      }
      var name: String
      init(_ name: String) { self.name = name }
    }
    final class Ignored: Named {
      override class var persistenceConflictPolicy: PersistenceConflictPolicy {
        PersistenceConflictPolicy(insert: .ignore)
      }
    }
    final class Shown: Named {
      override class var databaseTableName: String { "shown" }
    }
    let sql =
      Self.schema + """
        CREATE VIEW shown AS SELECT name FROM person;
        CREATE TRIGGER i INSTEAD OF INSERT ON shown BEGIN
          INSERT INTO person (name) VALUES (upper(NEW.name));
        END;
        """
    try makeDatabase(sql: sql).write { db in
      try Named.insert(db, contentsOf: [Named("Bob"), Ignored("Ann"), Shown("Cid"), Shown("Dan")])
      #expect(try names(db) == ["Ann", "Bob", "CID", "DAN"])
      #expect(
        databaseError { try Named.insert(db, contentsOf: [Ignored("x"), Named("Ann")]) } != nil)
      #expect(try names(db) == ["Ann", "Bob", "CID", "DAN"])
    }
  }
}
