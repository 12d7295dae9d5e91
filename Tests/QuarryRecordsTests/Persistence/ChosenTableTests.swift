import QuarryRecords
import QuarryTestSupport
import Testing

@testable import Quarry

private struct Member: Codable, Equatable, FetchableRecord, MutablePersistableRecord {
  static let membership = belongsTo(Club.self)

  var id: Int64?
  var clubId: Int64?
  var name: String

  mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

private struct Club: Codable, Equatable, FetchableRecord, PersistableRecord {
  var id: Int64
  var name: String
}

/// Has all callbacks. Before it is inserted or updated, it writes another record of its type.
private struct Logged: Codable, Equatable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "member"
  static var hasAroundCallbacks: Bool { true }
  nonisolated(unsafe) static var log: [String] = []

  var id: Int64
  var name: String

  private func note(_ text: String) { Self.log.append("\(text) \(id)") }

  private func writeAnother(_ db: Database) throws {
    if id < 100 { try Logged(id: id + 100, name: "log of \(name)").save(db) }
  }

  func willInsert(_ db: Database) throws {
    note("willInsert")
    try writeAnother(db)
  }

  func aroundInsert(_ db: Database, insert: () throws -> InsertionSuccess) throws {
    try writeAnother(db)
    let inserted = try insert()
    note("inserted \(inserted.rowID) into \(inserted.rowIDColumn ?? "rowid") of")
    try writeAnother(db)
  }

  func willUpdate(_ db: Database, columns: Set<String>) throws {
    note("willUpdate \(columns.sorted().joined(separator: ","))")
    try writeAnother(db)
  }

  func willDelete(_ db: Database) throws {
    note("willDelete")
    try writeAnother(db)
  }
}

/// Writes a record after each commit.
private final class Auditor: TransactionObserver {
  private(set) var errors: [any Error] = []
  private var isWriting = false
  private var count: Int64 = 0

  func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { true }
  func databaseDidChange(with event: DatabaseEvent) {}
  func databaseDidRollback(_ db: Database) {}

  func databaseDidCommit(_ db: Database) {
    if isWriting { return }
    isWriting = true
    defer { isWriting = false }
    count += 1
    do {
      var member = Member(id: 500 + count, name: "audit \(count)")
      try member.insert(db)
    } catch {
      errors.append(error)
    }
  }
}

@Suite(.serialized)
struct ChosenTableTests {
  private static let tables = ["old", "OLD", "archive.member", #"a.b "c""#, "main.old", "member"]

  private func inDatabase(_ body: (Database, SQLRecorder) throws -> Void) throws {
    let recorder = SQLRecorder()
    try DatabaseQueue(configuration: recorder.recording()).inDatabase { db throws in
      try db.execute(
        sql: """
          ATTACH ':memory:' AS archive;
          CREATE TABLE club (id INTEGER PRIMARY KEY, name TEXT);
          CREATE TABLE member (
            id INTEGER PRIMARY KEY, clubId INTEGER REFERENCES club, name TEXT UNIQUE);
          CREATE TABLE "old" (
            id INTEGER PRIMARY KEY, clubId INTEGER REFERENCES club, name TEXT UNIQUE);
          CREATE TABLE archive.member (id INTEGER PRIMARY KEY, clubId INTEGER, name TEXT);
          CREATE TABLE [a.b "c"] (id INTEGER PRIMARY KEY, clubId INTEGER, name TEXT);
          CREATE TABLE keyed (
            name TEXT NOT NULL PRIMARY KEY, clubId INTEGER, id INTEGER) WITHOUT ROWID;
          CREATE TABLE narrow (id INTEGER PRIMARY KEY, name TEXT);
          CREATE VIEW seen AS SELECT * FROM member;
          CREATE TRIGGER see INSTEAD OF INSERT ON seen BEGIN
            INSERT INTO member VALUES (NEW.id, NEW.clubId, NEW.name || '!');
          END;
          INSERT INTO club VALUES (1, 'Chess');
          """)
      _ = recorder.take()
      try body(db, recorder)
    }
  }

  private func names(_ db: Database, _ table: String) throws -> [String] {
    try Table(table).select(Column("name"), as: String.self).order(Column("name")).fetchAll(db)
  }

  @Test func `a record is written to another table`() throws {
    try inDatabase { db, log throws in
      var ada = Member(name: "Ada")
      try ada.insert(db, into: "old")
      #expect(ada.id == 1)
      ada.name = "Ada L."
      try ada.update(db, in: "old")
      try ada.update(db, in: "old", columns: ["clubId"])
      #expect(
        log.takeStatements() == [
          #"INSERT INTO "old" ("id", "clubId", "name") VALUES (?,?,?)"#,
          #"UPDATE "old" SET "clubId"=?, "name"=? WHERE "id"=?"#,
          #"UPDATE "old" SET "clubId"=? WHERE "id"=?"#,
        ])
      #expect(try Table<Member>("old").fetchAll(db) == [Member(id: 1, name: "Ada L.")])
      #expect(try names(db, "member") == [])
      #expect(try ada.delete(db, from: "old"))
      #expect(try !ada.delete(db, from: "old"))
      #expect(try names(db, "old") == [])
    }
  }

