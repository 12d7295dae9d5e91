import QuarryTestSupport
import Testing

@testable import Quarry

/// Tables where a column that is no rowid has one of its names.
struct HiddenRowIDTests {
  /// A table without primary key, with a column that is called `rowid`.
  private struct Mark: Codable, Equatable, FetchableRecord, PersistableRecord {
    var rowid: String
    var name: String?
  }

  /// A table with a key that is no integer.
  private struct Label: Codable, Equatable, FetchableRecord, PersistableRecord {
    var code: String
    var rowid: String?
  }

  /// A table that reports the rowid of an insertion.
  private struct Entry: Encodable, MutablePersistableRecord {
    static let databaseTableName = "mark"
    var rowid: String
    var number: Int64?
    private enum CodingKeys: CodingKey { case rowid }
    mutating func didInsert(_ inserted: InsertionSuccess) { number = inserted.rowID }
  }

  /// A table without primary key whose columns have all names of the rowid.
  private struct Crowded: Codable, Equatable, FetchableRecord, PersistableRecord {
    var rowid: Int
    var oid: Int
    var _rowid_: Int
  }

  /// A record that reports the rowid of its insertion, in a table with a key and such columns.
  private struct Copy: MutablePersistableRecord {
    var code: String
    var number: Int64?
    func encode(to container: inout PersistenceContainer) { container["code"] = code }
    mutating func didInsert(_ inserted: InsertionSuccess) { number = inserted.rowID }
  }

  private func inDatabase(_ body: (Database, SQLRecorder) throws -> Void) throws {
    let recorder = SQLRecorder()
    try DatabaseQueue(configuration: recorder.recording()).write { db in
      try db.execute(
        sql: """
          CREATE TABLE mark (rowid TEXT UNIQUE, name TEXT);
          INSERT INTO mark (_rowid_, rowid, name) VALUES (7, 'a', 'x'), (8, 'b', 'y');
          CREATE TABLE label (code TEXT PRIMARY KEY, rowid TEXT);
          INSERT INTO label VALUES ('A', 'same'), ('B', 'same');
          CREATE TABLE crowded (rowid UNIQUE, oid, _rowid_);
          CREATE TABLE crowd (rowid, oid, _rowid_);
          CREATE TABLE copy (code TEXT PRIMARY KEY, rowid, oid, _rowid_);
          """)
      _ = recorder.take()
      try body(db, recorder)
    }
  }

