import Quarry
import QuarryFunctions
import QuarryRecords
import QuarryTestSupport
import Testing

/// Records on views, whose INSTEAD OF triggers do the changes.
struct ViewRecordTests {
  struct Member: Codable, Equatable, FetchableRecord, MutablePersistableRecord {
    static let databaseTableName = "activeMember"
    var id: Int64?
    var name: String

    mutating func didInsert(_ inserted: InsertionSuccess) {
      id = inserted.rowID
    }
  }

  struct Source: DatabaseSchemaSource {
    var key: [String]? = ["id"]

    func columnsForPrimaryKey(_ db: Database, inView view: DatabaseObjectID) throws -> [String]? {
      view.name == "activeMember" ? key : nil
    }
  }

  /// - parameter insertion: the statements of the trigger.
  static func makeDatabase(
    insertion: String = "INSERT INTO member (id, name) VALUES (NEW.id, NEW.name);",
    source: Source = Source()
  ) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.schemaSource = source
    let queue = try DatabaseQueue(configuration: configuration)
    try queue.write { db in
      try db.execute(
        sql: """
          CREATE TABLE member (id INTEGER PRIMARY KEY, name TEXT, isActive BOOLEAN DEFAULT 1);
          CREATE TABLE log (id INTEGER PRIMARY KEY, text TEXT);
          INSERT INTO member (id, name) VALUES (10, 'Old');
          CREATE VIEW activeMember AS SELECT id, name FROM member WHERE isActive;
          CREATE TRIGGER i INSTEAD OF INSERT ON activeMember BEGIN \(insertion) END;
          CREATE TRIGGER u INSTEAD OF UPDATE ON activeMember BEGIN
            UPDATE member SET name = upper(NEW.name), isActive = NEW.name <> 'gone'
            WHERE id = OLD.id;
          END;
          CREATE TRIGGER d INSTEAD OF DELETE ON activeMember BEGIN
            UPDATE member SET isActive = 0 WHERE id = OLD.id;
          END;
          """)
    }
    return queue
  }

  @Test func `An insertion sets the identifier that the trigger has made`() throws {
    try Self.makeDatabase().write { db in
      var member = Member(id: nil, name: "Anna")
      try member.insert(db)
      #expect(member.id == 11)
      try member.insert(db, onConflict: .replace)
      #expect(member.id == 11)
      var other = Member(id: 5, name: "Ben")
      try other.save(db)
      #expect(other.id == 5)
      try #expect(Member.fetchCount(db) == 3)
    }
  }

  @Test func `Columns of an insertion are chosen`() throws {
    try Self.makeDatabase().write { db in
      var member = Member(id: nil, name: "Anna")
      try member.insert(db, columns: .nonNull)
      #expect(member.id == 11)
      try #expect(Member.fetchAll(db).map(\.name) == ["Old", "Anna"])
    }
  }

  @Test func `Rows that the view does not show are no identifier`() throws {
    let insertion = """
      INSERT INTO log (text) VALUES ('before');
      INSERT INTO member (name) VALUES (NEW.name);
      INSERT INTO log (text) VALUES ('after');
      """
    try Self.makeDatabase(insertion: insertion).write { db in
      var member = Member(id: nil, name: "Anna")
      try member.insert(db)
      #expect(member.id == 11)
      try #expect(Member(id: nil, name: "Ben").insertAndFetch(db) == Member(id: 12, name: "Ben"))
    }
  }

  @Test func `Two inserted rows are an error, and nothing stays of them`() throws {
    let insertion = """
      INSERT INTO member (name) VALUES (NEW.name);
      INSERT INTO member (name) VALUES ('twin');
      """
    try Self.makeDatabase(insertion: insertion).write { db in
      var member = Member(id: nil, name: "Anna")
      let error = #expect(throws: DatabaseError.self) { try member.insert(db) }
      #expect(
        error?.description == """
          SQLite error 1: the triggers of database view activeMember inserted 2 rows \
          (member 11, member 12): the primary key of the record is unknown - while executing \
          `INSERT INTO "activeMember" ("id", "name") VALUES (?,?)`
          """)
      #expect(member.id == nil)
      try #expect(Member.fetchCount(db) == 1)
    }
  }

  @Test func `A trigger that inserts nothing leaves no row to fetch`() throws {
    try Self.makeDatabase(insertion: "UPDATE member SET name = NEW.name;").write { db in
      var member = Member(id: nil, name: "Anna")
      #expect(throws: RecordError.self) { _ = try member.insertAndFetch(db, as: Member.self) }
      #expect(member.id == nil)
      // Nothing stays of what fails.
      try #expect(Member.fetchAll(db) == [Member(id: 10, name: "Old")])
    }
  }

  @Test func `A record with a key is fetched by it, also where the trigger inserts nothing`() throws
  {
    let insertion = "INSERT INTO log (text) VALUES (NEW.name);"
    try Self.makeDatabase(insertion: insertion).write { db in
      try #expect(Member(id: 10, name: "Anna").insertAndFetch(db) == Member(id: 10, name: "Old"))
      for id in [99, nil] as [Int64?] {
        let member = Member(id: id, name: "Anna")
        #expect(throws: RecordError.self) { _ = try member.insertAndFetch(db) }
      }
      // Nothing stays of what fails.
      try #expect(Table("log").fetchCount(db) == 1)
    }
  }

  @Test(arguments: [["id"], nil])
  func `A trigger that inserts nothing leaves the record without identifier`(key: [String]?) throws
  {
    let insertion = "INSERT INTO log (text) VALUES (NEW.name);"
    try Self.makeDatabase(insertion: insertion, source: Source(key: key)).write { db in
      var member = Member(id: nil, name: "Anna")
      try member.insert(db)
      #expect(member.id == nil)
      if key != nil {
        try member.save(db)
        #expect(member.id == nil)
      }
      var members = [Member(id: nil, name: "Ben"), Member(id: nil, name: "Cid")]
      try Member.insert(db, contentsOf: &members, onConflict: .replace)
      #expect(members.map(\.id) == [nil, nil])
      try #expect(Member(id: nil, name: "Dan").inserted(db).id == nil)
    }
  }

  @Test func `Rows are fetched as the view shows them afterwards, without RETURNING`() throws {
    try Self.makeDatabase().write { db in
      var statements: [String] = []
      db.trace { event in
        if case .statement(let statement) = event, !statement.sql.hasPrefix("--") {
          statements.append(statement.sql)
        }
      }
      let anna = try Member(id: nil, name: "Anna").insertAndFetch(db)
      try #expect(anna.updateAndFetch(db) == Member(id: 11, name: "ANNA"))
      try #expect(Member(id: 11, name: "x").saveAndFetch(db) == Member(id: 11, name: "X"))
      #expect(
        try anna.updateAndFetch(
          db, columns: ["name"], selection: [Column("name"), Column("id") + 1]
        ) { try Row.fetchOne($0) } == ["name": "ANNA", "\"id\" + ?": 12])
      db.trace()
      #expect(!statements.contains { $0.contains("RETURNING") })
      #expect(
        statements.contains(#"SELECT "name", "id" + ? FROM "activeMember" WHERE "id" = ?"#))
    }
  }

  @Test func `A row that leaves the view can't be fetched, and stays as it was`() throws {
    try Self.makeDatabase().write { db in
      let gone = Member(id: 10, name: "gone")
      #expect(throws: RecordError.self) { _ = try gone.updateAndFetch(db) }
      try #expect(Member.fetchAll(db) == [Member(id: 10, name: "Old")])
      try gone.update(db)
      try #expect(Member.fetchCount(db) == 0)
    }
  }

  @Test func `A view without key can be inserted into, and not fetched from`() throws {
    try Self.makeDatabase(source: Source(key: nil)).write { db in
      var member = Member(id: nil, name: "Anna")
      try member.insert(db)
      #expect(member.id == 11)
      let fetching = #expect(throws: DatabaseError.self) { _ = try member.insertAndFetch(db) }
      #expect(fetching?.message == "database view activeMember has no primary key")
      try #expect(Member.fetchCount(db) == 2)
    }
  }

  @Test func `An upsert on a view is refused by SQLite`() throws {
    try Self.makeDatabase().write { db in
      var member = Member(id: 10, name: "Anna")
      let error = #expect(throws: DatabaseError.self) { try member.upsert(db) }
      #expect(error?.message == "cannot UPSERT a view")
    }
  }

  @Test func `Requests fetch the rows that they update or delete`() throws {
    try Self.makeDatabase().write { db in
      try db.execute(sql: "INSERT INTO member (id, name) VALUES (11, 'Anna'), (12, 'Ben')")
      let others = Member.filter(Column("id") > 10)
      let updated = try others.updateAndFetchAll(db, [Column("name").set(to: "both")])
      #expect(updated == [Member(id: 11, name: "BOTH"), Member(id: 12, name: "BOTH")])
      try #expect(
        others.updateAndFetchAll(db, [Column("name").set(to: "gone")]).isEmpty)
      try #expect(
        Member.all().deleteAndFetchAll(db) == [Member(id: 10, name: "Old")])
      try #expect(Member.all().deleteAndFetchCursor(db).next() == nil)
      try #expect(Table("member").fetchCount(db) == 3)
    }
  }

  @Test func `Requests of a random row fetch the one that they update or delete`() throws {
    try Self.makeDatabase().write { db in
      for id in 11...40 {
        try db.execute(sql: "INSERT INTO member (id, name) VALUES (?, 'Old')", arguments: [id])
      }
      let one = Member.order(.random).limit(1)
      for round in 1...8 {
        let updated = try one.updateAndFetchAll(db, [Column("name").set(to: "new \(round)")])
        #expect(updated.map(\.name) == ["NEW \(round)"])
        let before = try Member.fetchAll(db)
        #expect(before.filter { $0.name == "NEW \(round)" } == updated)
        let deleted = try one.deleteAndFetchAll(db)
        #expect(deleted.count == 1)
        let after = try Member.fetchAll(db)
        #expect(before.filter { !after.contains($0) } == deleted)
      }
    }
  }

  @Test func `Fetched rows keep the values that SQL texts can't contain`() throws {
    try Self.makeDatabase().write { db in
      let name = "a\u{0}b'c"
      try db.execute(sql: "UPDATE member SET name = ?", arguments: [name])
      try #expect(Member.all().deleteAndFetchAll(db) == [Member(id: 10, name: name)])
    }
  }

  @Test func `What can't be fetched from a view is an error, and changes nothing`() throws {
    try Self.makeDatabase().write { db in
      let request = Member.all()
      let returning = #expect(throws: InvalidRequest.self) {
        _ = try request.deleteAndFetchStatement(db, selection: [Column("id")])
      }
      #expect(
        returning?.message == """
          RETURNING does not return the rows of database view activeMember, whose triggers do the \
          changes: use deleteAndFetchAll
          """)
      let key = #expect(throws: InvalidRequest.self) {
        _ = try request.updateAndFetchAll(db, [Column("id").set(to: 1)])
      }
      #expect(
        key?.message == """
          The updated rows of database view activeMember can't be fetched: column id of its \
          primary key is updated
          """)
      try #expect(Member.fetchAll(db) == [Member(id: 10, name: "Old")])
    }
  }

  struct Loan: Codable, FetchableRecord, PersistableRecord {
    var code: String?
    var name: String
  }

  /// A view with a row whose key is null.
  private func withLoans(_ body: (Database) throws -> Void) throws {
    struct Source: DatabaseSchemaSource {
      func columnsForPrimaryKey(_ db: Database, inView view: DatabaseObjectID) throws -> [String]? {
        ["code"]
      }
    }
    var configuration = Configuration()
    configuration.schemaSource = Source()
    try DatabaseQueue(configuration: configuration).write { db in
      try db.execute(
        sql: """
          CREATE TABLE item (code TEXT, name TEXT);
          INSERT INTO item VALUES ('a', 'Atlas'), (NULL, 'Emma');
          CREATE VIEW loan AS SELECT * FROM item;
          CREATE TRIGGER i INSTEAD OF INSERT ON loan BEGIN
            INSERT INTO item VALUES (NEW.code, NEW.name);
          END;
          CREATE TRIGGER u INSTEAD OF UPDATE ON loan BEGIN
            UPDATE item SET name = NEW.name WHERE code IS OLD.code;
          END;
          """)
      try body(db)
    }
  }

  @Test func `A record whose key is null can't be fetched, and is not inserted`() throws {
    try withLoans { db throws in
      let loan = Loan(code: nil, name: "Ulysses")
      for write: () throws -> Void in [
        { _ = try loan.insertAndFetch(db) }, { _ = try loan.saveAndFetch(db) },
        { _ = try loan.insertAndFetch(db, as: Loan.self) },
      ] {
        let error = errorText(write)
        #expect(
          error?.hasPrefix(
            "The row that was written to loan can't be fetched: column code of its primary key is "
              + "null") == true, "\(error ?? "no error")")
      }
      try #expect(Loan.fetchAll(db).map(\.name) == ["Atlas", "Emma"])
      try #expect(Loan(code: "b", name: "Ulysses").insertAndFetch(db).name == "Ulysses")
    }
  }

  @Test func `A row whose key is null can't be fetched, and stays as it was`() throws {
    try withLoans { db throws in
      let update = [Column("name").set(to: "new")]
      let error = errorText { try Loan.all().updateAndFetchAll(db, update) }
      #expect(
        error?.hasPrefix(
          """
          The updated rows of database view loan can't be fetched: column code of its primary key \
          is null in one of them
          """) == true, "\(error ?? "no error")")
      try #expect(Loan.fetchAll(db).map(\.name) == ["Atlas", "Emma"])
      try #expect(
        Loan.filter(Column("code") == "a").updateAndFetchAll(db, update).map(\.name) == ["new"])
    }
  }

  @Test func `The key of a view may have several columns`() throws {
    struct Place: Codable, Equatable, FetchableRecord, PersistableRecord {
      var room: String
      var num: Int
      var label: String?
    }
    struct PlaceSource: DatabaseSchemaSource {
      func columnsForPrimaryKey(
        _ db: Database, inView view: DatabaseObjectID
      ) throws -> [String]? {
        ["ROOM", "num"]
      }
    }
    var configuration = Configuration()
    configuration.schemaSource = PlaceSource()
    try DatabaseQueue(configuration: configuration).write { db in
      try db.execute(
        sql: """
          CREATE TABLE shelf (
            room TEXT, num INTEGER, label TEXT, PRIMARY KEY (room, num)) WITHOUT ROWID;
          CREATE VIEW place AS SELECT room, num, upper(label) AS label FROM shelf;
          CREATE TRIGGER i INSTEAD OF INSERT ON place BEGIN
            INSERT INTO shelf VALUES (NEW.room, NEW.num, NEW.label);
          END;
          CREATE TRIGGER u INSTEAD OF UPDATE ON place BEGIN
            UPDATE shelf SET label = NEW.label WHERE room = OLD.room AND num = OLD.num;
          END;
          CREATE TRIGGER d INSTEAD OF DELETE ON place BEGIN
            DELETE FROM shelf WHERE room = OLD.room AND num = OLD.num;
          END;
          """)
      let place = Place(room: "a", num: 1, label: "x")
      try #expect(place.insertAndFetch(db) == Place(room: "a", num: 1, label: "X"))
      try #expect(
        Place(room: "a", num: 2, label: "y").saveAndFetch(db)
          == Place(room: "a", num: 2, label: "Y"))
      try #expect(
        Set(Place.all().updateAndFetchAll(db, [Column("label").set(to: "z")]).map(\.label))
          == ["Z"])
      try #expect(Place.filter(key: ["room": "a", "num": 1]).deleteAndFetchAll(db).count == 1)
      try #expect(Place.fetchOne(db, key: ["room": "a", "num": 2])?.label == "Z")
      let missing = Place(room: "b", num: 1)
      let error = #expect(throws: RecordError.self) { _ = try missing.updateAndFetch(db) }
      #expect(error?.description == #"Key not found in table place: [num:1 room:"b"]"#)
    }
  }
}
