import QuarryRecords
import QuarryTestSupport
import Testing

@testable import Quarry

private class Writer: Record {
  var id: Int64?
  var name: String?
  var country: String?

  init(id: Int64? = nil, name: String?, country: String? = nil) {
    self.id = id
    self.name = name
    self.country = country
    super.init()
  }

  required init(row: Row) throws {
    id = row["id"]
    name = row["name"]
    country = row["country"]
    try super.init(row: row)
  }

  override class var databaseTableName: String { "author" }

  override func encode(to container: inout PersistenceContainer) {
    container["id"] = id
    container["name"] = name
    container["country"] = country
  }

  override func didInsert(_ inserted: InsertionSuccess) {
    super.didInsert(inserted)
    id = inserted.rowID
  }
}

/// A record whose key is a text.
private class Nation: Record {
  var code: String
  var name: String

  init(code: String, name: String) {
    self.code = code
    self.name = name
    super.init()
  }

  required init(row: Row) throws {
    code = row["code"]
    name = row["name"]
    try super.init(row: row)
  }

  override class var databaseTableName: String { "country" }

  override func encode(to container: inout PersistenceContainer) {
    container["code"] = code
    container["name"] = name
  }
}

/// A record whose table has no primary key.
private class Region: Nation {
  override class var databaseTableName: String { "region" }
}

/// A record that is fetched without one of its columns.
private class Partial: Record {
  var id: Int64
  var name: String
  var country: String?

  init(id: Int64, name: String) {
    self.id = id
    self.name = name
    super.init()
  }

  required init(row: Row) throws {
    id = row["id"]
    name = row["name"]
    try super.init(row: row)
  }

  override class var databaseTableName: String { "author" }

  override func encode(to container: inout PersistenceContainer) {
    container["id"] = id
    container["name"] = name
    container["country"] = country
  }
}

/// A superclass without table.
private class Person: Record {}

private final class Borrower: Person {
  var id: Int64?
  var name: String
  var placeId: Int64?

  init(id: Int64?, name: String, placeId: Int64?) {
    self.id = id
    self.name = name
    self.placeId = placeId
    super.init()
  }

  required init(row: Row) throws {
    id = row["id"]
    name = row["name"]
    placeId = row["placeId"]
    try super.init(row: row)
  }

  override func encode(to container: inout PersistenceContainer) {
    container["id"] = id
    container["name"] = name
    container["placeId"] = placeId
  }
}

@Suite(.onQueueAndPool)
struct RecordClassTests {
  @Test func `A record in memory has changes, whose old values are not known`() throws {
    let writer = Writer(name: "x")
    #expect(writer.hasDatabaseChanges)
    let changes = try writer.databaseChanges
    #expect(changes.keys.sorted() == ["country", "id", "name"])
    #expect(changes.values.allSatisfy { $0 == nil })
  }

  @Test func `A fetched record has no changes`() throws {
    try inBookshop { db, _ throws in
      let writer = try #require(try Writer.fetchOne(db, key: 1))
      #expect(writer.name == "Ursula Vernet")
      #expect(!writer.hasDatabaseChanges)
      writer.name = "x"
      #expect(try writer.databaseChanges == ["name": "Ursula Vernet".databaseValue])
      writer.name = "Ursula Vernet"
      #expect(!writer.hasDatabaseChanges)
    }
  }

  @Test func `An inserted record has no changes`() throws {
    try inBookshop { db, _ throws in
      let writer = Writer(name: "x")
      try writer.insert(db)
      #expect(writer.id == 4)
      #expect(!writer.hasDatabaseChanges)
    }
  }

  @Test func `A record whose insertion is ignored has changes`() throws {
    try inBookshop { db, recorder throws in
      for fetched in [nil, try Nation.fetchOne(db, key: "FR")] {
        let nation = fetched ?? Nation(code: "FR", name: "x")
        nation.name = "x"
        try nation.insert(db, onConflict: .ignore)
        #expect(try nation.databaseChanges["name"] != nil)
        #expect(try Country.find(db, key: "FR").name == "France")
      }
      let nation = Nation(code: "FR", name: "Gaul")
      try nation.insert(db, onConflict: .ignore)
      #expect(nation.hasDatabaseChanges)
      #expect(try nation.updateChanges(db))
      #expect(try Country.find(db, key: "FR").name == "Gaul")
      #expect(!nation.hasDatabaseChanges)
      let new = Nation(code: "PT", name: "Portugal")
      try new.insert(db, onConflict: .ignore)
      #expect(!new.hasDatabaseChanges)
    }
  }