  @Test func `a record is written to another table, and its row is fetched`() throws {
    try inDatabase { db, log throws in
      try db.execute(sql: "INSERT INTO member VALUES (1, NULL, 'untouched')")
      for table in Self.tables where table != "member" {
        try Table(table).deleteAll(db)
        _ = log.take()
        let inserted = try Member(name: "Ada").insertAndFetch(db, into: table)
        #expect(inserted == Member(id: 1, name: "Ada"))
        var ada = inserted
        ada.name = "Ada L."
        #expect(try ada.updateAndFetch(db, in: table) == ada)
        var bo = Member(name: "Bo")
        #expect(try bo.insertAndFetch(db, into: table, as: Club.self) == Club(id: 2, name: "Bo"))
        #expect(bo.id == 2)
        let fetched = try bo.updateAndFetch(
          db, in: table, columns: ["name"], selection: [Column("name")]
        ) { try String.fetchOne($0) }
        #expect(fetched == "Bo")
        bo.name = "Bob"
        #expect(try bo.saveAndFetch(db, into: table) == bo)
        #expect(try Member(id: 3, name: "Cy").saveAndFetch(db, into: table).id == 3)
        ada.name = "Ada M."
        #expect(try ada.upsertAndFetch(db, into: table) == ada)
        #expect(try names(db, table) == ["Ada M.", "Bob", "Cy"])
        #expect(try names(db, "member") == ["untouched"])
        let missing = #expect(throws: RecordError.self) {
          try Member(id: 9, name: "").updateAndFetch(db, in: table)
        }
        guard case .recordNotFound(let name, _) = missing else { continue }
        #expect(name == table)
      }
      #expect(try Club(id: 4, name: "D").insertAndFetch(db, into: "narrow", as: Club.self).id == 4)
      #expect(
        try Club(id: 4, name: "E").upsertAndFetch(db, into: "narrow") == Club(id: 4, name: "E"))
      #expect(
        try Club(id: 4, name: "F").saveAndFetch(db, into: "narrow", as: Club.self).name == "F")
      #expect(throws: DatabaseError.self) { try Member(name: "").insertAndFetch(db, into: "none") }
      #expect(throws: (any Error).self) { try Member(name: "").insertAndFetch(db, into: "narrow") }
      #expect(try names(db, "club") == ["Chess"])
    }
  }

  @Test func `a schema is a part of the name`() throws {
    try inDatabase { db, log throws in
      var ada = Member(name: "Ada")
      try ada.insert(db, into: "archive.member")
      try ada.update(db, in: "archive.member")
      try ada.delete(db, from: "archive.member")
      #expect(
        log.takeStatements() == [
          #"INSERT INTO "archive"."member" ("id", "clubId", "name") VALUES (?,?,?)"#,
          #"UPDATE "archive"."member" SET "clubId"=?, "name"=? WHERE "id"=?"#,
          #"DELETE FROM "archive"."member" WHERE "id"=?"#,
        ])
    }
  }

  @Test(arguments: tables)
  func `all writes go to the table`(table: String) throws {
    try inDatabase { db, _ throws in
      var ada = Member(name: "Ada")
      try ada.save(db, into: table)
      ada.name = "Ada L."
      try ada.save(db, into: table)
      ada.name = "Ada K."
      try ada.upsert(db, into: table)
      #expect(ada.id == 1)
      var more = [Member(name: "Bo"), Member(name: "Cy")]
      try Member.insert(db, contentsOf: &more, into: table)
      #expect(more.map(\.id) == [2, 3])
      #expect(try names(db, table) == ["Ada K.", "Bo", "Cy"])
      let all = try ["old", "main.member", "archive.member", #"a.b "c""#].map {
        try names(db, $0).count
      }
      #expect(all.reduce(0, +) == 3)
      for member in more { try member.delete(db, from: table) }
      #expect(try names(db, table) == ["Ada K."])
    }
  }

  @Test func `records that don't change are written too`() throws {
    try inDatabase { db, _ throws in
      try db.execute(sql: "CREATE TABLE oldClub (id INTEGER PRIMARY KEY, name TEXT)")
      let club = Club(id: 7, name: "Go")
      try club.insert(db, into: "oldClub")
      try club.upsert(db, into: "oldClub")
      try club.save(db, into: "oldClub")
      try Club(id: 7, name: "Baduk").update(db, in: "oldClub")
      try Club.insert(db, contentsOf: [Club(id: 8, name: "Bridge")], into: "oldClub")
      #expect(try names(db, "oldClub") == ["Baduk", "Bridge"])
      #expect(try names(db, "club") == ["Chess"])
    }
  }

  @Test func `no write takes the statement of another table`() throws {
    try inDatabase { db, _ throws in
      for round in 1...3 {
        for (number, table) in [nil, "old", nil, nil, "archive.member", "old"].enumerated() {
          var member = Member(name: "\(round) \(number)")
          if let table {
            try member.insert(db, into: table)
            try member.save(db, into: table)
          } else {
            try member.insert(db)
            try member.save(db)
          }
        }
      }
      let rounds = 1...3
      #expect(try names(db, "member") == rounds.flatMap { ["\($0) 0", "\($0) 2", "\($0) 3"] })
      #expect(try names(db, "old") == rounds.flatMap { ["\($0) 1", "\($0) 5"] })
      #expect(try names(db, "archive.member") == rounds.map { "\($0) 4" })
    }
  }

  @Test func `the statements of each table are kept`() throws {
    try inDatabase { db, _ throws in
      let member = Member(id: 1, name: "Ada")
      func caches() throws -> [RecordTypeCache] {
        try [nil, "old", "archive.member"].map { try db.recordTypeCache(for: member, in: $0) }
      }
      let first = try caches()
      #expect(Set(first.map(ObjectIdentifier.init)).count == 3)
      #expect(try caches().elementsEqual(first, by: ===))
      try db.execute(sql: "CREATE TABLE another (id INTEGER PRIMARY KEY)")
      let second = try caches()
      #expect(Set((first + second).map(ObjectIdentifier.init)).count == 6)
      // Tables without end: one for each day, say.
      for number in 0..<100 { _ = try db.recordTypeCache(for: member, in: "t\(number)") }
      #expect(try caches()[0] === second[0])
    }
  }

  @Test func `a table that changes gets new statements`() throws {
    try inDatabase { db, _ throws in
      var member = Member(id: 1, name: "Ada")
      try member.insert(db, into: "old")
      try db.execute(sql: "DROP TABLE old; CREATE TABLE old (name TEXT PRIMARY KEY, id, clubId)")
      try member.insert(db, into: "old")
      member.id = 5
      try member.update(db, in: "old")
      #expect(try Row.only(db, "SELECT * FROM old") == ["name": "Ada", "id": 5, "clubId": nil])
    }
  }

  @Test func `the key is that of the table`() throws {
    try inDatabase { db, _ throws in
      var member = Member(id: 1, clubId: 3, name: "Ada")
      try member.insert(db, into: "keyed")
      member.clubId = 4
      try member.update(db, in: "keyed")
      try member.save(db, into: "keyed")
      member.id = 9
      try member.upsert(db, into: "keyed")
      #expect(try Row.only(db, "SELECT * FROM keyed") == ["name": "Ada", "clubId": 4, "id": 9])
      let missing = errorText { try Member(id: 9, name: "Bo").update(db, in: "keyed") }
      #expect(missing == "Key not found in table keyed: [name:\"Bo\"]")
      #expect(try member.delete(db, from: "keyed"))
    }
  }

  @Test func `the triggers of a view write`() throws {
    try inDatabase { db, _ throws in
      var member = Member(name: "Ada")
      try member.insert(db, into: "seen")
      var more = [Member(name: "Bo")]
      try Member.insert(db, contentsOf: &more, into: "seen")
      #expect(try names(db, "member") == ["Ada!", "Bo!"])
      let keyless = errorText { try member.update(db, in: "seen") }
      #expect(keyless?.contains("seen") == true)
    }
  }

  @Test func `callbacks write to the tables of their types`() throws {
    try inDatabase { db, _ throws in
      Logged.log = []
      let ada = Logged(id: 1, name: "Ada")
      try ada.insert(db, into: "old")
      try Logged.insert(db, contentsOf: [Logged(id: 2, name: "Bo")], into: "old")
      try Logged(id: 1, name: "Ada L.").update(db, in: "old")
      try Logged(id: 3, name: "Cy").save(db, into: "old")
      try Logged(id: 3, name: "Cyd").save(db, into: "old")
      try Logged(id: 3, name: "Cyd").upsert(db, into: "old")
      #expect(try names(db, "old") == ["Ada L.", "Bo", "Cyd"])
      #expect(try names(db, "member") == ["log of Ada L.", "log of Bo", "log of Cyd"])
      try ada.delete(db, from: "old")
      #expect(try names(db, "old") == ["Bo", "Cyd"])
      #expect(
        Logged.log.filter { $0.hasSuffix(" 1") } == [
          "willInsert 1", "inserted 1 into id of 1", "willUpdate clubId,id,name 1", "willDelete 1",
        ])
    }
  }

  @Test func `observers write to the tables of their types`() throws {
    try inDatabase { db, _ throws in
      let auditor = Auditor()
      db.add(transactionObserver: auditor)
      var ada = Member(name: "Ada")
      try ada.insert(db, into: "old")
      try ada.update(db, in: "old")
      try ada.save(db, into: "old")
      try ada.upsert(db, into: "old")
      var more = [Member(name: "Bo"), Member(name: "Cy")]
      try Member.insert(db, contentsOf: &more, into: "old")
      try ada.delete(db, from: "old")
      #expect(auditor.errors.isEmpty)
      #expect(try names(db, "member") == (1...6).map { "audit \($0)" })
      #expect(try names(db, "old") == ["Bo", "Cy"])
    }
  }

  @Test func `observations of the table are notified`() throws {
    let queue = try DatabaseQueue()
    try queue.write { db in
      for table in ["member", "old"] {
        try db.execute(sql: "CREATE TABLE \(table) (id INTEGER PRIMARY KEY, clubId, name)")
      }
    }
    func changes(of table: String, _ write: (Database) throws -> Void) throws -> Int {
      let count = Log<Int>()
      let cancellable = DatabaseRegionObservation(tracking: Table(table)).start(in: queue) {
        Issue.record($0)
      } onChange: { _ in
        count.append(1)
      }
      try queue.write(write)
      cancellable.cancel()
      return count.elements.count
    }
    var ada = Member(id: 1, name: "Ada")
    let writes: [(Database) throws -> Void] = [
      { try ada.insert($0, into: "old") },
      { try ada.update($0, in: "old") },
      { try ada.save($0, into: "old") },
      { try ada.delete($0, from: "old") },
      {
        var more = [Member(name: "Bo")]
        try Member.insert($0, contentsOf: &more, into: "old")
      },
    ]
    for write in writes {
      #expect(try changes(of: "old", write) == 1)
      try queue.write { db in try db.execute(sql: "DELETE FROM old WHERE name = 'Ada'") }
      try queue.write { db in try db.execute(sql: "INSERT INTO old VALUES (1, NULL, 'Ada')") }
    }
    try queue.write { db in try db.execute(sql: "DELETE FROM old") }
    for write in [writes[0], writes[1], writes[2], writes[3], writes[4]] {
      #expect(try changes(of: "member", write) == 0)
    }
  }

  @Test func `unknown tables and schemas are named`() throws {
    try inDatabase { db, _ throws in
      var member = Member(id: 1, name: "Ada")
      var members = [Member(name: "Bo"), Member(name: "Cy")]
      for (table, way) in [
        ("nope.member", #"there is no schema "nope": ATTACH DATABASE adds one"#),
        ("archive.membr", #"did you mean "member"?"#), ("olf", #"did you mean "old"?"#),
      ] {
        let writes: [() throws -> Void] = [
          { try member.insert(db, into: table) },
          { try member.save(db, into: table) },
          { try member.update(db, in: table) },
          { try member.update(db, in: table, columns: ["name"]) },
          { try member.upsert(db, into: table) },
          { try member.delete(db, from: table) },
          { try Member.insert(db, contentsOf: &members, into: table) },
          { try Club.insert(db, contentsOf: [Club(id: 1, name: "Go")], into: table) },
          { _ = try Table<Member>(table).fetchAll(db) },
        ]
        for write in writes {
          let text = errorText(write)
          #expect(text?.contains("no such table: \(table)") == true, "\(text ?? "no error")")
          #expect(text?.contains(way) == true, "\(text ?? "no error")")
        }
      }
      let nameless = errorText { try member.insert(db, into: "") }
      #expect(nameless?.contains("no such table: ") == true)
      #expect(members.map(\.id) == [nil, nil])
      // The record's own table is as it was.
      try member.insert(db)
      #expect(try names(db, "member") == ["Ada"])
    }
  }

  @Test func `errors name the table, its columns and its keys`() throws {
    try inDatabase { db, _ throws in
      var member = Member(id: 1, name: "Ada")
      let text = errorText { try member.insert(db, into: "narrow") }
      #expect(text?.contains("table narrow has no column named clubId") == true)
      var members = [member]
      let batch = errorText { try Member.insert(db, contentsOf: &members, into: "narrow") }
      #expect(batch?.contains("table narrow has no column named clubId") == true)
      let missing = errorText { try member.update(db, in: "old") }
      #expect(missing == "Key not found in table old: [id:1]")
      // Its own table would accept the club.
      try db.execute(sql: "DROP TABLE member; CREATE TABLE member (id, clubId, name)")
      member.clubId = 9
      members = [member]
      for write in [
        { try member.insert(db, into: "old") }, { try member.save(db, into: "old") },
        { try member.upsert(db, into: "old") },
        { try Member.insert(db, contentsOf: &members, into: "old") },
      ] {
        let foreign = errorText(write)
        #expect(
          foreign?.contains("foreign key from old(clubId) to club(id)") == true, "\(foreign ?? "")")
      }
      member.clubId = 1
      try member.insert(db, into: "old")
      var namesake = Member(name: "Ada")
      let unique = errorText { try namesake.insert(db, into: "old") }
      #expect(unique?.contains("UNIQUE constraint failed: old.name") == true, "\(unique ?? "")")
      let saved = errorText { try namesake.save(db, into: "old") }
      #expect(saved?.contains("UNIQUE constraint failed: old.name") == true)
      try namesake.insert(db, into: "old", onConflict: .ignore)
      #expect(try Table<Member>("old").fetchAll(db) == [member])
      namesake.id = nil
      try namesake.insert(db, into: "old", onConflict: .replace)
      #expect(try Table<Member>("old").fetchAll(db) == [Member(id: 2, name: "Ada")])
      var batchOfNamesakes = [Member(name: "Bo"), Member(name: "Ada")]
      let failed = errorText {
        try Member.insert(db, contentsOf: &batchOfNamesakes, into: "old")
      }
      #expect(failed?.contains("UNIQUE constraint failed: old.name") == true)
      #expect(try names(db, "old") == ["Ada"])
      try Member.insert(db, contentsOf: &batchOfNamesakes, into: "old", onConflict: .ignore)
      #expect(try names(db, "old") == ["Ada", "Bo"])
    }
  }

  @Test func `associations follow the table`() throws {
    try inDatabase { db, log throws in
      var member = Member(clubId: 1, name: "Ada")
      try member.insert(db, into: "old")
      _ = log.take()
      let request = Table<Member>("old").including(required: Member.membership)
      let row = try #require(try request.asRequest(of: Row.self).fetchOne(db))
      #expect(row["name"] == "Ada")
      #expect(row.scopes["club"]?["name"] == "Chess")
      #expect(
        log.takeStatements() == [
          #"SELECT "old".*, "club".* FROM "old" JOIN "club" ON "club"."id" = "old"."clubId" LIMIT 1"#
        ])
      let old = Club.hasMany(Table<Member>("old"))
      let counted = Club.annotated(with: old.count).asRequest(of: Row.self)
      #expect(try counted.fetchOne(db)?["oldCount"] == 1)
      #expect(try Club(id: 1, name: "").request(for: old).fetchAll(db) == [member])
      let table = Table<Member>("old")
      try table.filter(Column("id") == 1).updateAll(db, Column("name").set(to: "X"))
      #expect(try names(db, "old") == ["X"])
      #expect(try table.deleteAll(db) == 1)
    }
  }
}