  @Test func `An upsert returns the rowid, not the column of this name`() throws {
    try inDatabase { db, recorder throws in
      var entry = Entry(rowid: "a")
      try entry.upsert(db)
      #expect(entry.number == 7)
      try entry.insert(db, onConflict: .replace)
      #expect(entry.number == 9)
      let upserted = try Mark(rowid: "b", name: "z").upsertAndFetch(db)
      #expect(upserted == Mark(rowid: "b", name: "z"))
      #expect(
        recorder.takeStatements() == [
          #"INSERT INTO "mark" ("rowid") VALUES (?) ON CONFLICT DO UPDATE SET "#
            + #""rowid" = "excluded"."rowid" RETURNING "_rowid_""#,
          #"INSERT OR REPLACE INTO "mark" ("rowid") VALUES (?)"#,
          #"INSERT INTO "mark" ("rowid", "name") VALUES (?,?) ON CONFLICT DO UPDATE SET "#
            + #""rowid" = "excluded"."rowid", "name" = "excluded"."name" RETURNING *, "_rowid_""#,
        ])
    }
  }

  @Test func `A row without key is not updated by its column`() throws {
    try inDatabase { db, recorder throws in
      let mark = Mark(rowid: "a", name: "z")
      #expect(try db.primaryKey("mark").columns == ["_rowid_"])
      #expect(
        errorText { try mark.update(db) }
          == "Key not found in table mark: [_rowid_:NULL]\n\(nullKeyDetails)")
      #expect(try !mark.delete(db))
      #expect(try !mark.exists(db))
      #expect(try Mark.fetchOne(db, key: 8) == Mark(rowid: "b", name: "y"))
      #expect(try Mark.fetchOne(db, key: ["rowid": "a"]) == Mark(rowid: "a", name: "x"))
      #expect(
        recorder.takeStatements() == [
          #"SELECT * FROM "mark" WHERE "_rowid_" = ?"#,
          #"SELECT * FROM "mark" WHERE "rowid" = ?"#,
        ])
    }
  }

  @Test func `Rows with the same value in the column are distinguished`() throws {
    try inDatabase { db, _ throws in
      var labels = [Label(code: "C", rowid: "same"), Label(code: "D", rowid: "same")]
      try Label.insert(db, contentsOf: labels)
      let request = Label.filter(Column("code") == "A").limit(1)
      #expect(try request.deleteAll(db) == 1)
      labels = try Label.order(Column("code")).fetchAll(db)
      #expect(labels.map(\.code) == ["B", "C", "D"])
      #expect(try Label(code: "B", rowid: "new").upsertAndFetch(db).rowid == "new")
    }
  }

  @Test func `A rowid without name identifies no rows`() throws {
    try inDatabase { db, _ throws in
      try db.execute(sql: "INSERT INTO crowded VALUES (1, 2, 3), (NULL, 5, 6), (NULL, 7, 8)")
      let crowded = Table("crowded")
      let joined = crowded.joining(required: crowded.association(to: Table("mark"))).limit(1)
      let message = """
        The rows of table "crowded" can't be identified: the rowid has no name, since columns have \
        all its names. To fix this error, declare a primary key.
        """
      for error in [
        errorText { try joined.deleteAll(db) },
        errorText { try joined.updateAll(db, Column("oid").set(to: 9)) },
        errorText { try crowded.all().group(Column("rowid")).deleteAll(db) },
        errorText { try crowded.all().groupByPrimaryKey().fetchAll(db) },
      ] {
        #expect(error?.contains(message) == true, "\(error ?? "no error")")
      }
      #expect(try crowded.filter(Column("oid") != 9).fetchCount(db) == 3)
    }
  }

  @Test func `A record is not written by a column that is no rowid`() throws {
    struct Crowd: Codable, Equatable, FetchableRecord, PersistableRecord {
      var rowid: Int
      var oid: Int
      var _rowid_: Int
    }
    try inDatabase { db, _ throws in
      let rows = [Crowd(rowid: 7, oid: 1, _rowid_: 1), Crowd(rowid: 7, oid: 2, _rowid_: 2)]
      try Crowd.insert(db, contentsOf: rows)
      let changed = Crowd(rowid: 7, oid: 3, _rowid_: 3)
      let message =
        #"The rows of table "crowd" can't be identified: the rowid has no name, since columns have"#
      for error in [
        errorText { try changed.update(db) }, errorText { try changed.updateAndFetch(db) },
        errorText { try changed.save(db) }, errorText { try changed.delete(db) },
        errorText { try changed.exists(db) }, errorText { try Crowd.fetchOne(db, key: 7) },
        errorText { try Crowd.deleteOne(db, key: 7) },
        errorText { try Crowd.all().orderByPrimaryKey().fetchAll(db) },
      ] {
        #expect(error?.contains(message) == true, "\(error ?? "no error")")
      }
      let error = errorText { try Crowd.deleteOne(db, key: ["rowid": 7]) }
      #expect(error?.contains("table crowd has no unique key on column(s) rowid") == true)
      #expect(try Crowd.order(Column("oid")).fetchAll(db) == rows)
    }
  }

  @Test func `An upsert overwrites a column that is no rowid`() throws {
    try inDatabase { db, _ throws in
      try db.execute(sql: "CREATE UNIQUE INDEX crowdedOID ON crowded (oid)")
      try Crowded(rowid: 1, oid: 2, _rowid_: 3).insert(db)
      let changed = Crowded(rowid: 10, oid: 2, _rowid_: 30)
      try changed.upsert(db)
      #expect(try Crowded.fetchAll(db) == [changed])
    }
  }

  @Test func `Each record of a batch has its rowid, which has no name`() throws {
    try inDatabase { db, recorder throws in
      var copies = [Copy(code: "A"), Copy(code: "B"), Copy(code: "C")]
      try Copy.insert(db, contentsOf: &copies)
      #expect(copies.map(\.number) == [1, 2, 3])
      let insert = #"INSERT INTO "copy" ("code") VALUES (?)"#
      #expect(
        recorder.takeStatements().filter { $0.hasPrefix("INSERT") } == [insert, insert, insert])
    }
  }

  @Test func `Columns may have all names of the rowid`() throws {
    try inDatabase { db, _ throws in
      let first = Crowded(rowid: 1, oid: 2, _rowid_: 3)
      try Crowded.insert(db, contentsOf: [first, Crowded(rowid: 4, oid: 5, _rowid_: 6)])
      let changed = Crowded(rowid: 1, oid: 20, _rowid_: 30)
      #expect(try changed.upsertAndFetch(db, onConflict: ["rowid"]) == changed)
      #expect(try Crowded.fetchCount(db) == 2)
    }
  }
}