  @Test func `A record that is upserted has no changes`() throws {
    try inBookshop { db, _ throws in
      try db.execute(sql: "CREATE UNIQUE INDEX authorName ON author(name)")
      for id: Int64? in [1, 20, nil] {
        let writer = Writer(id: id, name: "x\(id ?? 0)", country: "XX")
        try writer.upsert(db)
        #expect(!writer.hasDatabaseChanges)
        writer.country = "YY"
        _ = try writer.upsertAndFetch(db, onConflict: ["id"])
        #expect(!writer.hasDatabaseChanges)
      }
      let writer = Writer(name: "Italo Bassi", country: "XX")
      _ = try writer.upsertAndFetch(db, onConflict: ["name"])
      #expect(writer.id == 2)
      #expect(!writer.hasDatabaseChanges)
      let nation = Nation(code: "FR", name: "x")
      try nation.upsert(db)
      #expect(!nation.hasDatabaseChanges)
      _ = try nation.upsertAndFetch(db, onConflict: ["CODE"])
      #expect(!nation.hasDatabaseChanges)
      // Without primary key, the row keeps nothing.
      try db.execute(sql: "CREATE TABLE region (code TEXT UNIQUE, name TEXT)")
      let region = Region(code: "FR", name: "France")
      try region.upsert(db)
      region.name = "Gaul"
      try region.upsert(db)
      #expect(try String.fetchAll(db, Table("region").select(Column("name"))) == ["Gaul"])
      #expect(!region.hasDatabaseChanges)
    }
  }

  @Test func `A record has changes after an upsert that may leave values of the row`() throws {
    try inBookshop { db, _ throws in
      try db.execute(sql: "CREATE UNIQUE INDEX countryName ON country(name)")
      let left = Writer(id: 1, name: "x", country: "XX")
      let row = try left.upsertAndFetch(
        db, onConflict: ["id"], updating: .noColumnUnlessSpecified)
      #expect(row.name == "Ursula Vernet")
      #expect(left.hasDatabaseChanges)
      #expect(try left.updateChanges(db))
      #expect(try Author.find(db, id: 1).name == "x")

      let assigned = Writer(id: 2, name: "y", country: "YY")
      _ = try assigned.upsertAndFetch(db, onConflict: ["id"]) { _ in
        [Column("country").set(to: "ZZ")]
      }
      #expect(try Author.find(db, id: 2).country == "ZZ")
      #expect(assigned.hasDatabaseChanges)
      #expect(try assigned.updateChanges(db))
      #expect(try Author.find(db, id: 2).country == "YY")

      let fetched = try #require(try Writer.fetchOne(db, key: 3))
      _ = try fetched.upsertAndFetch(db) { _ in [Column("country").set(to: "ZZ")] }
      #expect(try Author.find(db, id: 3).country == "ZZ")
      #expect(try fetched.updateChanges(db))
      #expect(try Author.find(db, id: 3).country == nil)

      let other = Nation(code: "XX", name: "France")
      _ = try other.upsertAndFetch(db, onConflict: ["name"])
      #expect(try Country.order(Column("code")).fetchAll(db).map(\.code) == ["FR", "IT"])
      #expect(other.hasDatabaseChanges)

      // Any unique key finds the row.
      let another = Nation(code: "YY", name: "Italy")
      try another.upsert(db)
      #expect(try Country.order(Column("code")).fetchAll(db).map(\.code) == ["FR", "IT"])
      #expect(another.hasDatabaseChanges)
    }
  }

  @Test func `An updated record has the changes of the columns that were not updated`() throws {
    try inBookshop { db, recorder throws in
      let writer = try #require(try Writer.fetchOne(db, key: 1))
      writer.name = "x"
      writer.country = "XX"
      try writer.update(db, columns: ["name"])
      #expect(try writer.databaseChanges == ["country": "FR".databaseValue])
      _ = recorder.take()
      #expect(try writer.updateChanges(db))
      #expect(try !writer.updateChanges(db))
      #expect(recorder.takeStatements() == [#"UPDATE "author" SET "country"=? WHERE "id"=?"#])
      #expect(try Author.find(db, id: 1).country == "XX")
    }
  }

  @Test func `An update of some columns leaves the changes of those whose value is not known`()
    throws
  {
    try inBookshop { db, recorder throws in
      let sql = "SELECT id, name, NULL AS other FROM author WHERE id = 1"
      let fetched = try #require(try Partial.fetchOne(db, sql: sql))
      for writer in [fetched, Partial(id: 1, name: "Ursula Vernet")] {
        writer.name += "x"
        writer.country = "X" + writer.name
        try writer.update(db, columns: ["NAME"])
        #expect(try writer.databaseChanges == ["country": nil])
        _ = recorder.take()
        #expect(try writer.updateChanges(db))
        #expect(recorder.takeStatements() == [#"UPDATE "author" SET "country"=? WHERE "id"=?"#])
        #expect(try Author.find(db, id: 1).country == writer.country)
        #expect(!writer.hasDatabaseChanges)
      }
    }
  }

  @Test func `A deleted record has changes again`() throws {
    try inBookshop { db, _ throws in
      let writer = try #require(try Writer.fetchOne(db, key: 3))
      #expect(try writer.delete(db))
      #expect(writer.hasDatabaseChanges)
      #expect(try writer.databaseChanges.values.allSatisfy { $0 == nil })
      try writer.save(db)
      #expect(!writer.hasDatabaseChanges)
    }
  }

  @Test func `A record of a row that was made in memory has changes, which are written`() throws {
    try inBookshop { db, recorder throws in
      let writer = try Writer(row: ["id": 1, "name": "x", "country": nil])
      #expect(writer.hasDatabaseChanges)
      #expect(try writer.databaseChanges.keys.sorted() == ["country", "id", "name"])
      #expect(try writer.databaseChanges.values.allSatisfy { $0 == nil })
      #expect(try writer.updateChanges(db))
      #expect(!writer.hasDatabaseChanges)
      #expect(try Author.find(db, id: 1).name == "x")
    }
  }

  @Test func `Records of copies and scopes of fetched rows have no changes`() throws {
    try inBookshop { db, _ throws in
      let sql = "SELECT 0 AS number, * FROM author WHERE id = 1"
      let adapter = ScopeAdapter(["author": SuffixRowAdapter(fromIndex: 1)])
      let row = try #require(try Row.fetchOne(db, sql: sql, adapter: adapter))
      let author = try #require(row.scopes["author"])
      for row in [row, row.copy(), author, author.copy()] {
        #expect(try !Writer(row: row).hasDatabaseChanges)
      }
    }
  }

  @Test func `Records that are inserted together have no changes, and their own containers`() throws
  {
    try inBookshop { db, _ throws in
      let writers = (1...300).map { Writer(name: "\($0)") }
      try Writer.insert(db, contentsOf: writers)
      #expect(writers.map(\.id) == (4...303).map { Int64($0) })
      for writer in writers {
        #expect(!writer.hasDatabaseChanges)
        writer.country = "XX"
      }
      #expect(
        try writers.allSatisfy {
          try $0.databaseChanges == ["country": DatabaseValue.null]
        })
    }
  }

  @Test func `Rows with more columns than the record don't make changes`() throws {
    try inBookshop { db, _ throws in
      let sql = "SELECT *, 1 AS other, 'y' AS name FROM author WHERE id = 1"
      let writer = try #require(try Writer.fetchOne(db, sql: sql))
      #expect(!writer.hasDatabaseChanges)
    }
  }

  /// The process stopped: the table was asked of the class `Record`.
  @Test func `Constraints that are violated by changes are errors`() throws {
    let schema = """
      CREATE TABLE author
        (id INTEGER PRIMARY KEY, name TEXT UNIQUE CHECK (name <> ''), country TEXT);
      INSERT INTO author VALUES (1, 'Ursula', NULL), (2, 'Jane', NULL)
      """
    try makeDatabase(sql: schema).write { db throws in
      for (name, message) in [
        ("Ursula", "UNIQUE constraint failed: author.name"),
        ("", "CHECK constraint failed: name <> ''"),
      ] {
        let writer = try #require(try Writer.fetchOne(db, key: 2))
        writer.name = name
        let changes = #expect(throws: DatabaseError.self) { try writer.updateChanges(db) }
        #expect(changes?.message == message)
        let update = #expect(throws: DatabaseError.self) { try writer.update(db) }
        #expect(update?.message == message)
        #expect(writer.hasDatabaseChanges)
      }
      let writer = try #require(try Writer.fetchOne(db, key: 2))
      try db.execute(sql: "DROP TABLE author")
      writer.name = "Emily"
      let missing = #expect(throws: DatabaseError.self) { try writer.updateChanges(db) }
      #expect(missing?.message == "no such table: author")
    }
  }

  /// The process stopped: the class `Person` has no table.
  @Test func `Errors of writes through a superclass without table`() throws {
    let schema = """
      CREATE TABLE place (id INTEGER PRIMARY KEY);
      CREATE TABLE borrower (id INTEGER PRIMARY KEY, name TEXT UNIQUE, placeId REFERENCES place);
      INSERT INTO borrower VALUES (1, 'Ann', NULL), (2, 'Bob', NULL)
      """
    func person(_ id: Int64, placeId: Int64? = nil) -> Person {
      Borrower(id: id, name: placeId == nil ? "Ann" : "Cid", placeId: placeId)
    }
    let writes: [(String, (Database) throws -> Void)] = [
      ("UNIQUE", { try person(3).insert($0) }), ("UNIQUE", { try person(3).save($0) }),
      ("UNIQUE", { try person(2).save($0) }), ("UNIQUE", { try person(2).update($0) }),
      ("UNIQUE", { try person(2).updateChanges($0) }),
      ("UNIQUE", { try person(2).update($0, columns: ["name"]) }),
      ("UNIQUE", { _ = try person(3).insertAndFetch($0) }),
      ("UNIQUE", { _ = try person(2).updateAndFetch($0) }),
      ("UNIQUE", { try Person.insert($0, contentsOf: [person(3), person(4)]) }),
      ("UNIQUE", { try (person(3) as Record).insert($0) }),
      ("FOREIGN KEY", { try person(3, placeId: 9).insert($0) }),
      ("FOREIGN KEY", { try person(2, placeId: 9).update($0) }),
    ]
    try makeDatabase(sql: schema).write { db throws in
      for (kind, write) in writes {
        let error = #expect(throws: DatabaseError.self) { try write(db) }
        #expect(error?.message?.hasPrefix("\(kind) constraint failed") == true)
      }
      let into: [(Database) throws -> Void] = [
        { try person(3).insert($0, into: "loan") }, { try person(2).update($0, in: "loan") },
        { try person(2).save($0, into: "loan") }, { try Table<Person>("loan").deleteAll($0) },
      ]
      for write in into {
        let error = #expect(throws: DatabaseError.self) { try write(db) }
        #expect(error?.message == "no such table: loan")
      }
      let persons = Table<Person>("borrower")
      #expect(throws: DatabaseError.self) { try persons.filter(Column("age") > 1).fetchAll(db) }
      #expect(try persons.fetchCount(db) == 2)
    }
  }

  @Test func `The table of a class is named after it, unless it says otherwise`() throws {
    #expect(Person.databaseTableName == "person")
    #expect((Borrower.self as Person.Type).databaseTableName == "borrower")
    #expect((Region.self as Record.Type).databaseTableName == "region")
    try makeDatabase(sql: "CREATE TABLE borrower (id)").write { db throws in
      let error = #expect(throws: DatabaseError.self) { try Person.fetchAll(db) }
      #expect(error?.message == "no such table: person")
    }
  }
}
